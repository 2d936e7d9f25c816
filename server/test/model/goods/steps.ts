// Random sequences over all documents, upserts of two connections, dry runs and readers of the feed. Records are drawn as indexes into those
// that exist when the step runs.

import fc, { type Arbitrary } from 'fast-check'
import type { Section } from './state.ts'

export type DrawnLine = {
  readonly item: number
  readonly amount: number
  readonly total: number
  /** Of an audit: the cost of one unit of a surplus, in millionths. */
  readonly unitCost?: number | undefined
}

/** `no`: a real request. `only`: a dry run. `first`: a dry run, then the real request, which must have the same response. */
export type Dry = 'no' | 'only' | 'first'

export type AddStep = {
  readonly add: Section
  readonly lines: readonly DrawnLine[]
  readonly status: number
  readonly date: number
  readonly reached: number
  readonly storages: readonly [number, number]
  readonly charges: readonly [delivery: number, discount: number]
  /** The number, or 0 for an automatic one. */
  readonly num: number
  readonly bySku: boolean
}
export type UpsertRecord = {
  readonly external: string | undefined
  readonly sku: string | undefined
  readonly name: string
}
export type UpsertStep = {
  readonly upsert: 'products' | 'materials'
  readonly records: readonly UpsertRecord[]
}
export type Act =
  | AddStep
  | { readonly status: number; readonly of: number; readonly date: number }
  | { readonly remove: number }
  | { readonly recount: number; readonly counts: readonly number[] }
  | UpsertStep
  /** Whether an item could be deleted: always a dry run. */
  | { readonly deletable: number }
export type Step =
  | { readonly act: Act; readonly by: 0 | 1; readonly dry: Dry }
  | { readonly read: 0 | 1; readonly limit: number }

export const firstDay = '2024-01-01'
export const dayAt = (days: number): string =>
  new Date(Date.parse(`${firstDay}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10)
export const allDays = 400

/** All in whole thousandths or cents. */
const amount = fc.constantFrom(1_000, 2_000, 3_000, 5_000, 7_000, 10_000, 500, 333)
const total = fc.constantFrom(100, 1_000, 999, 3_333, 10_000, 1, 0, -100, -999, -9_900)
const day = fc.nat({ max: allDays - 1 })

const unitCost = fc.constantFrom(undefined, undefined, undefined, 2_500_000, 1_000_000, 3_333_333, 0)
const line = fc.record({ item: fc.nat({ max: 20 }), amount, total, unitCost })
const lines = fc.uniqueArray(line, { minLength: 1, maxLength: 4, selector: ({ item }) => item % 5 })

const addOf = (section: Section, statuses: readonly number[]): Arbitrary<AddStep> =>
  fc.record({
    add: fc.constant(section),
    lines,
    status: fc.constantFrom(...statuses),
    date: day,
    reached: day,
    storages: fc.constantFrom<[number, number]>([0, 1], [1, 0], [0, 2], [2, 1]),
    charges: fc.tuple(fc.constantFrom(0, 0, 2_000, 1), fc.constantFrom(0, 0, 500, 10_000)),
    num: fc.constantFrom(0, 0, 0, 1, 2, 3, 5),
    bySku: fc.boolean(),
  })

const external = fc.option(fc.constantFrom('G-0', 'G-1', 'G-2', 'N-0', 'N-1'), { nil: undefined, freq: 4 })
const sku = fc.option(fc.constantFrom('S-0', 'S-1', 'S-2', 'S-3', 'S-4', 'S-5'), { nil: undefined, freq: 3 })
const record = fc.record({ external, sku, name: fc.constantFrom('Some item', 'Another item') })
const upsert = fc.record({
  upsert: fc.constantFrom('products' as const, 'materials' as const),
  records: fc.array(record, { minLength: 1, maxLength: 4 }),
})

const weighted = <T>(...choices: [weight: number, arbitrary: Arbitrary<T>][]): Arbitrary<T> =>
  fc.oneof(...choices.map(([weight, arbitrary]) => ({ weight, arbitrary })))

const added = weighted<AddStep>(
  [6, addOf('purchases', [3, 3, 3, 0, 1])],
  [2, addOf('productions', [0, 3])],
  [2, addOf('writeoffs', [3])],
  [4, addOf('transfers', [1, 1, 3, 0])],
  [3, addOf('audits', [0, 0, 3])],
  [4, addOf('orders', [0])],
)
const act = weighted<Act>(
  [12, added],
  [10, fc.record({ status: fc.constantFrom(0, 1, 3, 3, 4), of: fc.nat({ max: 40 }), date: day })],
  [3, fc.record({ remove: fc.nat({ max: 40 }) })],
  [
    3,
    fc.record({
      recount: fc.nat({ max: 10 }),
      counts: fc.array(fc.constantFrom(-1, -1, 0, 2_000, 10_000), { minLength: 4, maxLength: 4 }),
    }),
  ],
  [5, upsert],
  [2, fc.record({ deletable: fc.nat({ max: 20 }) })],
)
const connection = fc.constantFrom<0 | 1>(0, 1)
const step = weighted<Step>(
  [9, fc.record({ act, by: connection, dry: fc.constantFrom<Dry>('no', 'no', 'no', 'no', 'only', 'first') })],
  [1, fc.record({ read: connection, limit: fc.constantFrom(1, 3, 1000) })],
)

export const sequenceOf = (most: number): Arbitrary<readonly Step[]> =>
  fc.array(step, { minLength: Math.ceil(most / 2), maxLength: most, size: 'max' })

/** Goods come, are made, sold and written off, and nothing is ever undone or sold that is not there. */
export const onlyForward: Arbitrary<readonly AddStep[]> = fc.array(
  weighted<AddStep>(
    [
      4,
      addOf('purchases', [3]).map((one) => ({ ...one, lines: one.lines.map(positive), charges: [one.charges[0], 0] })),
    ],
    [2, addOf('productions', [3])],
    [2, addOf('writeoffs', [3])],
    [2, addOf('orders', [0])],
  ),
  { minLength: 15, maxLength: 30, size: 'max' },
)
const positive = (one: DrawnLine): DrawnLine => ({ ...one, total: Math.abs(one.total) + 1 })
