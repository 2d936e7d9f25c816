// imports/add: a new import of a file. Its rows follow with imports/add_rows. App API only.

import { z } from 'zod'
import {
  array,
  date,
  isObject,
  nameLength,
  required,
  storageId,
  textRefusals,
  textValue,
  tooMany,
} from '../../kernel/field.ts'
import type { Raw } from '../../kernel/json.ts'
import { write } from '../../kernel/method.ts'
import { refuse } from '../../kernel/refusal.ts'
import { statement } from '../../kernel/statement.ts'
import { type ImportKind, importKinds } from './row.ts'
import { factsOfImport, type ImportFacts, insertImport, noteCompany } from './store.ts'

/** Each takes at most 20,000 rows; they are deleted after 30 days. */
export const maxImports = 100
const maxHeadings = 200

const kindRefusal = `Invalid kind value. Must be one of: ${importKinds.join(', ')}`

export function readKind(raw: Raw): ImportKind {
  const value = required(raw, 'kind')
  return importKinds.find((kind) => kind === value) ?? refuse(kindRefusal, { code: 'not_a_choice', field: 'kind' })
}

export const kindRefusals: readonly string[] = ['No kind in input', kindRefusal]
export const kindSchema = z
  .enum(importKinds)
  .describe('The section whose records the rows are; stock: counted quantities.')

export function readStorage(raw: Raw, kind: ImportKind): number | null {
  if (kind !== 'stock') return null
  required(raw, 'storage_id')
  return storageId(raw, 'storage_id') ?? 0
}

export const storageRefusals: readonly string[] = ['No storage_id in input', 'Storage ID is not set']

export const storageSchema = z
  .union([z.int(), z.string()])
  .optional()
  .describe('Storage location whose stock the rows count; required for stock.')

const findStorage = statement<{ is_storage: boolean }, { company_id: number; storage_id: number }>(
  'imports.storage',
  `select exists (select from storages s where s.company_id = :company_id and s.id = :storage_id and s.deleted_at is null) as is_storage`,
)

function readHeadings(raw: Raw): readonly (readonly [heading: string, field: string])[] {
  return (array(raw, 'headings', maxHeadings) ?? []).map((value) => {
    if (!isObject(value)) refuse('Headings must be objects', { code: 'malformed', field: 'headings' })
    const text = (field: string): string => textValue(required(value, field), field, { max: nameLength })
    return [text('heading'), text('field')]
  })
}

const tooManyImports = `A company has at most ${maxImports} imports. Delete some of them`

export const addImport = write({
  path: 'imports/add',
  api: 'app',
  summary: 'Begin an import of a file: a draft without rows.',
  notes: ['Imports are deleted after 30 days.'],
  input: {
    schema: z.object({
      kind: kindSchema,
      name: z.string().describe('Name of the file.'),
      storage_id: storageSchema,
      date: z.string().optional().describe('Day of the count, `YYYY-MM-DD`. Default: the day on which it is written.'),
      headings: z
        .array(z.object({ heading: z.string().describe('A heading.'), field: z.string().describe('Its field.') }))
        .max(maxHeadings)
        .optional()
        .describe('The field that each heading of the file stands for, to be proposed for the next file.'),
    }),
    read: (raw) => {
      const kind = readKind(raw)
      const name = textValue(required(raw, 'name'), 'name', { max: nameLength, trim: true })
      const countedOn = kind === 'stock' ? (date(raw, 'date') ?? null) : null
      return { kind, name, storageId: readStorage(raw, kind), countedOn, headings: readHeadings(raw) }
    },
  },
  output: z.object({ import_id: z.int().describe('Id of the import.') }),
  refusals: [
    ...kindRefusals,
    'No name in input',
    ...storageRefusals,
    'Date is not a valid date in format YYYY-MM-DD',
    'Storage ID not found',
    'Headings is not an array',
    'Headings must be objects',
    tooMany('headings', maxHeadings),
    'No heading in input',
    'No field in input',
    ...textRefusals,
    tooManyImports,
  ],
  example: {
    request: { kind: 'products', name: 'products.xlsx', headings: [{ heading: 'Article', field: 'sku' }] },
    response: { success: true, import_id: 1 },
  },
  facts: (_input, context) => factsOfImport({ id: 0 }, context),
  moreFacts: ({ storageId }, { companyId }) =>
    storageId === null ? undefined : findStorage({ company_id: companyId, storage_id: storageId }),
  plan: (input, facts: ImportFacts & { readonly is_storage?: boolean }, transaction) => {
    if (facts.is_storage === false) refuse('Storage ID not found', { code: 'storage_not_found', field: 'storage_id' })
    if (facts.imports >= maxImports) refuse(tooManyImports, { code: 'too_many', value: maxImports })
    return { ...input, id: transaction.ids.next('import_id'), isWorking: facts.others_working > 0 }
  },
  write: ({ id, kind, name, storageId, countedOn, headings, isWorking }, { context, at }) => ({
    statements: [
      insertImport({
        company_id: context.companyId,
        import_id: id,
        kind,
        name,
        user_id: context.userId,
        at,
        storage_id: storageId,
        counted_on: countedOn,
        headings: JSON.stringify(headings),
      }),
      noteCompany(context.companyId, { any: true, working: isWorking }),
    ],
    event: { record: 'import', recordId: id, change: { kind, name } },
  }),
  response: ({ id }) => ({ import_id: id }),
})
