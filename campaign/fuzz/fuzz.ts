// Fuzzing: requests generated from the declared inputs, as bytes on the wire, against real companies. No request may get a 5xx response, take
// long, cause a syntax or data error in PostgreSQL, or leave a company that violates an invariant.

import { setTimeout as sleep } from 'node:timers/promises'
import { methodPath } from '../../server/platform/http/paths.ts'
import { makeWorld, type World } from '../../server/test/contract/world.ts'
import { broken } from '../../server/test/harness/database.ts'
import { openPostgresLog } from '../../server/test/harness/postgres-log.ts'
import type { Campaign, Options, Outcome } from '../campaign.ts'
import { type Service, type ServiceGiven, withService } from '../scratch-service.ts'
import { Draw } from './draw.ts'
import { brokenFrames, slowClients } from './framing.ts'
import { drawRequest, type Fuzzed } from './requests.ts'
import { count, countsOf, isDoubtful, lateMs, type Tally, wrongWith } from './tally.ts'
import { type Answer, pump } from './wire.ts'

const servers = 2
const companies = 6
/** Sockets to each server, and concurrent requests on each: together no more than a server has database connections. */
const sockets = 2
const depth = 4
/** Requests after which the companies are checked and replaced: randomly deleted records are missing from then on. */
const perWorld = 20_000
const maxFound = 30
/** How long a response may take where its duration is not judged. */
const patienceMs = 60_000
/** One in this many responses is checked against the declaration, which takes longer than the request. */
const judgeEvery = 50

async function run(options: Options): Promise<Outcome> {
  // Nothing is crashed here: commits need not wait for the disk.
  const prepare: ServiceGiven['prepare'] = async (sql, databaseUrl) => {
    await sql(`alter database ${new URL(databaseUrl).pathname.slice(1)} set synchronous_commit = off`)
  }
  return await withService({ servers, prepare }, async (service) => {
    const log = await openPostgresLog(service.databaseUrl)
    const tally: Tally = {
      found: [],
      statuses: new Map(),
      sent: 0,
      live: 0,
      judged: 0,
      frames: 0,
      slowestMs: 0,
      again: 0,
    }
    const database = new URL(service.databaseUrl).pathname.slice(1)
    let states = 0
    const readLog = async (): Promise<void> => {
      const errors = (await log.errors()).filter((one) => one.database === database)
      const bad = errors.filter((one) => /^(22|42|XX)/.test(one.state))
      states += bad.length
      tally.found.push(...bad.map((one) => `PostgreSQL logged ${one.state}: ${one.text.slice(0, 600)}`))
    }
    let slow: Promise<void> = Promise.resolve()
    try {
      const started = performance.now()
      for (let from = 0; from < options.runs && tally.found.length < maxFound; from += perWorld) {
        const to = Math.min(from + perWorld, options.runs)
        const worlds: World[] = []
        while (worlds.length < companies) worlds.push(await makeWorld())
        // Whether a connection is closed in time is a matter of time.
        if (from === 0 && options.judgesTime) slow = playSlow(service, worlds, options, tally)
        await Promise.all([
          sendAll(service, worlds, options, { from, to }, tally),
          options.judgesTime ? playFrames(service, worlds, options, from, tally) : undefined,
        ])
        for (const { company } of worlds) {
          const wrong = await broken(company.id)
          tally.found.push(...wrong.map((one) => `company ${company.id}: ${one.invariant}: ${JSON.stringify(one.row)}`))
        }
        await readLog()
        const rate = Math.round((tally.sent / (performance.now() - started)) * 1_000)
        options.say(`${tally.sent} requests, ${rate} a second`)
      }
      await slow
      await readLog()
    } finally {
      await log.close()
    }
    return { counts: countsOf(tally, states), found: tally.found.slice(0, maxFound) }
  })
}

async function sendAll(
  service: Service,
  worlds: readonly World[],
  { seed, judgesTime }: Options,
  { from, to }: { from: number; to: number },
  tally: Tally,
): Promise<void> {
  let at = from
  const next = () => {
    if (at >= to || tally.found.length >= maxFound) return undefined
    const number = at++
    const fuzzed = drawRequest(worlds[number % worlds.length] as World, new Draw((seed + number) >>> 0))
    return { bytes: fuzzed.bytes, of: { number, fuzzed } }
  }
  const describe = ({ number, fuzzed }: { number: number; fuzzed: Fuzzed }): string =>
    `request ${number} (${fuzzed.kind}) ${fuzzed.bytes
      .toString('latin1')
      .replace(/kontor_live_\w+/g, 'KEY')
      .slice(0, 900)}`
  const doubtful: { url: string; of: { number: number; fuzzed: Fuzzed }; answer: Answer }[] = []
  const lines = service.servers.flatMap((server) => Array.from({ length: sockets }, () => server.url))
  await Promise.all(
    lines.map((url) =>
      pump({
        url,
        depth,
        next,
        patienceMs: judgesTime ? 10_000 : patienceMs,
        answered: (of, answer) => {
          count(tally, of.fuzzed, answer)
          if (isDoubtful(answer, judgesTime)) doubtful.push({ url, of, answer })
          const wrong = wrongWith(of.fuzzed, answer, of.number % judgeEvery === 0)
          if (of.number % judgeEvery === 0) tally.judged++
          if (wrong !== undefined) tally.found.push(`${wrong} ← ${describe(of)}`)
        },
        unanswered: (of, why) => tally.found.push(`${why} ← ${describe(of)}`),
      }),
    ),
  )
  for (const { url, of, answer } of doubtful) {
    if (await isFineAgain(url, of.fuzzed, judgesTime)) tally.again++
    else
      tally.found.push(
        `${answer.status} after ${Math.round(answer.tookMs)} ms, and no better three times ← ${describe(of)}`,
      )
  }
}

/** Alone on its connection, up to three times. */
async function isFineAgain(url: string, fuzzed: Fuzzed, judgesTime: boolean): Promise<boolean> {
  for (let times = 0; times < 3; times++) {
    const unsent = [{ bytes: fuzzed.bytes, of: fuzzed }]
    let isFine = false
    const answered = (_of: Fuzzed, answer: Answer): void => {
      isFine = !isDoubtful(answer, judgesTime)
    }
    await pump({
      url,
      depth: 1,
      next: () => unsent.pop(),
      patienceMs: judgesTime ? lateMs : patienceMs,
      answered,
      unanswered: () => {},
    })
    if (isFine) return true
    await sleep(500)
  }
  return false
}

/** Malformed requests run in parallel with the rest, one at a time. */
async function playFrames(service: Service, worlds: readonly World[], options: Options, from: number, tally: Tally) {
  const draw = new Draw((options.seed ^ from) >>> 0)
  const wanted = Math.max(60, Math.ceil(Math.min(perWorld, options.runs) / 200))
  for (let n = 0; n < wanted; n++) {
    const { company } = draw.pick(worlds)
    const framed = await brokenFrames(draw.pick(service.servers).url, methodPath('orders/add'), company.key, draw)
    tally.frames++
    tally.found.push(...framed.found)
  }
}

async function playSlow(service: Service, worlds: readonly World[], options: Options, tally: Tally): Promise<void> {
  const draw = new Draw(options.seed)
  await sleep(100)
  const { company } = draw.pick(worlds)
  const ask = ({ url }: { readonly url: string }) => slowClients(url, methodPath('orders/add'), company.key, draw)
  for (const framed of (await Promise.all(service.servers.map(ask))).flat()) {
    tally.frames++
    tally.found.push(...framed.found)
  }
}

export const fuzz: Campaign = {
  name: 'fuzz',
  about:
    'Requests generated from the declared inputs of every public method: types, bounds, Unicode, raw bytes, headers, addresses, framing, slow clients. No answer of 5xx, none later than 2 s, no error of syntax or data in PostgreSQL’s log, and every invariant holds afterwards.',
  short: { runs: 8_000 },
  long: { runs: 1_000_000 },
  run,
}
