// The connection between service and PostgreSQL fails at every message of every writing method of sales, in both directions, with an
// Idempotency-Key and without: closed, reset, silent, cut in the middle of a message, delayed.

import { rmSync } from 'node:fs'
import pg from 'pg'
import { auditCompany } from '../../server/audit.ts'
import { inLanes } from '../../server/test/harness/concurrent-calls.ts'
import { newFolder } from '../../server/test/harness/postgres-programs.ts'
import { type Campaign, type Outcome, randomOf } from '../campaign.ts'
import { waitUntilIdle } from '../idle-machine.ts'
import { type Case, connections, Lane, type Played, reads, verbs } from './connection-lane.ts'
import { directions, FaultyLine, type Kind, kinds } from './faulty-line.ts'
import { Postgres } from './postgres.ts'
import { Service } from './service.ts'
import { type Company, makeCompanies } from './stage.ts'

/** Services, each with its own proxy. A silent connection is a wait of up to 20 s without load on the machine; the other faults cause work. */
const lanesOf = (short: boolean) => ({ working: 4, waiting: short ? 4 : 24 })

export const connection: Campaign = {
  name: 'connection',
  about:
    'The connection to PostgreSQL is closed, reset, silent, cut in a message or delayed at every message of every writing method of sales and of two that read.',
  short: { runs: 1 },
  long: { runs: 1 },
  run: async ({ seed, short, say }): Promise<Outcome> => {
    await using undo = new AsyncDisposableStack()
    const folder = newFolder('connection')
    undo.defer(() => rmSync(folder, { recursive: true, force: true }))
    const postgres = await Postgres.make(folder, { settings: { max_connections: '300' } })
    undo.defer(() => postgres.stop())
    await postgres.start()
    const database = new pg.Pool({ connectionString: postgres.url(), max: 4 })
    database.on('error', () => {})
    undo.defer(() => database.end())
    const lanes = lanesOf(short)
    const companies = await makeCompanies(postgres.url(), lanes.waiting * 2)
    const open: Lane[] = []
    for (let at = 0; at < lanes.waiting; at++) {
      const line = await FaultyLine.open(postgres.url())
      const service = await Service.start(line.url, { DATABASE_CONNECTIONS: String(connections) })
      const lane = new Lane(line, service, database, companies[at * 2] as Company, companies[at * 2 + 1] as Company)
      undo.defer(() => lane.close())
      await lane.prepare()
      open.push(lane)
    }
    const [first] = open
    if (first === undefined) throw new Error('no lane')

    const cases: Case[] = []
    let boundaries = 0
    for (const verb of [...verbs, ...reads])
      for (const keyed of isRead(verb) ? [false] : [false, true]) {
        const passed = await first.count(verb, keyed)
        for (const direction of directions) {
          boundaries += passed[direction] + 1
          for (const kind of kinds)
            for (let after = 0; after <= passed[direction]; after++) {
              // No message follows the last one that could be delayed or cut.
              if (after === passed[direction] && (kind === 'delayed' || kind === 'cut in a message')) continue
              cases.push({ verb, keyed, fault: { direction, after, kind } })
            }
        }
      }
    const chosen = short ? sample(cases, randomOf(seed)) : cases
    say(`${boundaries} places between messages, ${cases.length} cases, ${chosen.length} of them now`)

    const counts: Record<string, number> = { 'places between messages': boundaries, cases: 0 }
    const add = (name: string) => {
      counts[name] = (counts[name] ?? 0) + 1
    }
    const found: string[] = []
    let slowestMs = 0
    const play = async (one: Case, at: number): Promise<void> => {
      const lane = open[at]
      if (lane === undefined || found.length > 50) return
      const { verb, keyed, fault } = one
      let played = await lane.play(one)
      // A single delay may be due to the busy machine; three delays on an idle machine are not.
      for (let again = 0; isOpen(played) && again < 2; again++) {
        if (played.late.length > 0) {
          add('played again, for they were late')
          await waitUntilIdle()
        }
        played = await lane.play(one)
      }
      slowestMs = Math.max(slowestMs, played.freeMs)
      add('cases')
      add(`answered ${played.status}`)
      if (!played.struck) add('not reached')
      const label = `orders/${verb}${keyed ? ' with a key' : ''}, ${fault.kind} after ${fault.after} messages ${fault.direction}`
      for (const line of [...played.found, ...played.late]) {
        found.push(`${label}: ${line}`)
        say(found.at(-1) ?? '')
      }
      if ((counts['cases'] ?? 0) % 500 === 0) say(`${counts['cases']} cases, ${found.length} found`)
    }
    const isSilent = ({ fault }: Case): boolean => fault.kind === 'silent'
    await inLanes(lanes.waiting, chosen.filter(isSilent), play)
    const others = chosen.filter((one) => !isSilent(one))
    await inLanes(lanes.working, others, play)
    for (const { company } of open) {
      const broken = await auditCompany(postgres.url(), company.id)
      found.push(...broken.map(({ invariant, row }) => `${invariant}: ${JSON.stringify(row)}`))
    }
    return { counts: { ...counts, 'ms at most until the company could write again': Math.round(slowestMs) }, found }
  },
}

const isOpen = ({ found, late, struck }: Played): boolean => !struck || (found.length === 0 && late.length > 0)

const isRead = (verb: string): boolean => reads.some((read) => read === verb)

/** Some of every kind, half of them in each direction; silent cases take long, so there are few of them. */
function sample(cases: readonly Case[], random: () => number): Case[] {
  const few: Readonly<Record<Kind, number>> = { closed: 15, reset: 15, 'cut in a message': 10, delayed: 5, silent: 2 }
  return kinds.flatMap((kind) =>
    directions.flatMap((direction) =>
      cases
        .filter(({ fault }) => fault.kind === kind && fault.direction === direction)
        .map((one) => ({ one, at: random() }))
        .toSorted((a, b) => a.at - b.at)
        .slice(0, few[kind])
        .map(({ one }) => one),
    ),
  )
}
