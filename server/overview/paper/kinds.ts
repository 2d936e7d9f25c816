// The papers that can be printed: who may print each, what a request may choose, and the statement for its facts.

import { companyLanguages } from '../../access/first-records.ts'
import type { DocumentSection } from '../../access/mail-sender/documents.ts'
import { choice, integer, passed, requiredId } from '../../kernel/field.ts'
import type { Raw } from '../../kernel/json.ts'
import type { Role } from '../../kernel/method.ts'
import { refuse } from '../../kernel/refusal.ts'
import type { Statement } from '../../kernel/statement.ts'
import type { CodeKind } from '../../platform/paper/barcode.ts'
import type { DeclaredPaper, FindPaper, FindSharedPaper } from '../../platform/requests/papers.ts'
import { taxOfDraft } from '../../sales/quotes/tax.ts'
import {
  jobFacts,
  labelFacts,
  type PaperRow,
  purchaseFacts,
  quoteFacts,
  saleFacts,
  sharedQuoteFacts,
  slipFacts,
} from './facts.ts'
import type { LabelOptions, PaperJob, PaperKind, PaperOptions } from './job.ts'
import { type LabelSheetName, labelSheetNames, labelSheets } from './label-sheets.ts'

type Input = { readonly id: number; readonly options: PaperOptions }
type Paper = {
  readonly role: Role
  readonly read: (raw: Raw) => Input
  readonly query: (input: Input, companyId: number) => Statement<PaperRow>
}

const maxItems = 100
const maxLabels = 1_000

function numberOf(raw: Raw, field: string, max: number): number | undefined {
  const value = passed(raw, field)
  if (value === undefined || value === '') return undefined
  const number = integer(value)
  return number !== undefined && number >= 1 && number <= max
    ? number
    : refuse(`Invalid ${field} value. Must be between 1 and ${max}`, { code: 'out_of_range', field })
}

const readRecord = (raw: Raw): Input => ({
  id: requiredId(raw, 'id'),
  options: { language: choice(raw, 'language', companyLanguages) },
})

function readSlip(raw: Raw): Input {
  const { id, options } = readRecord(raw)
  return { id, options: { ...options, shipment: numberOf(raw, 'shipment', 2_147_483_647) } }
}

/** `7x3,9`: three labels of item 7 and one of item 9. */
function readCounts(raw: Raw): ReadonlyMap<number, number> {
  const sent = passed(raw, 'items')
  const parts = typeof sent === 'string' ? sent.split(',', maxItems + 1) : []
  if (parts.length > maxItems)
    refuse(`Too many items. Must be at most ${maxItems}`, { code: 'too_many', field: 'items', value: maxItems })
  const counts = new Map<number, number>()
  for (const part of parts) {
    const [, id = '', count = '1'] = /^([1-9]\d{0,14})(?:x(\d{1,4}))?$/.exec(part) ?? []
    if (id === '' || Number(count) < 1)
      refuse('Invalid items value. Must be ids with quantities, such as 7x3,9', { code: 'malformed', field: 'items' })
    counts.set(Number(id), (counts.get(Number(id)) ?? 0) + Number(count))
  }
  if (counts.size === 0) refuse('No items in input', { code: 'required', field: 'items' })
  const all = [...counts.values()].reduce((sum, count) => sum + count, 0)
  if (all > maxLabels)
    refuse(`Too many labels. Must be at most ${maxLabels}`, { code: 'too_many', field: 'items', value: maxLabels })
  return counts
}

function readLabels(raw: Raw): Input {
  const counts = readCounts(raw)
  const sheet: LabelSheetName = choice(raw, 'sheet', labelSheetNames) ?? 'a4-3x8'
  const { columns, rows } = labelSheets[sheet]
  const code = choice<CodeKind>(raw, 'code', ['code128', 'qr'])
  const labels: LabelOptions = { counts, sheet, code, first: numberOf(raw, 'first', columns * rows) ?? 1 }
  return { id: 0, options: { language: choice(raw, 'language', companyLanguages), labels } }
}

const values = ({ id }: Input, companyId: number) => ({ company_id: companyId, document_id: id })

const papers: Readonly<Record<PaperKind, Paper>> = {
  quote: {
    role: 'manager',
    read: readRecord,
    query: (input, companyId) => quoteFacts(values(input, companyId)),
  },
  'order-confirmation': {
    role: 'manager',
    read: readRecord,
    query: (input, companyId) => saleFacts(values(input, companyId)),
  },
  'packing-slip': {
    role: 'worker',
    read: readSlip,
    query: (input, companyId) => slipFacts(values(input, companyId), input.options.shipment),
  },
  'purchase-order': {
    role: 'manager',
    read: readRecord,
    query: (input, companyId) => purchaseFacts(values(input, companyId)),
  },
  'job-sheet': {
    role: 'worker',
    read: readRecord,
    query: (input, companyId) => jobFacts(values(input, companyId)),
  },
  labels: {
    role: 'worker',
    read: readLabels,
    query: ({ options }, companyId) => {
      const ids = [...(options.labels?.counts.keys() ?? [])]
      return labelFacts({ company_id: companyId, ids, count: ids.length })
    },
  },
}

/** A document that is attached to a mail, in the language of the mail. */
export const mailedPaper: DocumentSection['paper'] = ({ company_id: companyId, paper, document_id: id }, language) => {
  const options = { language }
  return { statement: papers[paper].query({ id, options }, companyId) as Statement, job: jobOf(paper, options) }
}

/** The kinds are the names in the address. */
export const findPaper: FindPaper = (kind) =>
  Object.hasOwn(papers, kind) ? declaredOf(kind as PaperKind, papers[kind as PaperKind]) : undefined

const declaredOf = (kind: PaperKind, { role, read, query }: Paper): DeclaredPaper => ({
  role,
  read: (raw, companyId) => {
    const input = read(raw)
    return { statement: query(input, companyId) as Statement, job: jobOf(kind, input.options) }
  },
})

const jobOf =
  (kind: PaperKind, options: PaperOptions) =>
  (row: unknown): PaperJob => {
    const { facts, logo, logo_type: type, draft } = row as PaperRow
    const draftTax = draft && taxOfDraft(draft)
    return {
      kind,
      options,
      facts,
      ...(draftTax === undefined ? {} : { draftTax }),
      // A buffer of its own: the one of the database connection would be copied to the thread as a whole.
      logo: logo === null || type === null ? undefined : { bytes: new Uint8Array(logo), type },
    }
  }

/** A quote, in the language of the company, for the customer who has its link. */
export const findSharedPaper: FindSharedPaper = ({ companyId, hash }) => ({
  statement: sharedQuoteFacts({ company_id: companyId, token_hash: hash }) as Statement,
  job: jobOf('quote', { language: undefined }),
})
