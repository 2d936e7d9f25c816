// The card of one document in the screens: its entry, its last change, and all its stock movements.

import { z } from 'zod'
import { requiredId } from '../kernel/field.ts'
import { JsonText, type ReadMethod, type ResponseFields, read } from '../kernel/method.ts'
import { refuse } from '../kernel/refusal.ts'
import { statement } from '../kernel/statement.ts'
import { idField, missing, wordFor } from '../platform/lists/record-methods.ts'
import { array, integer, nullable, number, object, text, time } from '../platform/postgres/json-sql.ts'
import { joinAmount } from './amount.ts'
import type { DocumentKind } from './document.ts'
import { idSchema } from './fields.ts'

/** A field that only some cards have: SQL of its JSON text, for the document d. */
export type CardField = { readonly json: string; readonly schema: z.ZodType; readonly example: unknown }

const effect = (ledger: string): CardField => ({
  json: array(
    object([
      ['date', text('m.date')],
      ['type', text('i.kind')],
      ['item_id', integer('m.item_id')],
      ['sku', text('i.sku')],
      ['name', text('i.name')],
      ['unit', text('n.name')],
      ['storage_id', integer('m.storage_id')],
      ['storage_name', text('t.name')],
      ['on_hand', number('m.on_hand')],
      ['reserved', number('m.reserved')],
      ['recorded_at', time('m.recorded_at')],
      ['request_id', nullable(text('e.request_id'))],
    ]),
    `from stock_movements m
     join items i on i.company_id = :company_id and i.id = m.item_id
     join units n on n.company_id = :company_id and n.id = i.unit_id
     join storages t on t.company_id = :company_id and t.id = m.storage_id
     left join events e on e.company_id = :company_id and e.seq = m.seq
     where m.company_id = :company_id and m.section = '${ledger}' and m.document_id = d.id and (m.on_hand <> 0 or m.reserved <> 0)`,
    'm.id',
  ),
  schema: z
    .array(
      z.object({
        date: z.string().describe('Day of the movement.'),
        type: z.string().describe('product or material.'),
        item_id: z.int().describe('Id of the item.'),
        sku: z.string().describe('SKU.'),
        name: z.string().describe('Name.'),
        unit: z.string().describe('Unit of measure.'),
        storage_id: z.int().describe('Id of the storage location.'),
        storage_name: z.string().describe('Its name.'),
        on_hand: z.number().describe('Change of the quantity on hand: above zero received, below zero issued.'),
        reserved: z.number().describe('Change of the reserved quantity.'),
        recorded_at: z.string().describe('When it was booked, ISO 8601 in UTC.'),
        request_id: z.string().nullable().describe('The request that caused it.'),
      }),
    )
    .describe('Its stock movements, in the order they were booked.'),
  example: [
    {
      date: '2026-03-14',
      type: 'product',
      item_id: 1,
      sku: 'TABLE-1',
      name: 'Oak table',
      unit: 'pcs',
      storage_id: 1,
      storage_name: 'Finished goods',
      on_hand: -2,
      reserved: 0,
      recorded_at: '2026-03-14T09:30:00.000000Z',
      request_id: 'req_Y1RqJQJTGo0zUjfC',
    },
  ],
})

export type Card = {
  readonly kind: DocumentKind
  /** The name of the record in events, if it differs from its noun. */
  readonly record?: string
  /** JSON text of the entry, selected from `<table> d` with `joins`. */
  readonly json: string
  readonly joins: string
  readonly schema: z.ZodType
  readonly example: object
  /** WITH queries that the fields may use; the document is `:document_id`. */
  readonly ctes?: readonly string[]
  readonly fields?: Readonly<Record<string, CardField>>
}

type Row = Readonly<Record<string, string | number>>

export function documentCard(card: Card): ReadMethod<{ id: number }, Row> {
  const { kind, ctes = [] } = card
  const field = idField(kind)
  const fields: Readonly<Record<string, CardField>> = { ...card.fields, effect: effect(kind.ledger) }
  const find = statement<Row, { readonly company_id: number; readonly document_id: number }>(
    `${kind.table}.card`,
    `${ctes.length === 0 ? '' : `with ${ctes.join(',\n')}`}
     select ${card.json} as entry, (
       select coalesce(max(e.seq), 0) from events e
       where e.company_id = :company_id and e.record = '${card.record ?? kind.noun}' and e.record_id = d.id) as seq,
       ${Object.entries(fields)
         .map(([name, { json }]) => `${json} as ${name}`)
         .join(', ')}
     from ${kind.table} d ${card.joins} ${joinAmount(kind)} where d.company_id = :company_id and d.id = :document_id`,
  )
  const shown = (of: (one: CardField) => unknown) =>
    Object.fromEntries(Object.entries(fields).map(([name, one]) => [name, of(one)]))
  return read({
    path: `${kind.section}/get_card`,
    api: 'app',
    role: 'worker',
    summary: `Read one ${wordFor(kind)} with the additional data of its screen.`,
    input: {
      schema: z.object({ [field]: idSchema.describe(`Id of the ${wordFor(kind)}.`) }),
      read: (raw) => ({ id: requiredId(raw, field) }),
    },
    output: z.object({
      [kind.noun]: card.schema.describe(`The ${wordFor(kind)} with its lines.`),
      seq: z.int().describe('Sequence number of its last change in the history of the company.'),
      ...(shown((one) => one.schema) as z.ZodRawShape),
    }),
    refusals: [`No ${field} in input`, missing(kind)],
    example: {
      request: { [field]: 1 },
      response: { success: true, [kind.noun]: card.example, seq: 7, ...shown((one) => one.example) },
    },
    query: ({ id }, { companyId }) => find({ company_id: companyId, document_id: id }),
    response: ([row]): ResponseFields => {
      if (row === undefined) refuse(missing(kind), { code: 'record_not_found' })
      const texts = Object.keys(fields).map((name) => [name, new JsonText(String(row[name]))])
      return { [kind.noun]: new JsonText(String(row['entry'])), seq: row['seq'], ...Object.fromEntries(texts) }
    },
  })
}

/** The card of a kind of document whose entry comes from its view. */
export const viewCard = (
  kind: Card['kind'],
  view: {
    readonly wholeJson: string
    readonly wholeJoins: string
    readonly wholeSchema: z.ZodType
    readonly wholeExample: object
  },
  more: Pick<Card, 'ctes' | 'fields'> = {},
): ReadMethod<{ id: number }, Row> =>
  documentCard({
    kind,
    json: view.wholeJson,
    joins: view.wholeJoins,
    schema: view.wholeSchema,
    example: view.wholeExample,
    ...more,
  })

/** The goods of each part of a document: `number_` is the name of the part's number, in its table and in the response. */
export const partsField = (table: string, key: string, number_: string, meaning: string): CardField => ({
  json: array(
    object([
      [number_, integer('p.part')],
      ['date', text('p.date')],
      ['lines', `'[' || p.lines || ']'`],
    ]),
    `from (
       select h.${number_} as part, h.date, string_agg(${object([
         ['id', integer('i.id')],
         ['sku', text('i.sku')],
         ['name', text('i.name')],
         ['amount', number('h.amount')],
         ['unit', text('n.name')],
       ])}, ',' order by i.name_key, i.id) as lines
       from ${table} h
       join items i on i.company_id = :company_id and i.id = h.item_id
       join units n on n.company_id = :company_id and n.id = i.unit_id
       where h.company_id = :company_id and h.${key} = d.id group by h.${number_}, h.date) p`,
    'p.part',
  ),
  schema: z
    .array(
      z.object({
        [number_]: z.int().describe('Number of the part, from 1.'),
        date: z.string().describe('Its day.'),
        lines: z
          .array(
            z.object({
              id: z.int().describe('Id of the item.'),
              sku: z.string().describe('SKU.'),
              name: z.string().describe('Name.'),
              amount: z.number().describe('Quantity.'),
              unit: z.string().describe('Unit of measure.'),
            }),
          )
          .describe('Its goods.'),
      }),
    )
    .describe(meaning),
  example: [
    { [number_]: 1, date: '2026-03-14', lines: [{ id: 1, sku: 'TABLE-1', name: 'Oak table', amount: 1, unit: 'pcs' }] },
  ],
})
