// The write-offs section: goods removed from stock. A write-off has no status and always takes effect.

import { z } from 'zod'
import { correctable, correctableNote } from '../documents/correctable.ts'
import {
  byItem,
  costedByLedger,
  type DocumentRules,
  lineSums,
  nextNumber,
  type Present,
  plainLineRow,
  type StockDocument,
  storageOf,
} from '../documents/document.ts'
import type { DocumentFacts, NamedFacts } from '../documents/facts.ts'
import {
  dateRefusal,
  lineArraysSchema,
  optionalNumber,
  plainLineSchema,
  settledStorages,
  storageRefusals,
  storages,
  storagesSchema,
} from '../documents/fields.ts'
import { allLines, heldBy, type LineInput, lineArrayRefusals, lineRefusals, takeLines } from '../documents/lines.ts'
import { documentWrites } from '../documents/methods.ts'
import { declareStore, type PlainLine, readLines } from '../documents/store.ts'
import { documentViewList } from '../documents/view-list.ts'
import { date, notesLength, text, textRefusals } from '../kernel/field.ts'
import type { Raw } from '../kernel/json.ts'
import type { Method } from '../kernel/method.ts'
import { recordEntry } from '../platform/lists/record-entry.ts'
import { readPosted } from '../stock/ledger.ts'
import { browseWriteOffs, kind, view, writeOffCard } from './view.ts'

type WriteOff = StockDocument & {
  readonly date: string
  readonly notes: string
  readonly productsStorageId: number
  readonly materialsStorageId: number
}

const rules: DocumentRules<WriteOff> = {
  kind,
  listedOn: (document) => document.date,
  effectOf: (document) => ({
    moves: byItem(document.lines).map(({ itemId, kind: of, amount }) => ({
      storageId: storageOf(of, document),
      itemId,
      date: document.date,
      onHand: -amount,
    })),
    reservations: [],
  }),
  costed: costedByLedger,
  row: (document) => ({
    num: document.num,
    date: document.date,
    products_storage_id: document.productsStorageId,
    materials_storage_id: document.materialsStorageId,
    ...lineSums(document.lines),
    notes: document.notes,
  }),
  lineRow: plainLineRow,
}

type Row = {
  readonly num: string
  readonly date: string
  readonly notes: string
  readonly products_storage_id: number
  readonly materials_storage_id: number
}
type Facts = NamedFacts & Partial<DocumentFacts<Row, PlainLine>>

const store = declareStore<Row, PlainLine>({
  kind,
  columns: {
    num: 'plain',
    num_key: 'plain',
    date: 'plain',
    products_storage_id: 'plain',
    materials_storage_id: 'plain',
    cost: 'decimal',
    amount: 'decimal',
    lines: 'plain',
    notes: 'plain',
  },
  lineColumns: { item_id: 'bigint', amount: 'numeric', cost: 'numeric' },
  extraValues: {},
  corrects: ['products_storage_id', 'materials_storage_id'],
})

function load({ document: row, posted = [] }: Facts): Present<WriteOff> | undefined {
  if (row === undefined || row === null) return undefined
  const { id, num, date: day, notes } = row
  return {
    document: {
      id,
      num,
      date: day,
      notes,
      productsStorageId: row.products_storage_id,
      materialsStorageId: row.materials_storage_id,
      lines: readLines(row.line_rows),
    },
    posted: readPosted(posted),
  }
}

type WriteOffInput = {
  readonly num: string | undefined
  readonly lines: readonly LineInput[] | undefined
  readonly productsStorageId: number | undefined
  readonly materialsStorageId: number | undefined
  readonly date: string | undefined
  readonly notes: string | undefined
}

function read(raw: Raw, isNew: boolean): WriteOffInput {
  const linesOf = takeLines(raw, isNew, 'plain')
  const storage = storages(raw)
  const day = date(raw, 'date')
  const lines = linesOf()
  return { num: optionalNumber(raw), lines, ...storage, date: day, notes: text(raw, 'notes', { max: notesLength }) }
}

const schema = {
  num: z.string().optional().describe('Number. Default of add: the next of the sequence W-1, W-2, …'),
  ...lineArraysSchema(plainLineSchema),
  ...storagesSchema,
  date: z.string().optional().describe('Day the goods are written off, `YYYY-MM-DD`. Default of add: today.'),
  notes: z.string().optional().describe('Notes.'),
}
const refusals = [
  ...lineArrayRefusals,
  ...storageRefusals,
  dateRefusal,
  ...lineRefusals('plain', 'refused'),
  'No num in input',
  ...textRefusals,
]

const writes = documentWrites<WriteOffInput, WriteOff, Facts>({
  role: 'worker',
  rules,
  store,
  addSchema: schema,
  editSchema: schema,
  read,
  names: (given) => ({
    lines: given.lines,
    storages: [given.productsStorageId, given.materialsStorageId],
    day: given.date,
  }),
  load,
  settle: (given, before, facts, items, transaction, id) => {
    const { company } = facts
    const places = settledStorages(given, before, company)
    const stock = correctable(facts, {
      named: [given.productsStorageId, given.materialsStorageId],
      own: before === undefined ? [] : [before.productsStorageId, before.materialsStorageId],
      storageOf: (of) => storageOf(of, places),
    })
    stock.refuseStorages()
    const lines =
      given.lines === undefined
        ? (before?.lines ?? [])
        : allLines(given.lines, items, heldBy(before), stock.allowsDeleted)
    stock.refuseLines(lines)
    return {
      document: {
        id,
        num: given.num ?? before?.num ?? nextNumber(kind, transaction),
        date: given.date ?? before?.date ?? company.today,
        notes: given.notes ?? before?.notes ?? '',
        ...places,
        lines,
      },
    }
  },
  refusals: { add: refusals, edit: refusals },
  notes: ['The goods leave stock at their average cost, dated `date`.', correctableNote],
  example: {
    add: { products: [{ sku: 'TABLE-1', amount: 1 }], notes: 'Broken in transport' },
    edit: { notes: 'Broken in the shop' },
  },
})

export const writeOffMethods: readonly Method[] = [
  ...writes,
  documentViewList(kind, view, { search: 'false' }),
  recordEntry(kind, view.find, view.wholeSchema, view.wholeExample),
  browseWriteOffs,
  writeOffCard,
]
