// A hostile company and an anonymous client try to stop the service for others, one attack after the other, while a normal company does
// its work: none of its requests fails and it stays fast, memory stays bounded, and no abandoned query keeps running.

import { fork } from 'node:child_process'
import { request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { methodPath, screensPrefix } from '../../server/platform/http/http.ts'
import type { Campaign, Options, Outcome } from '../campaign.ts'
import { waitUntilIdle } from '../idle-machine.ts'
import { type Heard, load } from '../overload/load.ts'
import { percentile } from '../overload/open-loop.ts'
import { type Service, withService } from '../scratch-service.ts'
import type { Order, Report } from './attacker.ts'
import { type Armed, attacks } from './attacks.ts'
import { type Hostile, makeHostile, makeNormal, type Normal, ownersPassword } from './companies.ts'
import { targetOf } from './sockets.ts'
import { leftRunning, type Peak, peakDuring } from './watch.ts'

const attacker = fileURLToPath(new URL('attacker.ts', import.meta.url))
/** The attacker has a separate address, as on a network. */
const attackersAddress = '127.0.0.2'

const normalPerSecond = 40
const longestP99Ms = 500
/** On a slow machine, p99 under attack may be at most this many times that without one, measured right afterwards. */
const slowMachineTimes = 10
const maxServiceMb = 600
const maxBackendMb = 300
/** A query of an abandoned request must have ended by then. */
const cancelledWithinMs = 5_000

type Seen = {
  readonly found: string[]
  /** All findings could also be caused by a busy machine. */
  readonly maybeSlow: boolean
  readonly p99Ms: number
  readonly peak: Peak
  readonly statuses: string
}

async function run(options: Options): Promise<Outcome> {
  return await withService({ servers: 1 }, async (service) => {
    const [hostile, normal] = [await makeHostile(options.short ? 30_000 : 100_000), await makeNormal()]
    const names = Object.keys(attacks).filter((name) => name === (process.env['KONTOR_ATTACK'] ?? name))
    const found: string[] = []
    const highest = { p99Ms: 0, serviceMb: 0, backendMb: 0 }
    // Once, so that every statement is prepared.
    await workOf(service, normal, 2)
    for (const name of names) {
      const seen = await attacked(service, hostile, normal, name, options)
      highest.p99Ms = Math.max(highest.p99Ms, seen.p99Ms)
      highest.serviceMb = Math.max(highest.serviceMb, seen.peak.serviceMb)
      highest.backendMb = Math.max(highest.backendMb, seen.peak.backendMb)
      options.say(
        `${name}: normal p99 ${Math.round(seen.p99Ms)} ms, service ${seen.peak.serviceMb} MB, largest backend ${seen.peak.backendMb} MB; attacker answered ${seen.statuses}`,
      )
      found.push(...seen.found)
    }
    if (process.env['KONTOR_ATTACK'] === undefined || process.env['KONTOR_ATTACK'] === countedAttack)
      found.push(...(await countsWhatWasBegun(service, hostile)))
    return {
      counts: {
        attacks: names.length,
        'seconds each': options.runs,
        'requests of the normal company a second': normalPerSecond,
        'highest p99 of the normal company, ms': Math.round(highest.p99Ms),
        'memory of the service at most, MB': highest.serviceMb,
        'memory of a PostgreSQL backend at most, MB': highest.backendMb,
      },
      found,
    }
  })
}

/** One attack. Slow or busy responses may be due to the machine: then it is repeated when the machine is idle. */
async function attacked(
  service: Service,
  hostile: Hostile,
  normal: Normal,
  name: string,
  options: Options,
): Promise<Seen> {
  for (let play = 1; ; play++) {
    const seen = await attackOnce(service, hostile, normal, name, options)
    if (seen.found.length === 0 || !seen.maybeSlow || play === 3) return seen
    options.say(`${name}: ${seen.found.join('; ')}; played again`)
    await waitUntilIdle()
  }
}

async function attackOnce(
  service: Service,
  { armed }: Hostile,
  normal: Normal,
  name: string,
  { runs: seconds }: Options,
): Promise<Seen> {
  const url = service.servers[0]?.url ?? ''
  const order: Armed = {
    ...armed,
    target: targetOf(url, attackersAddress),
    seconds: seconds + 2,
    victimEmail: normal.owner.email,
  }
  const { result, peak } = await peakDuring(service, async () => {
    const attack = startAttack({ attack: name, armed: order })
    // The attack is running before the measurement starts.
    await sleep(1_000)
    const [heard, refused, signedIn] = await Promise.all([
      workOf(service, normal, seconds),
      scriptOf(service, normal, seconds),
      signIn(service, normal),
    ])
    return { heard, refused, signedIn, report: await attack }
  })
  const { heard, refused, signedIn, report } = result
  const p99Ms = percentile(heard.settledMs('normal'), 99)
  const lost = [
    ...lostOf(heard),
    ...(refused === 0 ? [] : [`${refused} requests of the normal company on new connections were refused`]),
    ...(signedIn === 200 ? [] : [`the owner of the normal company could not sign in: ${signedIn}`]),
  ].map((one) => `${name}: ${one}`)
  const found = [
    ...lost,
    ...(peak.serviceMb > maxServiceMb ? [`${name}: the service took ${peak.serviceMb} MB`] : []),
    ...(peak.backendMb > maxBackendMb ? [`${name}: a PostgreSQL backend took ${peak.backendMb} MB`] : []),
    ...(await leftRunning(service, cancelledWithinMs)).map((query) => `${name}: a query was not cancelled: ${query}`),
  ]
  const late = p99Ms > longestP99Ms && p99Ms > slowMachineTimes * (await p99Alone(service, normal))
  if (late) found.push(`${name}: the normal company's p99 was ${Math.round(p99Ms)} ms`)
  const statuses = report.statuses.map(([status, n]) => `${status === 0 ? 'none' : status}: ${n}`).join(', ')
  const maybeSlow = found.length === lost.length + (late ? 1 : 0)
  return { found, maybeSlow, p99Ms, peak, statuses: statuses === '' ? 'nothing' : statuses }
}

async function startAttack(order: Order): Promise<Report> {
  const child = fork(attacker, { stdio: 'inherit' })
  return await new Promise<Report>((resolve, reject) => {
    child.once('message', (report) => resolve(report as Report))
    child.once('exit', (code) => reject(new Error(`the attacker ended with ${code}`)))
    child.send(order)
  })
}

const workOf = ({ servers }: Service, { requests }: Normal, seconds: number): Promise<Heard> =>
  load([servers[0]?.url ?? ''], [{ of: 'normal', perSecond: normalPerSecond, requests }], seconds)

const p99Alone = async (service: Service, normal: Normal): Promise<number> =>
  percentile((await workOf(service, normal, 3)).settledMs('normal'), 99)

/** Every request of the normal company succeeds. */
function lostOf({ statuses, lost, unsent }: Heard): string[] {
  const bad = [...statuses].filter(([status]) => status !== 200)
  return [
    ...bad.map(([status, n]) => `${n} requests of the normal company were answered ${status}`),
    ...(lost + unsent > 0 ? [`${lost + unsent} requests of the normal company had no answer`] : []),
  ]
}

/** One request on a new connection; 0 when it ends without a response. */
function onNewConnection(path: string, headers: Readonly<Record<string, string>>, body: object): Promise<number> {
  return new Promise((resolve) => {
    const options = { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, agent: false }
    const sent = request(path, options, (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
    sent.once('error', () => resolve(0))
    sent.end(JSON.stringify(body))
  })
}

/** From a browser that has never signed in before. */
const signIn = ({ servers }: Service, { owner }: Normal): Promise<number> =>
  onNewConnection(
    `${servers[0]?.url ?? ''}${screensPrefix}session/sign_in`,
    { 'sec-fetch-site': 'same-origin' },
    { email: owner.email, password: ownersPassword },
  )

/** A script of the normal company that opens a connection for each of its requests. Returns how many were not answered with 200. */
async function scriptOf({ servers }: Service, { company }: Normal, seconds: number): Promise<number> {
  const untilMs = performance.now() + seconds * 1_000
  const url = `${servers[0]?.url ?? ''}${methodPath('orders/get_list')}`
  let refused = 0
  while (performance.now() < untilMs) {
    if ((await onNewConnection(url, { authorization: company.key }, { limit: 1 })) !== 200) refused++
    await sleep(50)
  }
  return refused
}

const countedAttack = 'requests that run out of their time'

/** Requests whose work was started count, also when they end in 503: here the rows they need are locked until their timeout. */
async function countsWhatWasBegun({ databaseUrl, sql }: Service, { company }: Hostile): Promise<string[]> {
  const used = async (): Promise<number> =>
    (await sql('select used from quotas where company_id = $1', [company.id]))[0]?.used ?? 0
  const found: string[] = []
  for (const [path, body] of [
    ['orders/get_entry', { order_id: 1 }],
    ['orders/update_payment', { order_id: 1, status: 1 }],
  ] as const) {
    const lock = new pg.Client({ connectionString: databaseUrl })
    await lock.connect()
    try {
      await lock.query('begin; lock table sales in access exclusive mode')
      const before = await used()
      const reply = await company.call(path, body)
      const counted = (await used()) - before
      if (reply.status !== 503 || counted !== 1)
        found.push(
          `${countedAttack}: ${path} was answered ${reply.status} and counted ${counted} times instead of once`,
        )
    } finally {
      await lock.end()
    }
  }
  return found
}

export const hostile: Campaign = {
  name: 'hostile',
  about:
    'A hostile company and an anonymous client attack the service in every way that a review found (a run is a second of each attack) while a normal company works: it loses no request, its p99 stays under 500 ms, the service under 600 MB, each PostgreSQL backend under 300 MB, every query of an abandoned request is cancelled, and requests whose work was started are counted.',
  isMeasurement: true,
  short: { runs: 4 },
  long: { runs: 20 },
  run,
}
