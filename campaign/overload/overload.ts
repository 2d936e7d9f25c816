// Overload: an open-loop generator at one, two, five and ten times the capacity of the service, a noisy company next to a quiet one, and
// stalled readers. Excess requests are refused, not counted, and do not slow down the others. The request log is complete, or shows its gaps.

import { post } from '../../server/test/harness/concurrent-calls.ts'
import { type LongList, loadSales } from '../../server/test/harness/many-sales.ts'
import type { Campaign, Options, Outcome } from '../campaign.ts'
import { type Service, withService } from '../scratch-service.ts'
import { favour, type Heard, load, type Stream } from './load.ts'
import { percentile } from './open-loop.ts'
import { blockedLog, logComplaints, servedOf, settledLog } from './request-log.ts'
import { makeShops, type Shop } from './shops.ts'
import { stalledReaders } from './stalled.ts'

const times = [1, 2, 5, 10] as const
const quietPerSecond = 40
/** The machine's speed varies by a third within minutes: compared figures are measured in turn, several times. */
const roundsOf = ({ short }: Options): number => (short ? 1 : 4)
/** A few seconds on a shared machine are an imprecise measurement: the short form has weaker bounds. */
const goals = {
  long: { goodput: 0.9, served: 0.999 },
  short: { goodput: 0.3, served: 0.9 },
}

/** A quiet company's p99 next to a flood, relative to that next to a company that sends just what can be served. */
const quietTimes = 1.5

async function run(options: Options): Promise<Outcome> {
  // One process, with the default configuration: it, PostgreSQL and the generator share the machine.
  return await withService({ servers: 1 }, async (service) => {
    const shops = await makeShops(options.short ? 8 : 20)
    await favourAll(service, shops)
    const found: string[] = []
    const counts: Record<string, number | string> = {}
    await tenfold(service, shops, options, counts, found)
    const blocked = await blockedLog(service, streamOf('all', shops, 200))
    counts['requests recorded as missing while the request log was locked'] = blocked.missing
    found.push(...blocked.found)
    await noisy(service, shops, options, counts, found)
    await stalled(service, shops, options, counts, found)
    return { counts, found }
  })
}

/** The server, and every backend of its database connections. */
async function favourAll(service: Service, shops: readonly Shop[]): Promise<void> {
  await load(urlsOf(service), [streamOf('all', shops, 100)], 2)
  const backends = await service.sql('select pid from pg_stat_activity where datname = current_database()')
  favour([...service.servers, ...backends].map(({ pid }) => pid))
}

const goalsOf = ({ short }: Options) => (short ? goals.short : goals.long)
const urlsOf = (service: Service): string[] => service.servers.map((server) => server.url)
const streamOf = (of: string, shops: readonly Shop[], perSecond: number): Stream => ({
  of,
  perSecond,
  requests: Array.from({ length: 10 }, (_, at) => shops.map((shop) => shop.bytes[at] as Buffer)).flat(),
})

/** Increases the offered load until the goodput no longer rises. */
async function capacityOf(service: Service, shops: readonly Shop[], { short }: Options): Promise<number> {
  let best = 0
  for (let perSecond = 200; ; perSecond = Math.ceil(perSecond * (short ? 2 : 1.3))) {
    const goodput = (await load(urlsOf(service), [streamOf('all', shops, perSecond)], short ? 1 : 4)).goodput()
    best = Math.max(best, goodput)
    if (goodput < perSecond * 0.9) return Math.round(best)
  }
}

async function tenfold(
  service: Service,
  shops: readonly Shop[],
  options: Options,
  counts: Record<string, number | string>,
  found: string[],
): Promise<void> {
  const capacity = await capacityOf(service, shops, options)
  options.say(`capacity about ${capacity} requests a second`)
  const heard = new Map<number, Heard[]>(times.map((factor) => [factor, []]))
  for (let round = 0; round < roundsOf(options); round++) {
    for (const factor of times) {
      const before = await used(service)
      const logBefore = await settledLog(service)
      const seconds = options.runs / roundsOf(options)
      const one = await load(urlsOf(service), [streamOf('all', shops, capacity * factor)], seconds)
      heard.get(factor)?.push(one)
      const label = `${factor} × capacity`
      found.push(...wrongWith(one, label, (await used(service)) - before))
      found.push(...(await logComplaints(service, logBefore, servedOf(one), label)))
      options.say(
        `${label}: ${Math.round(one.offered)} offered, ${Math.round(one.goodput())} good a second, ` +
          `p99 ${Math.round(one.percentileMs(99, 'all'))} ms, ${statuses(one)}, unsent ${one.unsent}, generator ${percent(one.generatorShare)} of a core`,
      )
    }
  }
  const goodput = (factor: number): number => middle((heard.get(factor) ?? []).map((one) => one.goodput()))
  for (const factor of times) counts[`good answers a second at ${factor} × capacity`] = Math.round(goodput(factor))
  const peak = Math.max(...times.map(goodput))
  const share = goodput(10) / peak
  counts['of the peak at ten times capacity'] = percent(share)
  counts['of a core taken by the generator then'] = percent(
    middle((heard.get(10) ?? []).map((one) => one.generatorShare)),
  )
  if (share < goalsOf(options).goodput)
    found.push(`at ten times capacity goodput is ${percent(share)} of the peak of ${Math.round(peak)} a second`)
}

const middle = (values: readonly number[]): number => percentile(values, 50)

/** Every request is served or refused as busy, in time; counted are those served, and those started and timed out: such a 503 contains the count. */
function wrongWith(heard: Heard, label: string, counted: number): string[] {
  const odd = [...heard.statuses.keys()].filter((status) => status !== 200 && status !== 503)
  const served = servedOf(heard)
  return [
    ...odd.map((status) => `${label}: ${heard.statuses.get(status)} answers of ${status}`),
    ...(heard.lost > 0 ? [`${label}: ${heard.lost} requests had no answer within 10 s`] : []),
    ...(counted === served ? [] : [`${label}: ${counted} requests were counted and ${served} were served or begun`]),
  ]
}

async function used({ sql }: Service): Promise<number> {
  return (await sql('select sum(used)::int as used from quotas'))[0].used
}

const statuses = (heard: Heard): string => [...heard.statuses].map(([status, n]) => `${status}: ${n}`).join(', ')
const percent = (share: number): string => `${Math.round(share * 100)} %`

/** A quiet company next to one that floods the service is still served, and about as fast. */
async function noisy(
  service: Service,
  shops: readonly Shop[],
  options: Options,
  counts: Record<string, number | string>,
  found: string[],
): Promise<void> {
  const [quietShop, loudShop] = [shops[0] as Shop, shops[1] as Shop]
  const quiet = streamOf('quiet', [quietShop], quietPerSecond)
  const loudCapacity = await capacityOf(service, [loudShop], options)
  const seconds = Math.max(3, options.runs / roundsOf(options))
  const beside = (factor: number) =>
    load(
      urlsOf(service),
      [quiet, ...(factor === 0 ? [] : [streamOf('loud', [loudShop], loudCapacity * factor)])],
      seconds,
    )
  // Without enough time for a comparison there is no measurement.
  const heard = new Map<number, Heard[]>((options.short ? [10] : [0, 0.5, 1, 10]).map((factor) => [factor, []]))
  for (let round = 0; round < roundsOf(options); round++)
    for (const [factor, list] of heard) list.push(await beside(factor))
  const served = middle((heard.get(10) ?? []).map((one) => one.goodput('quiet'))) / quietPerSecond
  counts['of the quiet company served meanwhile'] = percent(served)
  if (served < goalsOf(options).served)
    found.push(`beside a flood only ${percent(served)} of a quiet company's requests were served`)
  if (options.short) return
  // For each turn separately: a disk that stalls in one of them is unrelated to other companies.
  const p99 = (factor: number): number =>
    middle((heard.get(factor) ?? []).map((one) => percentile(one.settledMs('quiet'), 99)))
  const [p99Alone, p99Half, p99Busy, p99Flooded] = [p99(0), p99(0.5), p99(1), p99(10)]
  const shown = (ms: number): string => ms.toFixed(1)
  counts['p99 of a quiet company alone, ms'] = shown(p99Alone)
  counts['p99 beside a company at half of its capacity, ms'] = shown(p99Half)
  counts['p99 beside the same company at its capacity, ms'] = shown(p99Busy)
  counts['p99 beside the same company at ten times its capacity, ms'] = shown(p99Flooded)
  if (p99Flooded > p99Busy * quietTimes)
    found.push(
      `beside a flood a quiet company's p99 is ${shown(p99Flooded)} ms, beside a company at its capacity ${shown(p99Busy)} ms`,
    )
}

const endless: LongList = { sales: 60_000, days: 365, lastDay: '2024-12-31' }

async function stalled(
  service: Service,
  shops: readonly Shop[],
  options: Options,
  counts: Record<string, number | string>,
  found: string[],
): Promise<void> {
  const long = options.short ? { ...endless, sales: 30_000 } : endless
  const big = [await loadSales(long), await loadSales(long)]
  const [server, shop] = [service.servers[0], shops[0]]
  if (server === undefined || shop === undefined) throw new Error('nothing to stall')
  // Once, so that the process has allocated its initial memory.
  await post(server.url, shop.company.key, 'orders/get_list', {})
  const held = await stalledReaders(service, server, big, shop.company)
  counts['seconds until stalled readers were given up'] = held.heldSeconds.toFixed(1)
  counts['memory they took, MB'] = Math.max(0, Math.round(held.grewMb))
  found.push(...held.found)
}

export const overload: Campaign = {
  name: 'overload',
  about:
    'An open-loop generator at 1, 2, 5 and 10 times capacity (a run is a second of each): goodput stays at 90 % of the peak, refused requests are not counted and started ones are, every request has a response within 10 s, and the request log has every one that was counted, as a row or in a recorded gap; a quiet company next to a flooding one; stalled readers.',
  isMeasurement: true,
  short: { runs: 2 },
  long: { runs: 20 },
  run,
}
