// Imports of stock: each portion of rows is a completed stocktake, created by audits/add with all of its rules.

import { auditMethods } from '../../audits/methods.ts'
import { formatDecimal, type Quantity, quantityFrom, quantityPlaces } from '../../kernel/decimal.ts'
import { auditStatus } from '../../kernel/document-statuses.ts'
import type { Raw } from '../../kernel/json.ts'
import type { WriteMethod } from '../../kernel/method.ts'
import { Refusal, refuse } from '../../kernel/refusal.ts'
import type { Statement } from '../../kernel/statement.ts'
import { type ItemFacts, Items } from '../../stock/items.ts'
import type { ImportRow, RowFields } from './row.ts'
import type { CountOptions, ImportSection, Outcome, RowRefusal } from './section.ts'

type CountFacts = ItemFacts & { readonly levels: readonly (readonly [itemId: number, onHand: string])[] }
type Kind = 'product' | 'material'
type CountedRow = { readonly kind: Kind; readonly itemId: number; readonly line: Raw; readonly after: string }

const add = auditMethods.find(({ path }) => path === 'audits/add') as WriteMethod

const shown = (quantity: Quantity): string => formatDecimal(quantity, quantityPlaces)

const documentOf = (options: CountOptions, products: readonly Raw[], materials: readonly Raw[]): Raw => ({
  storage_id: options.storageId,
  status: auditStatus.completed,
  ...(options.countedOn === null ? {} : { date: options.countedOn }),
  products,
  materials,
})

/** Only to look up items: of either kind unless the row says which. */
function lookUp(rows: readonly ImportRow[], options: CountOptions): unknown {
  const lines = (kind: Kind): Raw[] =>
    rows.flatMap(({ fields: { sku = '', type } }) =>
      sku === '' || sku.length > 255 || (type !== undefined && type !== kind) ? [] : [{ sku, counted: 0 }],
    )
  const [products, materials] = [lines('product'), lines('material')]
  const nothing = products.length + materials.length === 0
  return add.input.read(documentOf(options, nothing ? [{ sku: '-', counted: 0 }] : products, materials))
}

function itemOf(items: Items, { sku = '', type }: RowFields): { readonly kind: Kind; readonly id: number } {
  if (sku === '') refuse('No sku in input', { code: 'required', field: 'sku' })
  const kinds = (['product', 'material'] as const).filter((kind) => type === undefined || type === kind)
  const found = kinds.flatMap((kind) => {
    const item = items.find(kind, { sku }, new Set())
    return item === undefined ? [] : [{ kind, id: item.id }]
  })
  if (found.length > 1)
    refuse(`SKU "${sku}" is that of a material and of a product`, { code: 'malformed', field: 'sku', value: sku })
  return found[0] ?? refuse(`Item with SKU "${sku}" not found`, { code: 'item_not_found', field: 'sku', value: sku })
}

const fieldOfCode: Readonly<Record<string, string>> = {
  count_below_zero: 'counted',
  unit_cost_not_a_number: 'unit_cost',
}

function countedRow(items: Items, options: CountOptions, { fields }: ImportRow): CountedRow | RowRefusal {
  try {
    const { kind, id } = itemOf(items, fields)
    const cost = (fields.unit_cost ?? '') === '' ? {} : { unit_cost: fields.unit_cost }
    const line = { sku: fields.sku, counted: fields.counted, ...cost }
    const own = [line]
    const input = add.input.read(kind === 'product' ? documentOf(options, own, []) : documentOf(options, [], own)) as {
      readonly given: { readonly lines: readonly { readonly amount: bigint }[] }
    }
    return { kind, itemId: id, line, after: shown(input.given.lines[0]?.amount ?? 0n) }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const { line: _line, ...detail } = error.detail
    return { error: error.message, ...detail, field: fieldOfCode[detail.code ?? ''] ?? 'sku' }
  }
}

export const countSection: ImportSection = {
  facts: (rows, options, context) => add.facts(lookUp(rows, options), context) as Statement as Statement<object>,
  plan: (rows, options, facts, transaction) => {
    const found = facts as unknown as CountFacts
    const items = new Items(found)
    const levels = new Map(found.levels.map(([id, onHand]) => [id, shown(quantityFrom(onHand))]))
    const seen = new Set<number>()
    const read = rows.map((row): CountedRow | RowRefusal => {
      const one = countedRow(items, options, row)
      if (!('itemId' in one)) return one
      if (seen.has(one.itemId))
        return { error: 'Another row counts the same item', code: 'counted_twice', field: 'sku' }
      seen.add(one.itemId)
      return one
    })
    const onHand = (itemId: number): string => levels.get(itemId) ?? shown(0n)
    const changed = read.flatMap((one) => ('itemId' in one && onHand(one.itemId) !== one.after ? [one] : []))
    const ofKind = (kind: Kind): Raw[] => changed.filter((one) => one.kind === kind).map(({ line }) => line)
    const document = documentOf(options, ofKind('product'), ofKind('material'))
    // Read for its refusals also when nothing is counted: the storage location may not exist.
    const plan = changed.length === 0 ? undefined : add.plan(add.input.read(document), facts, transaction)
    const recordId = transaction.ids.last('audit_id')
    const outcomes = read.map((one): Outcome => {
      if (!('itemId' in one)) return { state: 'refused', refusal: one }
      const before = onHand(one.itemId)
      if (before === one.after) return { state: 'unchanged' }
      return { state: 'change', record: 'audit', recordId, changes: { counted: [before, one.after] }, event: 0 }
    })
    return {
      outcomes,
      write: (own) => {
        const written = plan === undefined ? undefined : add.write(plan, own)
        if (written === undefined) return { statements: [], events: [] }
        const related = written.related ?? []
        return { statements: written.statements, events: [...related, { ...written.event, action: 'created' }] }
      },
    }
  },
}
