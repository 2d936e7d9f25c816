// Values that differ from request to request, with the same name on both sides: drawn here for the server's requests, and by a pgbench
// formula for the bare side, from the same ranges.

import { itemRanges, lineFormulas, lineItems, newSaleStep, type World } from './world.ts'

export type Values = Readonly<Record<string, number | bigint>>

export type Variable = {
  readonly name: string
  /** The value in pgbench; `:other` refers to an earlier variable. */
  readonly formula: string
  readonly draw: (values: Values) => number | bigint
}

const between = (from: number, to: number): number => from + Math.floor(Math.random() * (to - from + 1))

const range = (name: string, from: number, to: number): Variable => ({
  name,
  formula: `random(${from}, ${to})`,
  draw: () => between(from, to),
})

export const drawn = (values: Values, name: string): number => {
  const value = values[name]
  if (value === undefined) throw new Error(`${name} has no value yet`)
  return Number(value)
}

export function drawAll(variables: readonly Variable[]): Values {
  const values: Record<string, number | bigint> = {}
  for (const { name, draw } of variables) values[name] = draw(values)
  return values
}

/** One of the companies from `first` to `last`. */
export const company = (first: number, last: number): Variable => range('company', first, last)

export const customer = (world: World): Variable => range('customer', 1, world.customers)

/** Seven digits, so that the sort key of the number is a number too: the count of digits, then the digits. */
export const saleNumber: readonly Variable[] = [
  range('num', 1_000_000, 9_999_999),
  { name: 'num_key', formula: ':num + 70000000', draw: (values) => drawn(values, 'num') + 70_000_000 },
]

const itemName = (line: number): string => `item_${line + 1}`

/** Different items for this many lines. */
export const items = (world: World, lines: number): Variable[] =>
  itemRanges(world, lines).map(([from, to], line) => range(itemName(line), from, to))

/** The items on the lines of the sale drawn before. */
export const itemsOfSale = (world: World): Variable[] =>
  lineFormulas(world, ':sale').map((formula, line) => ({
    name: itemName(line),
    formula,
    draw: (values) => lineItems(world, drawn(values, 'sale'))[line] ?? Number.NaN,
  }))

export const itemsDrawn = (values: Values): number[] =>
  Object.entries(values).flatMap(([name, value]) => (name.startsWith('item_') ? [Number(value)] : []))

/** A loaded sale of any status, or with the status New. */
export const anySale = (sales: number): Variable => range('sale', 1, sales)
export const newSale = (sales: number): readonly Variable[] => {
  const most = Math.floor(sales / newSaleStep)
  return [
    range('fourth', 1, most),
    {
      name: 'sale',
      formula: `:fourth * ${newSaleStep}`,
      draw: (values) => drawn(values, 'fourth') * newSaleStep,
    },
  ]
}

export const offset = (from: number, to: number): Variable => range('offset', from, to)

// Fifteen digits that never repeat; the sort key of the name is then 9015 and the digits. pgbench counts its iterations, see bare.ts.
let named = 0
export const newName: readonly Variable[] = [
  {
    name: 'customer_name',
    formula: ':fresh',
    draw: () => Math.trunc(Date.now() / 10_000) * 1_000_000 + (named++ % 1_000_000),
  },
  {
    name: 'name_key',
    formula: ':customer_name + 9015000000000000000',
    draw: (values) => BigInt(drawn(values, 'customer_name')) + 9_015_000_000_000_000_000n,
  },
]
