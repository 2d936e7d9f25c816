// Shipping a sale, all that is left of it or some goods, with a tracking number.

import { z } from 'zod'
import { amountSchema, idSchema } from '../../documents/fields.ts'
import { type LineInput, maxLines } from '../../documents/lines.ts'
import { partRefusals, readPartLines } from '../../documents/part-input.ts'
import { isDone, leftOf, type Tracking, type Wanted, withPart } from '../../documents/parts.ts'
import type { Quantity } from '../../kernel/decimal.ts'
import { array, date, integer, nameLength, passed, text, textRefusals } from '../../kernel/field.ts'
import type { Raw } from '../../kernel/json.ts'
import { named, write } from '../../kernel/method.ts'
import { type NamedLine, readNamedLine } from '../../kernel/named.ts'
import { refuse } from '../../kernel/refusal.ts'
import { readVersion, versionRefusal, versionSchema } from '../../platform/lists/external-ids.ts'
import { Items } from '../../stock/items.ts'
import { readSaleKey, saleKeyRefusals, saleKeySchema } from '../input.ts'
import { planSale } from '../plan.ts'
import { afterShipment, type Sale, shippingTerms } from '../sale.ts'
import { changedRefusal, factsForEdit, findSaleByKey, identityOfSale, loadPresent, writtenSale } from '../store.ts'

/** What a line ships: an item, or that of the line with this position in the sale. */
type Shipped = NamedLine | { readonly position: number }
type ShippedLine = { readonly item: Shipped; readonly amount: Quantity }

const itemNotSet = (at: number | '<n>'): string => `Id, sku, external_id or position not set for line ${at}`

function readItem(raw: Raw, at: number): Shipped {
  const item = readNamedLine(raw)?.named
  if (item !== undefined) return item
  const position = passed(raw, 'position')
  return position === undefined
    ? refuse(itemNotSet(at), { code: 'malformed', field: 'lines', line: at })
    : { position: integer(position) ?? -1 }
}

function readTracking(raw: Raw): Tracking | undefined {
  const number = text(raw, 'tracking_number', { max: nameLength, trim: true }) ?? ''
  const carrier = text(raw, 'carrier', { max: nameLength, trim: true }) ?? ''
  return number === '' && carrier === '' ? undefined : { number, carrier }
}

/** The items to look up. A code does not tell whether it is that of a product or of a material. Ids are those of items in the sale, or none. */
const lookedUp = (lines: readonly ShippedLine[] = []): LineInput[] =>
  lines.flatMap(({ item }) =>
    'position' in item || 'id' in item
      ? []
      : (['product', 'material'] as const).map((kind) => ({ kind, named: item, label: '', amount: 0n, total: 0n })),
  )

/** The goods of a new shipment. An item that is not found has the id 0. */
function goodsOf(lines: readonly ShippedLine[] | undefined, sale: Sale, items: Items): Wanted[] {
  if (lines === undefined)
    return [...leftOf(sale.lines, sale.shipments)].map(([itemId, amount]) => ({ itemId, amount }))
  const own = new Set(sale.lines.map((line) => line.itemId))
  const idOf = (item: Shipped): number => {
    if ('position' in item) return sale.lines[item.position]?.itemId ?? 0
    if ('id' in item) return item.id
    const found = (['product', 'material'] as const).map((kind) => items.find(kind, item, own)?.id ?? 0)
    return found.find((id) => own.has(id)) ?? 0
  }
  return lines.map(({ item, amount }) => ({ itemId: idOf(item), amount }))
}

const lineSchema = named(
  'LineToShip',
  z.object({
    id: idSchema.optional().describe('Id of the product or material.'),
    sku: z.string().optional().describe('Its SKU; of a product also an alternative one.'),
    external_id: z.string().optional().describe('Its id in your system.'),
    position: z.int().optional().describe('Position of its line in the sale.'),
    amount: amountSchema.describe('Quantity.'),
  }),
)

export const ship = write({
  path: 'orders/ship',
  role: 'worker',
  summary: 'Ship a sale, or part of it.',
  notes: [
    'Without `lines` everything that is left is shipped. The goods leave stock on the date of the shipment; what is left stays reserved.',
    'The sale becomes Partially shipped or, when nothing is left, Shipped; then a passed `date` becomes its `date_shipped`.',
    'A line names its item by `id`, `sku` or `external_id`, as in `orders/add`, or by the `position` of its line; the first of them that is passed counts. Lines of `orders/get_entry` can be sent as they were read. Quantities are counted by item: what is left of an item is that of all its lines together.',
    'A shipped or canceled sale is refused, so that a second request ships nothing twice. With an `Idempotency-Key` a repeated request gets the first response.',
    'The shipments of a sale are returned by `orders/get_entry` and `orders/get_list` with `include: ["shipments"]`. Changing the status to New, Packed or Canceled undoes all of them.',
  ],
  input: {
    schema: z.object({
      ...saleKeySchema,
      date: z.string().optional().describe('Day of the shipment, `YYYY-MM-DD`. Default: today.'),
      tracking_number: z.string().optional().describe('Tracking number of the shipment.'),
      carrier: z.string().optional().describe('Carrier of the shipment.'),
      lines: z
        .array(lineSchema)
        .max(maxLines)
        .optional()
        .describe('The goods of this shipment. Default: everything that is left.'),
      ...versionSchema,
    }),
    read: (raw) => {
      const key = readSaleKey(raw)
      const day = date(raw, 'date')
      const sent = array(raw, 'lines', maxLines)
      const lines = sent === undefined ? undefined : readPartLines(shippingTerms, sent, readItem)
      return { ...key, date: day, lines, tracking: readTracking(raw), version: readVersion(raw) }
    },
  },
  output: z.object({
    shipment: z.int().describe('Number of the new shipment in the sale.'),
    status: z.int().describe('Status of the sale: 2, or 3 when nothing is left.'),
  }),
  refusals: [...partRefusals(shippingTerms, itemNotSet('<n>')), ...textRefusals, versionRefusal, ...saleKeyRefusals],
  conflicts: [changedRefusal],
  example: {
    request: {
      order_id: 1,
      lines: [{ position: 0, amount: 1 }],
      tracking_number: '00340434161094042557',
      carrier: 'DHL',
    },
    response: { success: true, shipment: 1, status: 2 },
  },
  find: findSaleByKey,
  facts: (input, context) => factsForEdit(context, input.id, { lines: lookedUp(input.lines) }),
  moreFacts: ({ id, version }, context) => identityOfSale(context, id, { version }),
  plan: (input, facts, transaction) => {
    const present = loadPresent(facts, input.version)
    const { document: sale } = present
    const items = new Items(facts)
    const day = input.date ?? facts.company.today
    const made = { date: day, ...(input.tracking === undefined ? {} : { tracking: input.tracking }) }
    const shipments = withPart(shippingTerms, sale, sale.shipments, goodsOf(input.lines, sale, items), made, items)
    const shipment = shipments.at(-1)?.part
    // Everything was shipped before: an edit has taken what was left out of the sale.
    if (shipment === undefined || shipments.length === sale.shipments.length)
      refuse(isDone(shippingTerms), { code: 'document_done' })
    const after = afterShipment({ ...sale, shipments }, input.date, day)
    return { change: planSale(present, after, items, transaction), shipment }
  },
  write: ({ change }, transaction) => writtenSale(change, transaction),
  response: ({ change, shipment }) => ({ shipment, status: change.after?.status }),
})
