// Clients close their connections at every moment of a call of every method: no process ends, nothing fails in the background, and
// a neighbour notices nothing.

import { execFile } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { inLanes } from '../../server/test/harness/concurrent-calls.ts'
import { errorsCounted, errorsLogged } from '../../server/test/harness/errors-of-server.ts'
import { isAlive, workersOf } from '../../server/test/harness/processes.ts'
import { until } from '../../server/test/harness/until.ts'
import { root } from '../../server/test/structure/architecture.ts'
import { type Campaign, type Options, type Outcome, randomOf } from '../campaign.ts'
import { makeNormal } from '../hostile/companies.ts'
import { type Statuses, targetOf } from '../hostile/sockets.ts'
import { leftRunning } from '../hostile/watch.ts'
import { type Service, withService } from '../scratch-service.ts'
import { type Call, makeCalls } from './calls.ts'
import { hangUp, type Undisturbed, undisturbed, type Way } from './hang-up.ts'
import { neighbourDuring } from './neighbour.ts'

const lanes = 6
const ways: readonly Way[] = ['FIN', 'RST']
/** The last use of a key is written two seconds after it. */
const settleMs = 3_000
const endedWithinMs = 15_000
/** The gate interrupts only some of the requests, in one process. */
const sampleShare = 0.2

/** Limits that the number of calls would exceed, and which are not what is tested here. */
const withoutLimits = {
  ANONYMOUS_REQUESTS: '100000',
  SESSION_REQUESTS_PER_SECOND: '100000',
  SIGN_UPS_PER_HOUR: '100000',
  SIGN_UPS_PER_DAY: '1000000',
}

type Play = { readonly call: Call; readonly share: number; readonly way: Way; readonly isFresh: boolean }
type Tally = { calls: number; fine: number; disconnects: number; fresh: number; neighbour: number; found: string[] }

async function run(options: Options): Promise<Outcome> {
  const tally: Tally = { calls: 0, fine: 0, disconnects: 0, fresh: 0, neighbour: 0, found: [] }
  for (const workers of options.judgesTime ? [1, 4] : [1]) {
    const env = { ...withoutLimits, WORKERS: String(workers), DATABASE_CONNECTIONS: String(8 * Math.min(workers, 2)) }
    await withService({ servers: 1, env }, (service) => playAll(service, workers, options, tally))
  }
  return {
    counts: {
      'requests that were interrupted': tally.calls,
      'of these answered 200 when they were not': tally.fine,
      'connections closed': tally.disconnects,
      'with a key or session that was never used before': tally.fresh,
      'requests of the neighbour': tally.neighbour,
    },
    found: tally.found.slice(0, 40),
  }
}

async function playAll(service: Service, workers: number, options: Options, tally: Tally): Promise<void> {
  const [server] = service.servers
  if (server === undefined) throw new Error('there is no server')
  const complain = (text: string): number => tally.found.push(`WORKERS=${workers}: ${text}`)
  await until(() => server.output().split('"msg":"listening"').length > workers)
  const processes = [server.pid, ...workersOf(server.pid)]
  const normal = await makeNormal()
  const choose = <T>(all: readonly T[]): readonly T[] =>
    options.judgesTime ? all : shuffled(all, options.seed).slice(0, all.length * sampleShare)
  const calls = await makeCalls(service, options.runs * ways.length, choose)
  const before = new Map<Call, Undisturbed>()
  for (let time = 0; time < 2; time++)
    await inLanes(lanes, calls, async (call) => {
      const whole = await undisturbed(server.url, await call.bytes(false))
      if (whole.status === 0 || whole.status === 500) complain(`${call.name} was answered ${whole.status}`)
      // The first call of a method takes longer. What it did once it may refuse the second time.
      before.set(call, { ...whole, status: before.get(call)?.status ?? whole.status })
    })
  tally.calls = calls.length
  tally.fine = [...before.values()].filter(({ status }) => status === 200).length

  const startedMs = performance.now()
  const plays = shuffled(playsOf(calls, options), options.seed)
  const isRunning = (): boolean => processes.every(isAlive)
  const { statuses } = await neighbourDuring(targetOf(server.url, '127.0.0.1'), normal, async () => {
    await inLanes(lanes, plays, async ({ call, share, way, isFresh }) => {
      if (!isRunning()) return
      try {
        await hangUp(server.url, await call.bytes(isFresh), share, way, before.get(call) as Undisturbed)
        tally.disconnects++
        if (isFresh) tally.fresh++
      } catch (error) {
        // What happens after the end of a process is not worth a line for each request.
        if (isRunning())
          complain(`${call.name}, ${way} at ${share.toFixed(2)}: ${error instanceof Error ? error.message : error}`)
      }
    })
    await sleep(settleMs)
  })
  const seconds = Math.round((performance.now() - startedMs) / 1_000)
  options.say(
    `WORKERS=${workers}: ${plays.length} connections closed in ${seconds} s, the neighbour got ${textOf(statuses)}`,
  )

  for (const [status, count] of statuses) {
    tally.neighbour += count
    // A machine that is busy with other work may have no time for its requests.
    const isFine = status === 200 || (status === 503 && !options.judgesTime)
    if (!isFine) complain(`${count} requests of the neighbour were answered ${status === 0 ? 'not at all' : status}`)
  }
  const now = isAlive(server.pid) ? [server.pid, ...workersOf(server.pid)] : []
  if (now.join() !== processes.join())
    complain(`processes ${processes.join(', ')} have become ${now.join(', ') || 'none'}`)
  for (const line of errorsLogged(server)) complain(`the log has ${line.slice(0, 600)}`)
  if (!isAlive(server.pid)) return
  const errors = await errorsCounted(server)
  if (errors > 0) complain(`the metrics count ${errors} errors`)
  for (const query of await leftRunning(service, endedWithinMs)) complain(`a query was not cancelled: ${query}`)
  const audit = await auditOf(service)
  if (audit.code !== 0) complain(`kontor audit ended with ${audit.code}: ${audit.output.slice(0, 600)}`)
}

function playsOf(calls: readonly Call[], { runs, seed }: Options): Play[] {
  const random = randomOf(seed)
  return calls.flatMap((call) =>
    [true, false].flatMap((isFresh) =>
      ways.flatMap((way) =>
        Array.from({ length: runs }, (_, moment) => ({ call, isFresh, way, share: (moment + random()) / runs })),
      ),
    ),
  )
}

function shuffled<T>(values: readonly T[], seed: number): T[] {
  const random = randomOf(seed + 1)
  return values
    .map((value) => ({ value, at: random() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ value }) => value)
}

const textOf = (statuses: Statuses): string => [...statuses].map(([status, count]) => `${status}: ${count}`).join(', ')

function auditOf({ databaseUrl }: Service): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    const options = { cwd: root, env: { ...process.env, DATABASE_URL: databaseUrl } }
    execFile(process.execPath, ['server/cli.ts', 'audit'], options, (error, out, errors) =>
      resolve({ code: error === null ? 0 : Number(error.code ?? 1), output: out + errors }),
    )
  })
}

export const disconnect: Campaign = {
  name: 'disconnect',
  about:
    'Clients close their connections, by FIN and by RST, at moments spread over a call of every method of both APIs (a run is a moment), with used and with new keys and sessions, with one and with four processes: no process ends, nothing is logged or counted as an error, a neighbour gets all its responses, and kontor audit reports nothing.',
  short: { runs: 3 },
  long: { runs: 30 },
  run,
}
