// Figures as tables: the median of the rounds, their range, and the goal next to each figure.

import type { Measured, MeasuredList, Round } from './bench.ts'
import {
  againstGoals,
  busyGoal,
  costGoals,
  type Goal,
  growthGoals,
  leanGoal,
  listMemoryGoal,
  ratioGoals,
  verdict,
  wordsOf,
} from './goals.ts'
import type { ServedSlice } from './served.ts'

export type Growth = {
  readonly name: string
  readonly few: string
  readonly many: string
  readonly rounds: readonly { few: Round; many: Round }[]
}

export const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b)
  const half = Math.floor(sorted.length / 2)
  const [low = Number.NaN, high = Number.NaN] = [sorted[sorted.length % 2 === 0 ? half - 1 : half], sorted[half]]
  return (low + high) / 2
}

export const ratios = ({ rounds }: Measured): number[] =>
  rounds.map(({ served, bare }) => served.requestsPerSecond / bare.requestsPerSecond)

/** The share of the machine that was used by other processes. */
const others = (rounds: readonly { served: { foreign: number }; bare: { foreign: number } }[]): string =>
  `${Math.round(median(rounds.flatMap(({ served, bare }) => [served.foreign, bare.foreign])) * 100)} %`

const spread = (values: readonly number[]): string =>
  `${median(values).toFixed(2)} (${Math.min(...values).toFixed(2)} to ${Math.max(...values).toFixed(2)})`

const count = (value: number): string => (value < 10 ? value.toFixed(2) : Math.round(value).toLocaleString('en'))
const megabytes = (bytes: number): string => `${Math.round(bytes / 1024 / 1024)} MB`
const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [row(head), row(head.map(() => '---')), ...rows.map(row)].join('\n')

const goalCells = (goal: Goal | undefined, value: number): string[] => [
  goal === undefined ? '' : wordsOf(goal),
  verdict(goal, value),
]

const headline = ['scenario', 'requests/s', 'server µs', 'PostgreSQL µs', 'together µs']
const goalHead = ['goal', '']

/** Requests per second and processor time for each request come first: the ratio to the bare SQL also rises when the SQL becomes slower. */
export function scenarioTable(measured: readonly Measured[], list: MeasuredList | undefined): string {
  const head = [
    ...[...headline, ...goalHead, 'p50 ms', 'p99 ms', 'of lean', ...goalHead],
    ...['of bare (spread)', ...goalHead, 'bare PostgreSQL µs', 'memory', 'others'],
  ]
  const rows = measured.map((one) => {
    const served = (pick: (slice: ServedSlice) => number): number =>
      median(one.rounds.map((round) => pick(round.served)))
    const refused = one.rounds.reduce((sum, round) => sum + round.served.refused, 0)
    const lean = one.rounds.flatMap((round) =>
      round.lean === undefined ? [] : [round.served.requestsPerSecond / round.lean.requestsPerSecond],
    )
    const together = served(spent)
    return [
      `${one.title}${refused === 0 ? '' : ` (${refused} refused as busy)`}`,
      count(served((slice) => slice.requestsPerSecond)),
      count(served((slice) => slice.serverMicros)),
      count(served((slice) => slice.postgresMicros)),
      count(together),
      ...goalCells(costGoals[one.scenario], together),
      served((slice) => slice.p50Ms).toFixed(1),
      served((slice) => slice.p99Ms).toFixed(1),
      ...(lean.length === 0 ? ['', '', ''] : [spread(lean), ...goalCells(leanGoal, median(lean))]),
      spread(ratios(one)),
      ...goalCells(ratioGoals[one.scenario], median(ratios(one))),
      count(median(one.rounds.map((round) => round.bare.postgresMicros))),
      megabytes(one.peakBytes),
      others(one.rounds),
    ]
  })
  return table(head, [...rows, ...(list === undefined ? [] : [listRow(list)])])
}

/** Processor time of the server and of PostgreSQL for one request. */
const spent = (slice: { serverMicros: number; postgresMicros: number }): number =>
  slice.serverMicros + slice.postgresMicros

/** A round of two commits. */
export type Pair = { readonly earlier: ServedSlice; readonly later: ServedSlice }
export type Compared = { readonly scenario: string; readonly title: string; readonly rounds: readonly Pair[] }

/** Two commits in turn. The ratios are medians over the rounds, not ratios of the medians. */
export function againstTable(commit: string, compared: readonly Compared[]): string {
  const rows = compared.map(({ scenario, title, rounds }) => {
    const ratio = (pick: (slice: ServedSlice) => number): number[] =>
      rounds.map(({ earlier, later }) => pick(later) / pick(earlier))
    const both = (pick: (slice: ServedSlice) => number): string =>
      `${count(median(rounds.map((pair) => pick(pair.earlier))))} → ${count(median(rounds.map((pair) => pick(pair.later))))}`
    const cost = (pick: (slice: ServedSlice) => number): string => `${both(pick)} (${median(ratio(pick)).toFixed(2)})`
    const rate = ratio((slice) => slice.requestsPerSecond)
    return [
      title,
      both((slice) => slice.requestsPerSecond),
      spread(rate),
      ...goalCells(againstGoals[scenario], median(rate)),
      cost((slice) => slice.serverMicros),
      cost((slice) => slice.postgresMicros),
      cost(spent),
    ]
  })
  const [scenario = '', ...figures] = headline
  return table(
    [
      scenario,
      `requests/s: ${commit} → now`,
      'times (spread)',
      ...goalHead,
      ...figures.slice(1).map((name) => `${name} (times)`),
    ],
    rows,
  )
}

export const listRatios = ({ rounds }: MeasuredList): number[] =>
  rounds.map(({ served, bare }) => bare.seconds / served.seconds)

function listRow(list: MeasuredList): string[] {
  const served = (pick: (slice: MeasuredList['rounds'][number]['served']) => number): number =>
    median(list.rounds.map((round) => pick(round.served)))
  const ratio = listRatios(list)
  const rate = served((slice) => slice.bytes / slice.seconds) / 1_000_000
  const memory = `${megabytes(list.peakBytes)} (${wordsOf({ most: 150 })} MB: ${verdict(listMemoryGoal, list.peakBytes)})`
  return [
    `${list.title} (${rate.toFixed(0)} MB/s)`,
    (1 / served((slice) => slice.seconds)).toFixed(3),
    count(served((slice) => slice.serverMicros)),
    count(served((slice) => slice.postgresMicros)),
    count(served(spent)),
    ...['', '', count(served((slice) => slice.seconds) * 1000), '', '', '', ''],
    spread(ratio),
    ...goalCells(ratioGoals['all'], median(ratio)),
    count(median(list.rounds.map((round) => round.bare.postgresMicros))),
    memory,
    others(list.rounds),
  ]
}

/** One company compared with many: rates of the same number of clients. */
export function busyTable(measured: readonly Measured[]): string {
  const of = (name: string): Measured | undefined => measured.find(({ scenario }) => scenario === name)
  const pairs = [
    ['add, 16 clients', of('busy'), of('add-16')],
    ['get_entry, 16 clients', of('busy-read'), of('entry-16')],
  ] as const
  const rows = pairs.flatMap(([title, one, many]) => {
    if (one === undefined || many === undefined) return []
    const rate = (measured: Measured, side: 'served' | 'bare'): number =>
      median(measured.rounds.map((round) => round[side].requestsPerSecond))
    const served = rate(one, 'served') / rate(many, 'served')
    return [
      [
        title,
        count(rate(one, 'served')),
        count(rate(many, 'served')),
        served.toFixed(2),
        ...goalCells(busyGoal, served),
        (rate(one, 'bare') / rate(many, 'bare')).toFixed(2),
      ],
    ]
  })
  return rows.length === 0
    ? ''
    : table(['', 'one company, requests/s', 'many companies, requests/s', 'ratio', 'goal', '', 'bare ratio'], rows)
}

/** Times of a request, one at a time, in a company with few and in one with many sales. */
export function growthTable(growth: readonly Growth[]): string {
  const rows = growth.map(({ name, few, many, rounds }) => {
    const time = (round: Round, side: 'served' | 'bare'): number => 1000 / round[side].requestsPerSecond
    const times = rounds.map((round) => time(round.many, 'served') / time(round.few, 'served'))
    const bare = rounds.map((round) => time(round.many, 'bare') / time(round.few, 'bare'))
    return [
      name,
      `${median(rounds.map((round) => time(round.few, 'served'))).toFixed(2)} ms at ${few}`,
      `${median(rounds.map((round) => time(round.many, 'served'))).toFixed(2)} ms at ${many}`,
      spread(times),
      ...goalCells(growthGoals[name], median(times)),
      spread(bare),
    ]
  })
  return table(['request', 'few sales', 'many sales', 'times (spread)', 'goal', '', 'bare times (spread)'], rows)
}
