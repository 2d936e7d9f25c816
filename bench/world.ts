// The size of the benchmark's data, and the formulas shared with bench/load.sql: which item is on which line.

export type World = {
  /** The database of the server; the copy for pgbench has the suffix `_bare`. */
  readonly database: string
  /** Companies over which requests are spread, each with `spreadSales` sales. */
  readonly spread: number
  readonly spreadSales: number
  /** Companies with long lists, by their number of sales, shortest first. */
  readonly long: readonly number[]
  readonly products: number
  readonly customers: number
  readonly days: number
}

export const fullWorld: World = {
  database: 'kontor_bench',
  spread: 200,
  spreadSales: 1_000,
  long: [10_000, 100_000, 1_000_000],
  products: 500,
  customers: 100,
  days: 400,
}

export const smallWorld: World = {
  ...fullWorld,
  database: 'kontor_bench_smoke',
  // Enough that eight connections rarely wait for the same company.
  spread: 64,
  long: [20_000],
}

/** Ids are consecutive, so that pgbench can draw one. */
export const firstSpread = 5_000_000_001
const firstLong = 6_000_000_001

export const spreadIds = (world: World): number[] => Array.from({ length: world.spread }, (_, at) => firstSpread + at)
export const longId = (world: World, sales: number): number => {
  const at = world.long.indexOf(sales)
  if (at === -1) throw new Error(`no company has ${sales} sales`)
  return firstLong + at
}

const primes = [7_919, 104_729, 1_299_709] as const

/** The items on the three lines of a loaded sale, as a pgbench formula over its id. */
export const lineFormulas = (world: World, sale: string): string[] => {
  const width = Math.floor(world.products / 3)
  return primes.map((prime, line) => `${1 + line * width} + (${sale} * ${prime}) % ${width}`)
}

/** The same, computed here. */
export const lineItems = (world: World, sale: number): number[] => {
  const width = Math.floor(world.products / 3)
  return primes.map((prime, line) => 1 + line * width + ((sale * prime) % width))
}

/** The ranges from which this many different items are drawn, one from each. */
export const itemRanges = (world: World, lines: number): [from: number, to: number][] => {
  const width = Math.floor(world.products / lines)
  return Array.from({ length: lines }, (_, at) => [1 + at * width, (at + 1) * width])
}

/** Every fourth sale was loaded with the status New. */
export const newSaleStep = 4
