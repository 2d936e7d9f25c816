// The audits section: what was counted against what the books said. The difference is fixed per line when it is counted, so goods may move while
// a count goes on; completing the audit books it.

import { z } from 'zod'
import {
  type Document,
  type DocumentKind,
  type DocumentRules,
  numberOf,
  type Present,
  sumOf,
} from '../documents/document.ts'
import {
  countedLineOnWire,
  dateRefusal,
  idOnWire,
  lineArraysOnWire,
  optionalNumber,
  refuseUnknownStorages,
  storageRefusals,
} from '../documents/fields.ts'
import {
  type DocumentLine,
  findLines,
  type LineInput,
  lineArrayRefusals,
  lineRefusals,
  linesOf,
  refuseLineCount,
  replacesLines,
  sentLines,
} from '../documents/lines.ts'
import { documentList } from '../documents/list.ts'
import { documentWrites, statusOf } from '../documents/methods.ts'
import { type DocumentFacts, declareStore, type NamedFacts } from '../documents/store.ts'
import {
  codeField,
  commonFields,
  dayField,
  documentView,
  type Fields,
  idAndNumber,
  joinStorages,
  lineEnd,
  lineFields,
  linesOfKind,
  storageField,
} from '../documents/view.ts'
import { moneyFrom, moneyText, type Quantity, quantityFrom, quantityText, toMoney, worth } from '../kernel/decimal.ts'
import { capitalized, date, notesLength, storageId, text } from '../kernel/field.ts'
import type { Raw } from '../kernel/json.ts'
import type { Method } from '../kernel/method.ts'
import { refuse } from '../kernel/refusal.ts'
import { number, time } from '../platform/json-sql.ts'
import { recordEntry, textRefusals } from '../platform/records.ts'
import type { Items, LineKind } from '../stock/items.ts'
import { readPosted } from '../stock/ledger.ts'
import { type Effect, noEffect } from '../stock/posting.ts'

const kind: DocumentKind = {
  section: 'audits',
  noun: 'audit',
  entity: 'Audit',
  counter: 'audit_id',
  table: 'audits',
  linesTable: 'audit_lines',
  key: 'audit_id',
  ledger: 'audits',
  listedBy: 'date',
  numbers: { counter: 'audit_number', prefix: 'I-' },
}

const completed = 3
const statuses = [0, 3, 4] as const

/** `amount` is what was counted. */
type CountedLine = DocumentLine & { readonly expected: Quantity; readonly countedAt: string }

type Audit = Omit<Document, 'lines'> & {
  readonly status: number
  readonly date: string
  readonly storageId: number
  readonly notes: string
  readonly lines: readonly CountedLine[]
}

function effectOf({ status, date: day, storageId: storage, lines }: Audit): Effect {
  if (status !== completed) return noEffect
  const moves = lines
    .filter((line) => line.amount !== line.expected)
    .map(({ itemId, amount, expected }) => ({
      storageId: storage,
      itemId,
      date: day,
      onHand: amount - expected,
      carried: true,
    }))
  return { moves, reservations: [] }
}

const rules: DocumentRules<Audit> = {
  kind,
  listedOn: (document) => document.date,
  effectOf,
  // The cost of a line is that of its difference: what the ledger booked for it, and before that the average.
  costed: (audit, before, posting) =>
    audit.status !== completed || (audit.lines === before?.lines && posting.movements.length === 0)
      ? audit
      : { ...audit, lines: audit.lines.map((line) => ({ ...line, cost: toMoney(posting.net(line.itemId).value) })) },
  row: (document) => {
    const oneUnit = document.lines.every((line) => line.unitId === document.lines[0]?.unitId)
    return {
      num: document.num,
      status: document.status,
      date: document.date,
      storage_id: document.storageId,
      cost: moneyText(sumOf(document.lines, 'cost')),
      amount: oneUnit ? quantityText(sumOf(document.lines, 'amount')) : null,
      lines: document.lines.length,
      notes: document.notes,
    }
  },
  lineRow: (line) => ({
    item_id: line.itemId,
    expected: quantityText((line as CountedLine).expected),
    counted: quantityText(line.amount),
    counted_at: (line as CountedLine).countedAt,
    cost: moneyText(line.cost),
  }),
}

type Row = {
  readonly num: string
  readonly status: number
  readonly date: string
  readonly storage_id: number
  readonly notes: string
}
type Line = {
  readonly item_id: number
  readonly kind: LineKind
  readonly unit_id: number
  readonly expected: string
  readonly counted: string
  readonly counted_at: string
  readonly cost: string
}
type Facts = NamedFacts &
  Partial<DocumentFacts<Row, Line>> & { readonly levels: readonly (readonly [itemId: number, onHand: string])[] }

const store = declareStore<Row, Line>({
  kind,
  columns: {
    num: 'plain',
    num_key: 'plain',
    status: 'plain',
    date: 'plain',
    storage_id: 'plain',
    cost: 'decimal',
    amount: 'decimal',
    lines: 'plain',
    notes: 'plain',
  },
  lineColumns: {
    item_id: 'bigint',
    expected: 'numeric',
    counted: 'numeric',
    counted_at: 'timestamptz',
    cost: 'numeric',
  },
  moreForNew: true,
  // What the books say of everything that is named, at the storage location that is counted.
  moreFacts: `(
    select coalesce(json_agg(json_build_array(v.item_id, v.on_hand::text)), '[]'::json) from stock_levels v
    where v.company_id = $1
      and v.storage_id = coalesce($11::bigint, (select a.storage_id from audits a where a.company_id = $1 and a.id = $9::bigint))
      and v.item_id in (
        select unnest($3::bigint[]) union all select c.item_id from item_codes c where c.company_id = $1
          and ((c.space = 'product' and c.code = any($4::text[])) or (c.space = 'material' and c.code = any($5::text[])))
        union all select l.item_id from audit_lines l where l.company_id = $1 and l.audit_id = $9::bigint)
  ) as levels`,
})

function load({ document: row, posted = [] }: Facts): Present<Audit> | undefined {
  if (row === undefined || row === null) return undefined
  const { id, num, status, date: day, notes } = row
  const lines = row.line_rows.map((line) => ({
    itemId: line.item_id,
    kind: line.kind,
    unitId: line.unit_id,
    amount: quantityFrom(line.counted),
    expected: quantityFrom(line.expected),
    countedAt: line.counted_at,
    total: 0n,
    cost: moneyFrom(line.cost),
  }))
  return {
    document: { id, num, status, date: day, storageId: row.storage_id, notes, lines },
    posted: readPosted(posted),
  }
}

type Given = {
  readonly num: string | undefined
  readonly lines: readonly LineInput[] | undefined
  readonly storageId: number | undefined
  readonly status: number | undefined
  readonly date: string | undefined
  readonly notes: string | undefined
}

function read(raw: Raw, isNew: boolean): Given {
  const sent = sentLines(raw)
  const replaces = isNew || replacesLines(sent)
  if (replaces) refuseLineCount(sent)
  const storage = storageId(raw, 'storage_id')
  if (isNew && storage === undefined) refuse('No storage_id in input')
  const status = isNew ? statusOf(raw, statuses) : undefined
  const day = date(raw, 'date')
  const lines = replaces ? linesOf(sent, 'counted') : undefined
  return {
    num: optionalNumber(raw),
    lines,
    storageId: storage,
    status,
    date: day,
    notes: text(raw, 'notes', { max: notesLength }),
  }
}

/** A line that says what it said before keeps its moment; every other is counted now. */
function countedLines(
  given: readonly LineInput[],
  before: Audit | undefined,
  storage: number,
  facts: Facts,
  items: Items,
  at: string,
): CountedLine[] {
  const known = new Map(before?.storageId === storage ? before.lines.map((line) => [line.itemId, line]) : [])
  const levels = new Map(facts.levels.map(([itemId, onHand]) => [itemId, quantityFrom(onHand)]))
  const seen = new Set<number>()
  return findLines(given, items, new Set(before?.lines.map((line) => line.itemId))).map(({ line, item }) => {
    if (item === undefined) refuse(`${capitalized(line.kind)} with ${line.label} not found`)
    if (seen.has(item.id)) refuse(`${capitalized(line.kind)} with ${line.label} is counted twice`)
    seen.add(item.id)
    const old = known.get(item.id)
    if (old !== undefined && old.amount === line.amount) return old
    const expected = levels.get(item.id) ?? 0n
    const cost = toMoney(worth(line.amount - expected, item.cost.average))
    return {
      itemId: item.id,
      kind: line.kind,
      unitId: item.unitId,
      amount: line.amount,
      expected,
      countedAt: at,
      total: 0n,
      cost,
    }
  })
}

const onWire = {
  num: z.string().optional().describe('Number. Default of add: the next of the sequence I-1, I-2, …'),
  ...lineArraysOnWire(countedLineOnWire),
  date: z.string().optional().describe('Day the difference is booked on, `YYYY-MM-DD`. Default of add: today.'),
  notes: z.string().optional().describe('Notes.'),
}
const refusals = [
  ...lineArrayRefusals,
  ...storageRefusals,
  dateRefusal,
  ...lineRefusals('counted', 'refused'),
  'Product with SKU "<sku>" is counted twice',
  'No num in input',
  ...textRefusals,
]

const writes = documentWrites<Given, Audit, Facts>({
  rules,
  store,
  addOnWire: {
    storage_id: idOnWire.describe('Storage location that is counted.'),
    ...onWire,
    status: z.int().optional().describe('0 Counting, 3 Completed, 4 Canceled. Default 0.'),
  },
  editOnWire: { storage_id: idOnWire.optional().describe('Storage location that is counted.'), ...onWire },
  read,
  names: (given) => ({ lines: given.lines, storages: [given.storageId], day: given.date, more: given.storageId }),
  load,
  settle: (given, before, facts, items, moment, id) => {
    refuseUnknownStorages([given.storageId], facts.storages)
    const storage = given.storageId ?? before?.storageId ?? 0
    const moved = before !== undefined && storage !== before.storageId
    // Counted somewhere else, every line is compared with the books of that place.
    const again = moved
      ? before.lines.map(
          (line): LineInput => ({
            kind: line.kind,
            named: { id: line.itemId },
            label: `id ${line.itemId}`,
            amount: line.amount,
            total: 0n,
          }),
        )
      : undefined
    const counted = given.lines ?? again
    return {
      document: {
        id,
        num: given.num ?? before?.num ?? numberOf(kind, undefined, moment),
        status: before?.status ?? given.status ?? 0,
        date: given.date ?? before?.date ?? facts.company.today,
        storageId: storage,
        notes: given.notes ?? before?.notes ?? '',
        lines:
          counted === undefined
            ? (before?.lines ?? [])
            : countedLines(counted, before, storage, facts, items, moment.at),
      },
    }
  },
  status: {
    settable: statuses,
    apply: (audit, status) => ({ ...audit, status }),
    notes: ['Completed books the differences, surplus and shortage at the average cost.'],
  },
  refusals: {
    add: [...refusals, 'No storage_id in input', `Invalid status value. Must be one of: ${statuses.join(', ')}`],
    edit: refusals,
  },
  notes: [
    'What the books say is fixed for each line when it is counted (`counted_at`), so goods may move while a count goes on.',
    'In an edit, a line that is sent with the same quantity keeps its moment; one with another quantity is counted anew.',
  ],
  example: {
    add: { storage_id: 1, products: [{ sku: 'TABLE-1', counted: 4 }] },
    edit: { products: [{ sku: 'TABLE-1', counted: 5 }] },
  },
})

const { amount: _amount, ...item } = lineFields
const { cost, position } = lineEnd
const line: Fields = {
  ...item,
  expected: {
    sql: number('l.expected'),
    onWire: z.number().describe('What the books said when it was counted.'),
    example: 5,
  },
  counted: { sql: number('l.counted'), onWire: z.number().describe('What was counted.'), example: 4 },
  difference: {
    sql: number('(l.counted - l.expected)'),
    onWire: z.number().describe('counted - expected.'),
    example: -1,
  },
  ...(cost === undefined ? {} : { cost }),
  counted_at: {
    sql: time('l.counted_at'),
    onWire: z.string().describe('When it was counted, ISO 8601 in UTC.'),
    example: '2026-03-12T09:30:00.000000Z',
  },
  ...(position === undefined ? {} : { position }),
}
const view = documentView(
  kind,
  {
    ...idAndNumber,
    status: codeField('status', '0 Counting, 3 Completed, 4 Canceled.'),
    date: dayField('date', 'Day the difference is booked on,'),
    ...storageField('storage', 'sc', 'Storage location that is counted.'),
    ...commonFields,
  },
  joinStorages([['storage_id', 'sc']]),
  [linesOfKind(kind, 'product', line), linesOfKind(kind, 'material', line)],
)

export const auditMethods: readonly Method[] = [
  ...writes,
  documentList({
    kind,
    json: view.json,
    joins: view.joins,
    recordOnWire: view.onWire,
    example: view.example,
    filters: { statuses, search: 'false' },
  }),
  recordEntry(kind, view.find, view.wholeOnWire, view.wholeExample),
]
