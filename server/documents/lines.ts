// Lines of a document: parsing them with the exact error text of every check, and finding their items.
// Long because reading lines, finding their items and the exact error texts belong together.

import {
  type Money,
  maxMoney,
  maxQuantity,
  moneyPlaces,
  type Quantity,
  quantityPlaces,
  toMoney,
  type Value,
  valueAt,
  valuePlaces,
} from '../kernel/decimal.ts'
import { capitalized, decimal, isObject, isPassed, notBelowZero, tooMany, uncountedArray } from '../kernel/field.ts'
import type { Raw } from '../kernel/json.ts'
import { externalIdsOf, idsOf, type NamedLine, readNamedLine, skusOf } from '../kernel/named.ts'
import { refuse } from '../kernel/refusal.ts'
import type { Item, Items, LineKind } from '../stock/items.ts'

export const maxLines = 5_000

/** As much as a line may be worth. */
const maxUnitCost: Value = maxMoney * 10_000n

/** The values of a line besides its item: quantity and total, quantity only, or the counted quantity. */
export type LineShape = 'priced' | 'plain' | 'counted'

export type LineInput = {
  readonly kind: LineKind
  readonly named: NamedLine
  /** How error texts refer to the line's item: `SKU "A-1"`, `id 7` or `external id "17"`. */
  readonly label: string
  readonly amount: Quantity
  /** 0 for lines without a total. */
  readonly total: Money
  /** Index in the array of the request. */
  readonly at?: number
  /** Of an audit: the time of the count that the line was read with, as it was sent. */
  readonly countedAt?: unknown
  /** Of an audit: the cost of one unit of a surplus; null removes the one that the line had. */
  readonly unitCost?: Value | null
}

export type SentLines = {
  readonly products: readonly unknown[] | undefined
  readonly materials: readonly unknown[] | undefined
}

export const sentLines = (raw: Raw): SentLines => ({
  products: uncountedArray(raw, 'products'),
  materials: uncountedArray(raw, 'materials'),
})

/** Whether an edit replaces the lines; if only one array is passed, the other counts as empty. */
export const replacesLines = ({ products, materials }: SentLines): boolean =>
  products !== undefined || materials !== undefined

export function refuseLineCount({ products = [], materials = [] }: SentLines): void {
  const count = products.length + materials.length
  if (count === 0) refuse('No products or materials in input', { code: 'no_lines', field: 'products' })
  if (count > maxLines)
    refuse(tooMany('lines', maxLines), { code: 'too_many_lines', field: 'products', value: maxLines })
}

/** Checks the arrays, and returns a function that reads the lines later; it returns `undefined` when an edit keeps the lines. */
export function takeLines(raw: Raw, isNew: boolean, shape: LineShape): () => LineInput[] | undefined {
  const sent = sentLines(raw)
  const replaces = isNew || replacesLines(sent)
  if (replaces) refuseLineCount(sent)
  return () => (replaces ? linesOf(sent, shape) : undefined)
}

/** All product lines before the material lines, which is also the order in which they are stored. */
export const linesOf = ({ products = [], materials = [] }: SentLines, shape: LineShape): LineInput[] => [
  ...readLines('product', products, shape),
  ...readLines('material', materials, shape),
]

/** `kindOf` is for arrays whose lines can be of another kind than the name of the array. */
export function readLines(
  kind: LineKind,
  lines: readonly unknown[],
  shape: LineShape,
  kindOf: (line: Raw, at: number) => LineKind = () => kind,
): LineInput[] {
  return lines.map((line, at) => {
    const place = { field: `${kind}s`, line: at }
    if (!isObject(line)) refuse(`Line ${at} of ${kind}s must be an object`, { code: 'malformed', ...place })
    const { named, label } =
      readNamedLine(line) ?? refuse(`SKU or id not set for ${kind} ${at}`, { code: 'malformed', ...place })
    const of = `for ${kind} with ${label}`
    if (shape === 'counted')
      return {
        ...{ kind, named, label, amount: countedOf(line, of, place), total: 0n, at, countedAt: line['counted_at'] },
        ...unitCostOf(line, of, place),
      }
    if (!isPassed(line, 'amount')) refuse(`Amount not set ${of}`, { code: 'amount_not_positive', ...place })
    if (shape === 'priced' && !isPassed(line, 'total'))
      refuse(`Total not set ${of}`, { code: 'total_not_a_number', ...place })
    const amount = decimal(line['amount'], quantityPlaces)
    if (amount === undefined || amount <= 0n) {
      refuse(`Amount must be greater than 0 ${of}`, { code: 'amount_not_positive', ...place })
    }
    if (amount > maxQuantity) refuse(`Amount is too large ${of}`, { code: 'amount_too_large', ...place })
    return {
      kind: kindOf(line, at),
      named,
      label,
      amount,
      total: shape === 'priced' ? totalOf(line, of, place) : 0n,
      at,
    }
  })
}

type Place = { readonly field: string; readonly line: number }

function totalOf(line: Raw, of: string, place: Place): Money {
  const total = decimal(line['total'], moneyPlaces)
  if (total === undefined) refuse(`Total must be a number ${of}`, { code: 'total_not_a_number', ...place })
  if (total > maxMoney || total < -maxMoney) refuse(`Total is too large ${of}`, { code: 'total_too_large', ...place })
  return total
}

function countedOf(line: Raw, of: string, place: Place): Quantity {
  return (
    notBelowZero(line['counted'], quantityPlaces, maxQuantity) ??
    refuse(`Counted must be 0 or greater ${of}`, { code: 'count_below_zero', ...place })
  )
}

function unitCostOf(line: Raw, of: string, place: Place): { readonly unitCost?: Value | null } {
  if (!Object.hasOwn(line, 'unit_cost')) return {}
  if (!isPassed(line, 'unit_cost')) return { unitCost: null }
  const unitCost = notBelowZero(line['unit_cost'], valuePlaces, maxUnitCost)
  if (unitCost === undefined)
    refuse(`Unit cost must be a number, 0 or greater ${of}`, { code: 'unit_cost_not_a_number', ...place })
  return { unitCost }
}

/** Values for the facts of a document: the items named by its lines. */
export type NamedItemValues = {
  readonly item_ids: readonly number[]
  readonly product_skus: readonly string[]
  readonly material_skus: readonly string[]
  readonly product_external_ids: readonly string[]
  readonly material_external_ids: readonly string[]
}

export function namedItemValues(lines: readonly LineInput[]): NamedItemValues {
  const named = (kind: LineKind): NamedLine[] => lines.filter((line) => line.kind === kind).map((line) => line.named)
  return {
    item_ids: idsOf(lines.map((line) => line.named)),
    product_skus: skusOf(named('product')),
    material_skus: skusOf(named('material')),
    product_external_ids: externalIdsOf(named('product')),
    material_external_ids: externalIdsOf(named('material')),
  }
}

/** A line whose item was found. */
export type DocumentLine = {
  readonly itemId: number
  readonly kind: LineKind
  readonly unitId: number
  readonly amount: Quantity
  readonly total: Money
  readonly cost: Money
  /** The cost before it was rounded; absent where it is not known. */
  readonly exactCost?: Value
  /** How the request named its item; absent if it did not. */
  readonly label?: string
}

/** The items on the lines of a document. */
export const heldBy = (
  document: { readonly lines: readonly { readonly itemId: number }[] } | undefined,
): ReadonlySet<number> => new Set(document?.lines.map((line) => line.itemId))

/** `own` are the items already in the document, which it may keep when they are deleted. `allowsDeleted` allows other deleted items. */
export function findLines(
  input: readonly LineInput[],
  items: Items,
  own: ReadonlySet<number>,
  allowsDeleted?: (item: Item) => boolean,
) {
  return input.map((line) => ({ line, item: items.find(line.kind, line.named, own, allowsDeleted) }))
}

/** A line whose item is not found. `position` is its index in the request, materials after products. */
export type Skipped = { readonly position: number; readonly line: LineInput }

/** Sales and purchases skip lines with unknown items and list them in the notes. Refuses when no line remains. */
export function knownLines(
  input: readonly LineInput[],
  items: Items,
  own: ReadonlySet<number>,
): { readonly lines: DocumentLine[]; readonly skipped: Skipped[] } {
  const lines: DocumentLine[] = []
  const skipped: Skipped[] = []
  for (const [position, { line, item }] of findLines(input, items, own).entries()) {
    if (item === undefined) skipped.push({ position, line })
    else lines.push(newLine(line, item))
  }
  if (lines.length === 0) {
    const both = input.some((line) => line.kind === 'material')
    refuse(`All products${both ? ' and materials' : ''} have wrong SKU or id`, {
      code: 'items_not_found',
      field: 'products',
    })
  }
  return { lines, skipped }
}

/** For all other documents an unknown item is an error. `arrayOf` returns the request field of a line. */
export const allLines = (
  input: readonly LineInput[],
  items: Items,
  own: ReadonlySet<number>,
  allowsDeleted?: (item: Item) => boolean,
  arrayOf: (line: LineInput) => string = (line) => `${line.kind}s`,
): DocumentLine[] =>
  findLines(input, items, own, allowsDeleted).map(({ line, item }) =>
    item === undefined ? refuseUnknown(line, arrayOf(line)) : newLine(line, item),
  )

export function refuseUnknown({ kind, label, at = 0 }: LineInput, field = `${kind}s`): never {
  refuse(`${capitalized(kind)} with ${label} not found`, { code: 'item_not_found', field, line: at })
}

/** A line's cost is fixed when the line is written: quantity × the current average cost. */
function newLine(
  { kind, label, amount, total }: LineInput,
  item: NonNullable<ReturnType<Items['find']>>,
): DocumentLine {
  const exactCost = valueAt(amount, item.cost.average)
  return {
    itemId: item.id,
    kind,
    unitId: item.unitId,
    label,
    amount,
    total,
    cost: toMoney(exactCost),
    exactCost,
  }
}

/** Error texts of lines; for a material `product` is replaced by `material`, for an item named by id `SKU "<sku>"` by `id <id>`, by
 * external id by `external id "<id>"`. */
export function lineRefusals(shape: LineShape, unknown: 'skipped' | 'refused'): readonly string[] {
  return [
    'Line <n> of products must be an object',
    'SKU or id not set for product <n>',
    ...(shape === 'counted'
      ? [
          'Counted must be 0 or greater for product with SKU "<sku>"',
          'Unit cost must be a number, 0 or greater for product with SKU "<sku>"',
          'Amount is too large for product with SKU "<sku>"',
        ]
      : [
          'Amount not set for product with SKU "<sku>"',
          ...(shape === 'priced' ? ['Total not set for product with SKU "<sku>"'] : []),
          'Amount must be greater than 0 for product with SKU "<sku>"',
          'Amount is too large for product with SKU "<sku>"',
        ]),
    ...(shape === 'priced'
      ? ['Total must be a number for product with SKU "<sku>"', 'Total is too large for product with SKU "<sku>"']
      : []),
    ...(unknown === 'refused'
      ? ['Product with SKU "<sku>" not found']
      : ['All products have wrong SKU or id', 'All products and materials have wrong SKU or id']),
  ]
}

export const lineArrayRefusals: readonly string[] = [
  'Products is not an array',
  'Materials is not an array',
  'No products or materials in input',
  tooMany('lines', maxLines),
]
