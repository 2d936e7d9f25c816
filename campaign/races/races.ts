// Races: concurrent histories, each replayed in the order of the company's clock against the pure model of sales.

import { setTimeout as sleep } from 'node:timers/promises'
import { closeDatabase, openDatabase } from '../../server/platform/postgres/database.ts'
import { inLanes } from '../../server/test/harness/concurrent-calls.ts'
import { awayFromMidnight } from '../../server/test/model/play.ts'
import { type Campaign, type Options, type Outcome, randomOf } from '../campaign.ts'
import { type Service, withService } from '../scratch-service.ts'
import { drawHistory, heats } from './history.ts'
import { type Ground, type Played, playHistory } from './play.ts'

/** Companies that run at the same time. */
const lanes = 4
const maxFound = 20

async function run(options: Options): Promise<Outcome> {
  return await withService({ servers: 2 }, async (service) => {
    const database = openDatabase(service.databaseUrl, { connections: lanes, streams: 1 })
    const [found, sums, open] = [[] as string[], new Map<string, number>(), new Map<string, number>()]
    const add = (to: Map<string, number>, name: string, more: number) => to.set(name, (to.get(name) ?? 0) + more)
    try {
      const numbers = Array.from({ length: options.runs }, (_, at) => at)
      await inLanes(lanes, numbers, async (number) => {
        if (found.length >= maxFound) return
        await awayFromMidnight()
        const played = await playOne(service, database.pool, number, options)
        add(sums, 'histories', 1)
        for (const name of ['requests', 'events', 'refused', 'sentAgain'] as const) add(sums, name, played[name])
        if (played.open !== undefined) add(open, played.open, 1)
        found.push(...played.found.map((line) => `history ${number}: ${line.slice(0, 1_500)}`))
        if (number % 100 === 99) options.say(`${sums.get('histories')} histories`)
      })
    } finally {
      await closeDatabase(database)
    }
    const deadlocks = await deadlocksOf(service)
    if (deadlocks > 0) found.push(`PostgreSQL counted ${deadlocks} deadlocks`)
    const leftOpen = [...open.values()].reduce((sum, one) => sum + one, 0)
    if (leftOpen > Math.max(2, options.runs / 20))
      found.push(`${leftOpen} histories ran into what the rules leave open: ${[...open]}`)
    return {
      counts: {
        'concurrent histories': sums.get('histories') ?? 0,
        requests: sums.get('requests') ?? 0,
        'events in the order of the clock': sums.get('events') ?? 0,
        'refused requests': sums.get('refused') ?? 0,
        'requests sent twice under one key': sums.get('sentAgain') ?? 0,
        'histories left open by the rules': leftOpen,
        deadlocks,
      },
      found: found.slice(0, maxFound),
    }
  })
}

async function playOne(service: Service, pool: Ground['pool'], number: number, options: Options): Promise<Played> {
  const heat = heats[number % heats.length] ?? 'mixed'
  const seed = (options.seed + number) >>> 0
  const events: Ground['events'] = async (companyId) => {
    // A customer created with a sale has its own event, with an action.
    const own = 'select request_id from events where company_id = $1 and action is null order by seq'
    const rows = await service.sql(own, [companyId])
    return rows.map((row) => row.request_id as string)
  }
  const urls = service.servers.map((server) => server.url)
  try {
    return await playHistory(drawHistory(heat, seed), { urls, pool, events, random: randomOf(seed) })
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    return { found: [`could not be run: ${message}`], requests: 0, events: 0, refused: 0, sentAgain: 0 }
  }
}

/** From PostgreSQL's statistics, for the database of this run. Backends report once a second. */
async function deadlocksOf(service: Service): Promise<number> {
  await sleep(1_500)
  const [row] = await service.sql('select deadlocks::int from pg_stat_database where datname = current_database()')
  return row.deadlocks
}

export const races: Campaign = {
  name: 'races',
  about:
    'Several clients at once on one company, through two processes, while its settings change: every response, every read and the final state match the pure model in the order of the clock; a contended sale, item and customer name; no deadlock in PostgreSQL’s statistics.',
  short: { runs: 60 },
  long: { runs: 1_000 },
  run,
}
