// Lines of a document: reading them by the one rule with the exact texts of every check, and finding their items.

import {
  formatDecimal,
  type Money,
  maxMoney,
  maxQuantity,
  moneyPlaces,
  type Quantity,
  quantityPlaces,
  toMoney,
  worth,
} from '../kernel/decimal.ts'
import { array, capitalized, decimal, isObject, isPassed } from '../kernel/field.ts'
import type { Raw } from '../kernel/json.ts'
import { idsOf, type Named, readNamed, skusOf } from '../kernel/named.ts'
import { refuse } from '../kernel/refusal.ts'
import type { Items, LineKind } from '../stock/items.ts'

export const mostLines = 5_000

/** What a line of a document says beside its item: quantity and total, a quantity alone, or what was counted. */
export type LineShape = 'priced' | 'plain' | 'counted'

export type LineInput = {
  readonly kind: LineKind
  readonly named: Named
  /** How texts name the line's item: `SKU "A-1"` or `id 7`. */
  readonly label: string
  readonly amount: Quantity
  /** 0 where lines have none. */
  readonly total: Money
}

export type SentLines = {
  readonly products: readonly unknown[] | undefined
  readonly materials: readonly unknown[] | undefined
}

export const sentLines = (raw: Raw): SentLines => ({
  products: array(raw, 'products'),
  materials: array(raw, 'materials'),
})

/** Whether an edit replaces the lines: then the array that is not passed counts as empty. */
export const replacesLines = ({ products, materials }: SentLines): boolean =>
  products !== undefined || materials !== undefined

export function refuseLineCount({ products = [], materials = [] }: SentLines): void {
  const count = products.length + materials.length
  if (count === 0) refuse('No products or materials in input')
  if (count > mostLines) refuse(`Too many lines. Must be at most ${mostLines}`)
}

/** Checks the arrays at once; gives the lines, when their turn has come. `undefined` when an edit leaves them as they are. */
export function takeLines(raw: Raw, isNew: boolean, shape: LineShape): () => LineInput[] | undefined {
  const sent = sentLines(raw)
  const replaces = isNew || replacesLines(sent)
  if (replaces) refuseLineCount(sent)
  return () => (replaces ? linesOf(sent, shape) : undefined)
}

/** All product lines before the material lines, which is also the order they are kept in. */
export const linesOf = ({ products = [], materials = [] }: SentLines, shape: LineShape): LineInput[] => [
  ...readLines('product', products, shape),
  ...readLines('material', materials, shape),
]

/** `kindOf` is for lines that may hold another kind than their array is named after. */
export function readLines(
  kind: LineKind,
  lines: readonly unknown[],
  shape: LineShape,
  kindOf: (line: Raw, at: number) => LineKind = () => kind,
): LineInput[] {
  return lines.map((line, at) => {
    if (!isObject(line)) refuse(`Line ${at} of ${kind}s must be an object`)
    const { named, label } = readNamed(line) ?? refuse(`SKU or id not set for ${kind} ${at}`)
    const of = `for ${kind} with ${label}`
    if (shape === 'counted') return { kind, named, label, amount: countedOf(line, of), total: 0n }
    if (!isPassed(line, 'amount')) refuse(`Amount not set ${of}`)
    if (shape === 'priced' && !isPassed(line, 'total')) refuse(`Total not set ${of}`)
    const amount = decimal(line['amount'], quantityPlaces)
    if (amount === undefined || amount <= 0n) refuse(`Amount must be greater than 0 ${of}`)
    if (amount > maxQuantity) refuse(`Amount is too large ${of}`)
    return { kind: kindOf(line, at), named, label, amount, total: shape === 'priced' ? totalOf(line, of) : 0n }
  })
}

function totalOf(line: Raw, of: string): Money {
  const total = decimal(line['total'], moneyPlaces)
  if (total === undefined) refuse(`Total must be a number ${of}`)
  if (total > maxMoney || total < -maxMoney) refuse(`Total is too large ${of}`)
  return total
}

function countedOf(line: Raw, of: string): Quantity {
  const counted = decimal(line['counted'], quantityPlaces)
  if (counted === undefined || counted < 0n || counted > maxQuantity) refuse(`Counted must be 0 or greater ${of}`)
  return counted
}

/** What the facts must be asked for so that every line can be found. */
export function lookedUp(lines: readonly LineInput[]): {
  ids: number[]
  productSkus: string[]
  materialSkus: string[]
} {
  const named = (kind: LineKind): Named[] => lines.filter((line) => line.kind === kind).map((line) => line.named)
  return {
    ids: idsOf(lines.map((line) => line.named)),
    productSkus: skusOf(named('product')),
    materialSkus: skusOf(named('material')),
  }
}

/** A line whose item is there. */
export type DocumentLine = {
  readonly itemId: number
  readonly kind: LineKind
  readonly unitId: number
  readonly amount: Quantity
  readonly total: Money
  readonly cost: Money
}

/** The items that a document already holds. */
export const heldBy = (
  document: { readonly lines: readonly { readonly itemId: number }[] } | undefined,
): ReadonlySet<number> => new Set(document?.lines.map((line) => line.itemId))

/** `own` are the items that the document already holds: it may keep them when they are deleted. */
export function findLines(input: readonly LineInput[], items: Items, own: ReadonlySet<number>) {
  return input.map((line) => ({ line, item: items.find(line.kind, line.named, own) }))
}

/** Sales and purchases leave out what is unknown and tell it in the notes. Refuses when nothing is left. */
export function knownLines(
  input: readonly LineInput[],
  items: Items,
  own: ReadonlySet<number>,
): { readonly lines: DocumentLine[]; readonly skipped: string[] } {
  const lines: DocumentLine[] = []
  const skipped: string[] = []
  for (const { line, item } of findLines(input, items, own)) {
    if (item === undefined) skipped.push(skippedNote(line))
    else lines.push(newLine(line, item))
  }
  if (lines.length === 0) {
    const both = input.some((line) => line.kind === 'material')
    refuse(`All products${both ? ' and materials' : ''} have wrong SKU or id`)
  }
  return { lines, skipped }
}

/** Everywhere else an unknown item is an error. */
export const allLines = (input: readonly LineInput[], items: Items, own: ReadonlySet<number>): DocumentLine[] =>
  findLines(input, items, own).map(({ line, item }) =>
    item === undefined ? refuse(`${capitalized(line.kind)} with ${line.label} not found`) : newLine(line, item),
  )

/** A line's cost is fixed when the line is written: quantity × the average of the moment. */
function newLine({ kind, amount, total }: LineInput, item: NonNullable<ReturnType<Items['find']>>): DocumentLine {
  return { itemId: item.id, kind, unitId: item.unitId, amount, total, cost: toMoney(worth(amount, item.cost.average)) }
}

function skippedNote(line: LineInput): string {
  const amount = formatDecimal(line.amount, quantityPlaces)
  const total = formatDecimal(line.total, moneyPlaces)
  return `${capitalized(line.kind)} not found: ${line.label}, amount ${amount}, total ${total}`
}

export const withSkipped = (notes: string, skipped: readonly string[]): string =>
  [...(notes === '' ? [] : [notes]), ...skipped].join('\n')

/** Error texts of lines; `product` reads `material` for a material, and `SKU "<sku>"` reads `id <id>` when it was named so. */
export function lineRefusals(shape: LineShape, unknown: 'skipped' | 'refused'): readonly string[] {
  return [
    'Line <n> of products must be an object',
    'SKU or id not set for product <n>',
    ...(shape === 'counted'
      ? ['Counted must be 0 or greater for product with SKU "<sku>"']
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
  `Too many lines. Must be at most ${mostLines}`,
]
