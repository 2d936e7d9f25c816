// The skipped lines of a document: lines that a request sent and that were left out because their item was not found. They belong to the document until
// somebody assigns them to an item or dismisses them.

import type { RequestContext } from '../kernel/clock.ts'
import { type Money, moneyFrom, moneyText, type Quantity, quantityFrom, quantityText } from '../kernel/decimal.ts'
import { foldedText } from '../kernel/folded-text.ts'
import { declareInsert } from '../kernel/insert-rows.ts'
import { skippedSentence } from '../kernel/skipped-line.ts'
import { type Statement, statement } from '../kernel/statement.ts'
import { connectionOf } from '../platform/lists/external-ids.ts'
import { shownMoney, shownQuantity } from './document.ts'
import type { LineInput, Skipped } from './lines.ts'
import { isRestSentence } from './skipped.ts'

/** What a skipped line names: `code` is the SKU, the id or the external id, as it was sent. */
export type SkippedCode = {
  readonly kind: 'product' | 'material'
  readonly namedBy: 'sku' | 'id' | 'external_id'
  readonly code: string
  /** The connection whose external id it is; 0 for the screens, and for SKUs and ids. */
  readonly connectionId: number
}

export type SkippedLine = SkippedCode & {
  /** Index of the line as it was sent, materials after products. */
  readonly position: number
  readonly amount: Quantity
  readonly total: Money
}

type SkippedRow = readonly [
  position: number,
  kind: SkippedCode['kind'],
  namedBy: SkippedCode['namedBy'],
  code: string,
  connectionId: number,
  amount: string,
  total: string,
]

/** The rows of a facts statement, and the form in events. */
export type SkippedFacts = readonly SkippedRow[]

export const readSkipped = (rows: SkippedFacts): SkippedLine[] =>
  rows.map(([position, kind, namedBy, code, connectionId, amount, total]) => ({
    position,
    kind,
    namedBy,
    code,
    connectionId,
    amount: quantityFrom(amount),
    total: moneyFrom(total),
  }))

/** As recorded in an event; nothing when there are none, so that the events of other documents do not become longer. */
export const eventOfSkipped = (skipped: readonly SkippedLine[]): SkippedFacts | undefined =>
  skipped.length === 0
    ? undefined
    : skipped.map(({ position, kind, namedBy, code, connectionId, amount, total }) => [
        position,
        kind,
        namedBy,
        code,
        connectionId,
        shownQuantity(amount),
        shownMoney(total),
      ])

/** The skipped lines of a request. */
export const skippedLines = (skipped: readonly Skipped[], context: RequestContext): SkippedLine[] =>
  skipped.map(({ position, line }) => ({
    position,
    ...codeOf(line, context),
    amount: line.amount,
    total: line.total,
  }))

function codeOf({ kind, named, label }: LineInput, context: RequestContext): SkippedCode {
  if (kind === 'resource') throw new Error('lines of resources are never skipped')
  if ('sku' in named) return { kind, namedBy: 'sku', code: named.sku, connectionId: 0 }
  if ('externalId' in named)
    return { kind, namedBy: 'external_id', code: named.externalId, connectionId: connectionOf(context) }
  return { kind, namedBy: 'id', code: label.slice('id '.length), connectionId: 0 }
}

/** SKUs are compared in folded form, everything else exactly. */
export const keyOfCode = ({ namedBy, code }: Pick<SkippedCode, 'namedBy' | 'code'>): string =>
  namedBy === 'sku' ? foldedText(code) : code

export const isSameCode = (one: SkippedCode, other: SkippedCode): boolean =>
  one.kind === other.kind &&
  one.namedBy === other.namedBy &&
  one.connectionId === other.connectionId &&
  keyOfCode(one) === keyOfCode(other)

/** How texts refer to the item of the line: `SKU "A-1"`, `id 7` or `external id "17"`. */
export function labelOfSkipped({ namedBy, code }: SkippedCode): string {
  if (namedBy === 'id') return `id ${code}`
  return `${namedBy === 'sku' ? 'SKU' : 'external id'} "${code}"`
}

const sentenceOf = (line: SkippedLine): string =>
  skippedSentence({ kind: line.kind, label: labelOfSkipped(line), amount: line.amount, total: line.total })

/** Notes without the sentences about lines that are no longer skipped. The sentence about those that did not fit goes with the last line. */
export function notesWithout(notes: string, gone: readonly SkippedLine[], left: readonly SkippedLine[]): string {
  const sentences = new Set(gone.map(sentenceOf))
  return notes
    .split('\n')
    .filter((line) => !sentences.has(line) && !(left.length === 0 && isRestSentence(line)))
    .join('\n')
}

type SkippedEdit = {
  readonly before: { readonly skipped: readonly SkippedLine[]; readonly notes: string }
  /** The lines that the request skips; absent when it does not replace the lines. */
  readonly skipped: readonly Skipped[] | undefined
  readonly notes: string
  readonly context: RequestContext
}

/**
 * The skipped lines after an edit. The lines that another system sends are complete, and so are those that it skips. The screens know only the lines whose
 * items were found: what was skipped before goes on waiting, until the sentence about it is removed from the notes. A user who adds a line by
 * hand removes it, and the line is not added twice.
 */
export function skippedAfterEdit({ before, skipped, notes, context }: SkippedEdit): readonly SkippedLine[] {
  const added = skipped === undefined ? [] : skippedLines(skipped, context)
  if (context.userId === null)
    return skipped === undefined || (before.skipped.length === 0 && added.length === 0) ? before.skipped : added
  const kept = before.skipped.filter((line) => !isSentenceRemoved(line, before.notes, notes))
  if (added.length === 0) return kept.length === before.skipped.length ? before.skipped : kept
  const first = 1 + (kept.at(-1)?.position ?? -1)
  return [...kept, ...added.map((line, at) => ({ ...line, position: first + at }))]
}

/** Of a line whose sentence did not fit into the notes, the last sentence counts. */
function isSentenceRemoved(line: SkippedLine, before: string, after: string): boolean {
  const sentence = sentenceOf(line)
  if (hasSentence(after, sentence)) return false
  return hasSentence(before, sentence) || (hasRestSentence(before) && !hasRestSentence(after))
}

/** People write before and after a sentence. One that ends with a total of 3 is not in one with a total of 30. */
const hasSentence = (notes: string, sentence: string): boolean =>
  notes
    .split(sentence)
    .slice(1)
    .some((rest) => !/^\.?\d/.test(rest))

const hasRestSentence = (notes: string): boolean => notes.split('\n').some(isRestSentence)

type OfDocument = { readonly company_id: number; readonly document_id: number }

/** `key` is the column with the id of the document. */
export function declareSkippedLines({ table, key }: { readonly table: string; readonly key: string }) {
  const remove = statement<never, OfDocument>(
    `${table}.delete`,
    `delete from ${table} where company_id = :company_id and ${key} = :document_id`,
  )
  const insert = declareInsert<Record<string, number>, Readonly<Record<string, unknown>>>({
    name: `${table}.insert`,
    table,
    shared: [key],
    columns: {
      position: 'int',
      kind: 'text',
      named_by: 'text',
      code: 'text',
      code_key: 'text',
      connection_id: 'bigint',
      amount: 'numeric',
      total: 'numeric',
    },
  })
  const rowOf = (line: SkippedLine) => ({
    position: line.position,
    kind: line.kind,
    named_by: line.namedBy,
    code: line.code,
    code_key: keyOfCode(line),
    connection_id: line.connectionId,
    amount: quantityText(line.amount),
    total: moneyText(line.total),
  })
  return {
    /** A subselect for the facts of the document `:document_id`. */
    facts: `(
      select coalesce(json_agg(json_build_array(w.position, w.kind, w.named_by, w.code, w.connection_id, w.amount::text, w.total::text)
        order by w.position), '[]'::json)
      from ${table} w where w.company_id = :company_id and w.${key} = :document_id::bigint)`,
    /** No statement when the document has no skipped lines before and after, as almost every one. */
    write(
      companyId: number,
      ownId: number,
      before: readonly SkippedLine[],
      after: readonly SkippedLine[],
    ): Statement[] {
      if (after === before) return []
      return [
        ...(before.length === 0 ? [] : [remove({ company_id: companyId, document_id: ownId })]),
        ...insert({ company_id: companyId, [key]: ownId }, after.map(rowOf)),
      ]
    },
  }
}
