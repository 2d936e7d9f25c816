// Overload: an open-loop generator at one, two, five and ten times what the service can do, a noisy company beside a quiet one, and readers
// that stall. What is too much is refused at once, not counted, and takes nothing from what is served.

import { post } from '../../crowd.ts'
import { type LongList, loadSales } from '../../many-sales.ts'
import type { Campaign, Options, Outcome } from '../campaign.ts'
import { type Service, withService } from '../scratch-service.ts'
import { favour, type Heard, load, type Stream } from './load.ts'
import { makeShops, type Shop } from './shops.ts'
import { stalledReaders } from './stalled.ts'

const times = [1, 2, 5, 10] as const
const quietPerSecond = 40
/** A few seconds on a machine that does other things at the same time measure little: the short form asks for less. */
const goals = {
  long: { goodput: 0.9, quiet: 1.5 },
  short: { goodput: 0.3, quiet: Number.POSITIVE_INFINITY },
}

async function run(options: Options): Promise<Outcome> {
  // One process, as it is set up when nobody says otherwise: it, PostgreSQL and the generator share the machine.
  return await withService({ servers: 1 }, async (service) => {
    const shops = await makeShops(options.short ? 8 : 20)
    await favourAll(service, shops)
    const found: string[] = []
    const counts: Record<string, number | string> = {}
    await tenfold(service, shops, options, counts, found)
    await noisy(service, shops, options, counts, found)
    await stalled(service, shops, options, counts, found)
    return { counts, found }
  })
}

/** The server, and every connection of the database that it holds. */
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

/** Goodput rises with what is offered until it no longer does. */
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
  const heard: Heard[] = []
  for (const factor of times) {
    const before = await used(service)
    const one = await load(urlsOf(service), [streamOf('all', shops, capacity * factor)], options.runs)
    heard.push(one)
    const told = `${factor} × capacity`
    found.push(...wrongWith(one, told, (await used(service)) - before))
    options.say(
      `${told}: ${Math.round(one.offered)} offered, ${Math.round(one.goodput())} good a second, ` +
        `p99 ${Math.round(one.percentileMs(99, 'all'))} ms, ${statuses(one)}, unsent ${one.unsent}, generator ${percent(one.generatorShare)} of a core`,
    )
    counts[`good answers a second at ${told}`] = Math.round(one.goodput())
  }
  const peak = Math.max(capacity, ...heard.map((one) => one.goodput()))
  const last = heard.at(-1) as Heard
  const share = last.goodput() / peak
  counts['of the peak at ten times capacity'] = percent(share)
  counts['of a core taken by the generator then'] = percent(last.generatorShare)
  if (share < goalsOf(options).goodput)
    found.push(`at ten times capacity goodput is ${percent(share)} of the peak of ${Math.round(peak)} a second`)
}

/** Only served or refused as busy; each answer in time; exactly what was served is counted. */
function wrongWith(heard: Heard, told: string, counted: number): string[] {
  const odd = [...heard.statuses.keys()].filter((status) => status !== 200 && status !== 503)
  const served = heard.answered - (heard.statuses.get(503) ?? 0)
  return [
    ...odd.map((status) => `${told}: ${heard.statuses.get(status)} answers of ${status}`),
    ...(heard.lost > 0 ? [`${told}: ${heard.lost} requests had no answer within 10 s`] : []),
    ...(counted === served ? [] : [`${told}: ${counted} requests were counted and ${served} were served`]),
  ]
}

async function used({ sql }: Service): Promise<number> {
  return (await sql('select sum(used)::int as used from quotas'))[0].used
}

const statuses = (heard: Heard): string => [...heard.statuses].map(([status, n]) => `${status}: ${n}`).join(', ')
const percent = (share: number): string => `${Math.round(share * 100)} %`

/** A quiet company's answers take no longer beside a company that floods the service than beside one that is merely busy. */
async function noisy(
  service: Service,
  shops: readonly Shop[],
  options: Options,
  counts: Record<string, number | string>,
  found: string[],
): Promise<void> {
  const [quietShop, loudShop] = [shops[0] as Shop, shops[1] as Shop]
  const quiet = streamOf('quiet', [quietShop], quietPerSecond)
  const seconds = Math.max(3, options.runs)
  const alone = await load(urlsOf(service), [quiet], seconds)
  const loudCapacity = await capacityOf(service, [loudShop], options)
  const beside = (factor: number) =>
    load(urlsOf(service), [quiet, streamOf('loud', [loudShop], loudCapacity * factor)], seconds)
  const [busy, flooded] = [await beside(0.5), await beside(10)]
  const [p99Alone, p99Busy, p99Flooded] = [alone, busy, flooded].map((one) => one.percentileMs(99, 'quiet')) as [
    number,
    number,
    number,
  ]
  const shown = (ms: number): string => ms.toFixed(1)
  counts['p99 of a quiet company alone, ms'] = shown(p99Alone)
  counts['p99 beside a company at half of its capacity, ms'] = shown(p99Busy)
  counts['p99 beside the same company at ten times its capacity, ms'] = shown(p99Flooded)
  const served = flooded.goodput('quiet') / quietPerSecond
  counts['of the quiet company served meanwhile'] = percent(served)
  if (served < 0.999) found.push(`beside a flood only ${percent(served)} of a quiet company's requests were served`)
  if (p99Flooded > p99Busy * goalsOf(options).quiet)
    found.push(
      `beside a flood a quiet company's p99 is ${shown(p99Flooded)} ms, beside a busy company ${shown(p99Busy)} ms`,
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
  const big = await loadSales(options.short ? { ...endless, sales: 30_000 } : endless)
  const [server, shop] = [service.servers[0], shops[0]]
  if (server === undefined || shop === undefined) throw new Error('nothing to stall')
  // Once, so that what a process takes for itself is taken.
  await post(server.url, shop.company.key, 'orders/get_list', {})
  const held = await stalledReaders(service, server, big, shop.company, 2)
  counts['seconds until stalled readers were given up'] = held.heldSeconds.toFixed(1)
  counts['memory they took, MB'] = Math.max(0, Math.round(held.grewMb))
  found.push(...held.found)
}

export const overload: Campaign = {
  name: 'overload',
  about:
    'An open-loop generator at 1, 2, 5 and 10 times capacity (a run is a second of each): goodput stays at 90 % of the peak, what is refused is not counted, nothing is without an answer for 10 s; a quiet company beside a flooding one; readers that stall.',
  short: { runs: 2 },
  long: { runs: 20 },
  run,
}
