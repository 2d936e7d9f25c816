// Every method with the largest data that its limits allow: how long it holds the event loop, in which all other requests of the process wait.

import { mkdtempSync, rmSync } from 'node:fs'
import { request as httpRequest } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import type { Method } from '../../server/kernel/method.ts'
import { methods } from '../../server/methods.ts'
import { makeWorld, newCompany, type World } from '../../server/test/contract/world.ts'
import { given, type User } from '../../server/test/harness/given.ts'
import type { Campaign, Outcome } from '../campaign.ts'
import { isBusy, measureStolen } from '../idle-machine.ts'
import { withService } from '../scratch-service.ts'
import { type Limits, largestRequest, learn } from './largest.ts'

const longestMs = 50
const mostRefusals = 12

/** Methods whose response names the record that they created, and the field by which others refer to it. */
const createdBy = new Map(
  [
    'orders',
    'purchases',
    'productions',
    'writeoffs',
    'transfers',
    'audits',
    'products',
    'materials',
    'customers',
    'suppliers',
  ].map((section) => [`${section}/add`, section === 'orders' ? 'order_id' : `${section.slice(0, -1)}_id`]),
)

/** Methods that change who may call: they would end the session or key that the others need. */
const leftOut = /^(connections|keys|users|invitations|session|settings)\//

type Called = {
  readonly status: number
  readonly error: string
  readonly id: number | undefined
  readonly bytes: number
}

/** Documents and items are created first, so that the other methods find records as large as they can be. */
const inOrder = (all: readonly Method[]): Method[] => {
  const rank = ({ path }: Method): number => (createdBy.has(path) ? 0 : /delete/.test(path) ? 2 : 1)
  return all.filter(({ path }) => !leftOut.test(path)).sort((one, other) => rank(one) - rank(other))
}

async function call(method: Method, world: World, owner: User, request: object): Promise<Called> {
  const caller = method.api === 'public' ? world.company : owner
  const { status, text, body } = await caller.call(method.path, request)
  const field = createdBy.get(method.path) ?? ''
  return { status, error: String(body?.error ?? ''), id: body?.[field], bytes: text.length }
}

type Fitted = { readonly limits: Limits; readonly called: Called; readonly heldMs: number }

/** What the largest request is like that is accepted, found by sending and learning. */
async function fitted(method: Method, world: World, owner: User, path: string): Promise<Fitted> {
  const limits: Limits = new Map()
  for (let refusals = 0; ; refusals++) {
    const request = largestRequest(method, world, limits)
    await begin(path)
    const called = await call(method, world, owner, request)
    const heldMs = await meter(path)
    if (called.status !== 400 || refusals === mostRefusals || !learn(limits, called.error))
      return { limits, called, heldMs }
  }
}

/** Begins a measurement. */
async function begin(path: string): Promise<void> {
  await meter(path, '/begin')
  // The meter begins a moment after its response.
  await sleep(10)
}

async function meter(path: string, question = '/'): Promise<number> {
  return await new Promise((resolve, reject) => {
    const asked = httpRequest({ socketPath: path, path: question }, (response) => {
      let text = ''
      response.on('data', (chunk) => {
        text += chunk
      })
      response.on('end', () => resolve(JSON.parse(text).longestMs))
    })
    asked.on('error', reject)
    asked.end()
  })
}

type Held = {
  readonly method: string
  readonly ms: number
  readonly status: number
  readonly error: string
  readonly sent: number
  readonly received: number
}

export const blocking: Campaign = {
  name: 'blocking',
  about: `Every method is called with the largest data that its limits allow; none holds the event loop for more than ${longestMs} ms.`,
  isMeasurement: true,
  short: { runs: 1 },
  long: { runs: 3 },
  run: async ({ runs, short, judgesTime, say }): Promise<Outcome> => {
    const folder = mkdtempSync(join(tmpdir(), 'kontor-meter-'))
    const path = join(folder, 'meter')
    const env = {
      NODE_OPTIONS: `--import=${pathToFileURL(join(import.meta.dirname, 'loop-meter.ts')).href}`,
      LOOP_METER_SOCKET: path,
    }
    const stolen = measureStolen()
    try {
      const held = await withService({ servers: 1, env }, async () => {
        const company = await newCompany()
        const world = await makeWorld('LIVE', company)
        const owner = await given.user(company)
        const measured: Held[] = []
        const named = process.env['KONTOR_METHOD']
        const chosen = inOrder(methods).filter(({ path }, at) =>
          named === undefined ? !short || at % 8 === 0 : named.split(',').includes(path),
        )
        for (const method of chosen) {
          const one = await holdOf(method, world, owner, path, runs)
          measured.push(one)
          say(
            `${one.ms.toFixed(0).padStart(6)} ms  ${one.method} (${one.status} ${one.error}; ${one.sent} bytes sent, ${one.received} received)`,
          )
        }
        return measured
      })
      const busy = stolen()
      const over = held.filter(({ ms }) => ms > longestMs)
      const isJudged = judgesTime && !isBusy(busy)
      const longest = held.toSorted((one, other) => other.ms - one.ms).slice(0, 10)
      return {
        counts: {
          methods: held.length,
          'accepted with the largest data': held.filter(({ status }) => status === 200).length,
          'over the limit': over.length,
          ...Object.fromEntries(longest.map(({ method, ms }) => [`ms ${method}`, Math.round(ms)])),
        },
        found: [
          ...held
            .filter(({ status }) => status >= 500)
            .map(({ method, status, error }) => `${method}: ${status} ${error}`),
          ...(isJudged ? over.map(({ method, ms }) => `${method} held the event loop for ${Math.round(ms)} ms`) : []),
        ],
      }
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  },
}

/** The shortest of several measurements: what else happens in the process only adds to it. One that ended otherwise than the first did less, as a second deletion does. */
async function holdOf(method: Method, world: World, owner: User, path: string, runs: number): Promise<Held> {
  const { limits, called, heldMs: firstMs } = await fitted(method, world, owner, path)
  const field = createdBy.get(method.path)
  if (field !== undefined && called.id !== undefined) (world.values as Map<string, unknown>).set(field, called.id)
  let [ms, worst, sent] = [firstMs, called, 0]
  for (let run = 0; run < runs; run++) {
    // Numbers and names of its own: one that is taken would be refused early.
    const request = largestRequest(method, world, limits)
    sent = JSON.stringify(request).length
    await begin(path)
    const again = await call(method, world, owner, request)
    const heldMs = await meter(path)
    if (again.status === called.status) ms = Math.min(ms, heldMs)
    if (again.status > worst.status) worst = again
  }
  return { method: method.path, ms, status: worst.status, error: worst.error, sent, received: called.bytes }
}
