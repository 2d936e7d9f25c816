// Hostile companies and an anonymous client try to stop the service, one attack after the other, while a normal company does its work: none of its requests
// fails and it stays fast, memory stays bounded, and no abandoned query keeps running. Long because every attack is judged by the same measurements.

import { fork } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { post } from '../../server/test/harness/concurrent-calls.ts'
import { busyLogged, errorsCounted, errorsLogged } from '../../server/test/harness/errors-of-server.ts'
import type { Campaign, Options, Outcome } from '../campaign.ts'
import { waitUntilIdle } from '../idle-machine.ts'
import { type Service, withService } from '../scratch-service.ts'
import { abuseNames, companiesOf, refusedKeys, slowLists } from './abuses.ts'
import type { Order, Report } from './attacker.ts'
import { attacks, dearestRequests } from './attacks.ts'
import { type Hostile, makeHostile, makeNormal, type Normal } from './companies.ts'
import { countedAttack, countsWhatWasBegun, usedBy } from './counted.ts'
import { lostOf, normalPerSecond, p99Alone, p99Of, scriptOf, signIn, workOf } from './normal-work.ts'
import { targetOf } from './sockets.ts'
import { leftRunning, type Peak, peakDuring } from './watch.ts'
import { makeWorks, type Works } from './works.ts'

const attacker = fileURLToPath(new URL('attacker.ts', import.meta.url))
/** The attacker has a separate address, as on a network. */
const attackersAddress = '127.0.0.2'

/** A p99 below the first is fine; above it, it may be at most so many times that without an attack. */
type Limits = { readonly p99Ms: number; readonly times: number }
const limits: Limits = { p99Ms: 200, times: 3 }
/** Sixteen of the dearest requests at a time take both processors. */
const limitsOfDearest: Limits = { p99Ms: 500, times: 10 }
const maxServiceMb = 600
const maxBackendMb = 300
/** A query of an abandoned request must have ended by then. */
const cancelledWithinMs = 5_000

type Place = {
  readonly service: Service
  readonly normal: Normal
  /** Only those that the chosen attacks need. */
  readonly hostile: Hostile | undefined
  readonly works: readonly Works[]
  /** p99 of the normal company without an attack. */
  readonly aloneMs: number
}

type Seen = {
  readonly found: string[]
  /** All findings could also be caused by a busy machine. */
  readonly maybeSlow: boolean
  readonly p99Ms: number
  readonly peak: Peak
  readonly statuses: string
}

async function run(options: Options): Promise<Outcome> {
  const chosen = process.env['KONTOR_ATTACK'] ?? ''
  const isChosen = (name: string): boolean => name.includes(chosen)
  const names = [...Object.keys(attacks), ...abuseNames].filter(isChosen)
  const needsHostile = names.some((name) => name in attacks) || isChosen(countedAttack)
  return await withService({ servers: 1 }, async (service) => {
    const hostile = needsHostile ? await makeHostile(options.short ? 30_000 : 100_000) : undefined
    const works = await makeWorks(service, Math.max(0, ...names.map(neededFor)))
    const normal = await makeNormal()
    // Otherwise the database does it by itself during an attack.
    await service.sql('vacuum (analyze)')
    // Once, so that every statement is prepared.
    await workOf(service, normal, 2)
    const place = { service, normal, hostile, works, aloneMs: await p99Alone(service, normal, options.runs) }
    options.say(`without an attack: normal p99 ${Math.round(place.aloneMs)} ms`)
    const found: string[] = []
    const highest = { p99Ms: 0, serviceMb: 0, backendMb: 0 }
    for (const name of names) {
      const seen = await attacked(place, name, options)
      highest.p99Ms = Math.max(highest.p99Ms, seen.p99Ms)
      highest.serviceMb = Math.max(highest.serviceMb, seen.peak.serviceMb)
      highest.backendMb = Math.max(highest.backendMb, seen.peak.backendMb)
      options.say(
        `${name}: normal p99 ${Math.round(seen.p99Ms)} ms, service ${seen.peak.serviceMb} MB, largest backend ${seen.peak.backendMb} MB; attacker answered ${seen.statuses}`,
      )
      found.push(...seen.found)
    }
    if (hostile !== undefined && isChosen(countedAttack))
      found.push(...(await countsWhatWasBegun(service, hostile.company)))
    return {
      counts: {
        attacks: names.length,
        'seconds each': options.runs,
        'requests of the normal company a second': normalPerSecond,
        'p99 of the normal company without an attack, ms': Math.round(place.aloneMs),
        'highest p99 of the normal company, ms': Math.round(highest.p99Ms),
        'memory of the service at most, MB': highest.serviceMb,
        'memory of a PostgreSQL backend at most, MB': highest.backendMb,
      },
      found,
    }
  })
}

/** One attack. Slow or busy responses may be due to the machine: then it is repeated when the machine is idle. */
async function attacked(place: Place, name: string, options: Options): Promise<Seen> {
  for (let play = 1; ; play++) {
    const seen = await attackOnce(place, name, options)
    if (seen.found.length === 0 || !seen.maybeSlow || play === 3) return seen
    options.say(`${name}: ${seen.found.join('; ')}; played again`)
    await waitUntilIdle()
    // What the server has learned from the attack would protect the normal company now.
    await place.service.restart()
    await workOf(place.service, place.normal, 2)
  }
}

function orderOf({ service, normal, hostile, works }: Place, name: string, seconds: number): Order {
  const target = targetOf(service.servers[0]?.url ?? '', attackersAddress)
  if (companiesOf(name) > 0) return { attack: name, abused: { works, target, seconds } }
  if (hostile === undefined) throw new Error(`"${name}" needs the hostile company`)
  return { attack: name, armed: { ...hostile.armed, target, seconds, victimEmail: normal.owner.email } }
}

async function attackOnce(place: Place, name: string, { runs: seconds }: Options): Promise<Seen> {
  const { service, normal } = place
  const [server] = service.servers
  if (server === undefined) throw new Error('there is no server')
  const before = {
    logged: errorsLogged(server).length,
    busy: busyLogged(server).length,
    counted: await errorsCounted(server),
  }
  const { result, peak } = await peakDuring(service, async () => {
    const attack = startAttack(orderOf(place, name, seconds + 2))
    // The attack is running before the measurement starts.
    await sleep(1_000)
    const [heard, script, signedIn, own] = await Promise.all([
      workOf(service, normal, seconds),
      scriptOf(service, normal.company.key, seconds),
      signIn(service, normal),
      ownWork(place, name, seconds),
    ])
    return { heard, script, signedIn, own, report: await attack }
  })
  const { heard, script, signedIn, own, report } = result
  const p99Ms = p99Of(heard)
  const lost = [
    ...lostOf(heard),
    ...(script.refused === 0
      ? []
      : [`${script.refused} requests of the normal company on new connections were refused`]),
    ...(signedIn === 200 ? [] : [`the owner of the normal company could not sign in: ${signedIn}`]),
  ]
  const wrong = [
    ...own,
    ...(peak.serviceMb > maxServiceMb ? [`the service took ${peak.serviceMb} MB`] : []),
    ...(peak.backendMb > maxBackendMb ? [`a PostgreSQL backend took ${peak.backendMb} MB`] : []),
    ...(await leftRunning(service, cancelledWithinMs)).map((query) => `a query was not cancelled: ${query}`),
    ...errorsLogged(server)
      .slice(before.logged)
      .map((line) => `the log has ${line.slice(0, 300)}`),
  ]
  const errors = (await errorsCounted(server)) - before.counted
  if (errors > 0) wrong.push(`the metrics count ${errors} errors`)
  const late = await isLate(place, p99Ms, name === dearestRequests ? limitsOfDearest : limits)
  if (late !== undefined) lost.push(late)
  if (lost.length + own.length > 0)
    lost.push(`reasons: ${[...new Set(busyLogged(server).slice(before.busy))].join('; ')}`)
  const statuses = report.statuses.map(([status, n]) => `${status === 0 ? 'none' : status}: ${n}`).join(', ')
  return {
    found: [...lost, ...wrong].map((one) => `${name}: ${one}`),
    maybeSlow: wrong.length === 0,
    p99Ms,
    peak,
    statuses: statuses === '' ? 'nothing' : statuses,
  }
}

/** What is wrong with the normal company's p99. On a machine that has become slower it is compared with one measured now. */
async function isLate(
  { service, normal, aloneMs }: Place,
  p99Ms: number,
  { p99Ms: fineMs, times }: Limits,
): Promise<string | undefined> {
  if (p99Ms <= fineMs || p99Ms <= times * aloneMs) return undefined
  // What the attack has left behind does not count as a slow machine.
  await waitUntilIdle()
  const nowMs = await p99Alone(service, normal, 5)
  if (p99Ms <= times * nowMs) return undefined
  return `the normal company's p99 was ${Math.round(p99Ms)} ms, and ${Math.round(Math.max(aloneMs, nowMs))} ms without an attack`
}

/** Companies whose data an attack needs: those that attack, and one that is among their victims. */
const neededFor = (name: string): number => companiesOf(name) + (name.startsWith(slowLists) ? 1 : 0)

/** What is wrong with work that only one attack could disturb. */
async function ownWork(place: Place, name: string, seconds: number): Promise<string[]> {
  if (name.startsWith(refusedKeys)) return await ownerOfRefusedKeys(place, seconds)
  if (name.startsWith(slowLists))
    return await readerOfLongLists(place, place.works[companiesOf(name)] as Works, seconds)
  return []
}

/** A company that reads a long list at full speed gets all of it, each time. */
async function readerOfLongLists({ service }: Place, { key }: Works, seconds: number): Promise<string[]> {
  const untilMs = performance.now() + seconds * 1_000
  const found: string[] = []
  while (performance.now() < untilMs) {
    const { status, body } = await post(service.servers[0]?.url ?? '', key, 'products/get_list', {})
    if (status !== 200) found.push(`a company that reads a long list at full speed was answered ${status}`)
    else if (body.products.length !== body.total) found.push('a long list was incomplete')
    await sleep(200)
  }
  return found
}

/** The company whose keys are refused still works with its other key, and what is refused does not use up its daily limit. */
async function ownerOfRefusedKeys({ service, works }: Place, seconds: number): Promise<string[]> {
  const [{ companyId, key }] = works as [Works]
  const before = await settledUse(service, companyId)
  const { sent, refused } = await scriptOf(service, key, seconds)
  const counted = (await usedBy(service, companyId)) - before
  return [
    ...(refused === 0 ? [] : [`${refused} of ${sent} requests of the company whose other keys are refused failed`]),
    ...(counted === sent - refused ? [] : [`${counted} requests were counted for a company that sent ${sent}`]),
  ]
}

/** Requests that an earlier attack has abandoned may still be counted. */
async function settledUse(service: Service, companyId: number): Promise<number> {
  for (let used = await usedBy(service, companyId); ; ) {
    await sleep(500)
    const now = await usedBy(service, companyId)
    if (now === used) return now
    used = now
  }
}

async function startAttack(order: Order): Promise<Report> {
  const child = fork(attacker, { stdio: 'inherit' })
  return await new Promise<Report>((resolve, reject) => {
    child.once('message', (report) => resolve(report as Report))
    child.once('exit', (code) => reject(new Error(`the attacker ended with ${code}`)))
    child.send(order)
  })
}

export const hostile: Campaign = {
  name: 'hostile',
  about:
    'Hostile companies, one and ten at a time, and an anonymous client attack the service in every way that two reviews found (a run is a second of each attack) while a normal company works: it loses no request, its p99 stays under 200 ms or three times what it is without an attack (500 ms or ten times beside sixteen of the dearest requests), no error is logged, the service stays under 600 MB, each PostgreSQL backend under 300 MB, every query of an abandoned request is cancelled, and requests whose work was started are counted.',
  isMeasurement: true,
  short: { runs: 4 },
  long: { runs: 20 },
  run,
}
