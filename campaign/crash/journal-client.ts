// A separate process, outside of what is crashed: callers that keep a journal. Its parent sends it the address, and when to
// pause and to end. Half of the operations have an Idempotency-Key and are retried until they get a response.

import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { methodPath } from '../../server/platform/http/paths.ts'
import { randomOf } from '../campaign.ts'
import { inProgress, Journal } from './journal.ts'
import { type Body, Lane, marked, type PlannedRequest } from './load.ts'

export type Orders = {
  readonly url: string
  readonly journal: string
  readonly companies: readonly { readonly id: number; readonly key: string }[]
  readonly lanes: number
  readonly seed: number
}
export type Command = { readonly do: 'pause' | 'resume' | 'end' }
export type Report = { readonly quiet: true } | { readonly quiet: false; readonly fault: string }

/** Longer than the service may ever take: a request without a response by then was left hanging. */
const patienceMs = 20_000
/** An operation with a key is retried for this long: longer than a restart may take on a busy machine (120 s). */
const persistMs = 150_000

type Heard = { readonly status: number; readonly request: string; readonly text: string }

const orders = JSON.parse(process.argv[2] ?? '') as Orders
const journal = await Journal.open(orders.journal)
let paused = false
let ended = false
let busy = orders.lanes
let resumed: () => void = () => {}
let resume = Promise.resolve()

process.on('message', (command: Command) => {
  if (command.do === 'end') ended = true
  if (command.do === 'pause' && !paused) {
    paused = true
    resume = new Promise((resolve) => {
      resumed = resolve
    })
    if (busy === 0) tell({ quiet: true })
  } else if (command.do === 'pause' && busy === 0) tell({ quiet: true })
  if (command.do !== 'pause' && paused) {
    paused = false
    busy = orders.lanes
    resumed()
  }
})
process.on('disconnect', () => process.exit(1))

const tell = (report: Report): void => void process.send?.(report)

async function runLane(number: number): Promise<void> {
  const company = orders.companies[number % orders.companies.length]
  if (company === undefined) throw new Error('no company to call for')
  const random = randomOf(orders.seed * 1_000 + number)
  const lane = new Lane(number, random)
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const caller = { company, agent, lane }
  for (const planned of lane.initialRequests()) {
    const { outcome, answer, last } = await sendUntilDecided(caller, planned, true)
    if (outcome !== 'done') throw new Error(`${planned.path} of the initial records failed: ${last}`)
    lane.recordInitial(planned, answer)
  }
  while (!ended) {
    if (paused) {
      busy -= 1
      if (busy === 0) tell({ quiet: true })
      await resume
      continue
    }
    const planned = lane.nextRequest()
    const { outcome, answer } = await sendUntilDecided(caller, planned, random() < 0.5)
    lane.recordOutcome(planned, outcome, answer)
  }
  agent.destroy()
}

type Caller = {
  readonly company: { readonly id: number; readonly key: string }
  readonly agent: Agent
  readonly lane: Lane
}
let ops = 0

/** Sends a request, and repeats it with the same key until its outcome is known or time is up. */
async function sendUntilDecided(
  { company, agent, lane }: Caller,
  planned: PlannedRequest,
  keyed: boolean,
): Promise<{ outcome: 'done' | 'not done' | 'unknown'; answer: Body; last: string }> {
  const op = `op-${orders.seed}-${++ops}`
  const { path, body } = marked(planned, op)
  const key = keyed ? `key-${op}` : null
  const began = Date.now()
  let sentOnce = false
  let last = ''
  for (let attempt = 1; ; attempt++) {
    const atMs = Date.now()
    const about = { op, lane: lane.number, company: company.id, path, body, key, attempt, atMs }
    await journal.write({ kind: 'sent', ...about })
    const heard = await ask(agent, path, company.key, key, JSON.stringify(body)).catch((error: Error) => error)
    const tookMs = Date.now() - atMs
    if (heard instanceof Error) {
      const why = 'code' in heard ? String(heard.code) : heard.message
      const sent = why !== 'ECONNREFUSED'
      sentOnce ||= sent
      last = why
      await journal.write({ kind: 'silent', op, sent, why, tookMs, atMs: Date.now() })
    } else {
      const { status, request, text } = heard
      last = `${status} ${text}`
      await journal.write({ kind: 'response', op, status, request, answer: text, tookMs, atMs: Date.now() })
      if (status === 200) return { outcome: 'done', answer: JSON.parse(text) as Body, last }
      const open = status === 503 || status === 500 || (status === 409 && text.includes(inProgress))
      sentOnce ||= open && status !== 503
      if (!open) return { outcome: 'not done', answer: {}, last }
    }
    if (!keyed || Date.now() - began > persistMs) {
      // The service may be down for a while: wait between attempts.
      await sleep(20)
      return { outcome: sentOnce ? 'unknown' : 'not done', answer: {}, last }
    }
    await sleep(10 + Math.min(attempt * 20, 200))
  }
}

function ask(agent: Agent, path: string, apiKey: string, key: string | null, body: string): Promise<Heard> {
  return new Promise((resolve, reject) => {
    const headers = {
      Authorization: apiKey,
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(body),
      ...(key === null ? {} : { 'Idempotency-Key': key }),
    }
    const sent = request(orders.url + methodPath(path), { method: 'POST', agent, headers }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('close', () => {
        clearTimeout(patience)
        if (!response.complete) return reject(new Error('connection closed within the response'))
        const text = Buffer.concat(chunks).toString('utf8')
        resolve({ status: response.statusCode ?? 0, request: String(response.headers['x-request-id']), text })
      })
    })
    const patience = setTimeout(() => sent.destroy(new Error('no answer')), patienceMs)
    sent.on('error', (error) => {
      clearTimeout(patience)
      reject(error)
    })
    sent.end(body)
  })
}

try {
  await Promise.all(Array.from({ length: orders.lanes }, (_, number) => runLane(number)))
  await journal.close()
  process.disconnect()
} catch (error) {
  tell({ quiet: false, fault: error instanceof Error ? (error.stack ?? error.message) : String(error) })
  process.exitCode = 1
  process.disconnect()
}
