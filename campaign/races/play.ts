// Runs one history over HTTP: every client on its own connection, through two server processes, while the company changes its settings and
// receives goods. Some requests have an Idempotency-Key and are sent a second time.

import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { configureCompany } from '../../server/access/settings/edit.ts'
import type { RequestContext as Caller } from '../../server/kernel/clock.ts'
import { methodPath } from '../../server/platform/http/paths.ts'
import type { Pool } from '../../server/platform/postgres/database.ts'
import { runWrite } from '../../server/platform/requests/run.ts'
import { broken } from '../../server/test/harness/database.ts'
import type { Company } from '../../server/test/harness/given.ts'
import { receiptMethod } from '../../server/test/harness/receipt.ts'
import { found as foundCompany } from '../../server/test/model/company.ts'
import { methods } from '../../server/test/model/methods.ts'
import { modelOutside } from '../../server/test/model/outside.ts'
import { compareReading } from '../../server/test/model/play.ts'
import { compareRecords } from '../../server/test/model/records.ts'
import type { State } from '../../server/test/model/state.ts'
import { type Call, determined, type History, type OwnStep } from './history.ts'
import { type Act, replay } from './replay.ts'

export type Ground = {
  readonly urls: readonly string[]
  readonly pool: Pool
  readonly events: (companyId: number) => Promise<readonly string[]>
  /** From 0 to 1. */
  readonly random: () => number
}

export type Played = {
  readonly found: readonly string[]
  readonly requests: number
  readonly events: number
  readonly refused: number
  readonly sentAgain: number
  readonly open?: string
}

export async function playHistory(history: History, ground: Ground): Promise<Played> {
  const { company, state } = await foundCompany({ settings: history.settings, steps: [] }, undefined)
  const before = (await ground.events(company.id)).length
  const acts: Act[] = []
  const found: string[] = []
  let sentAgain = 0
  const ask = async (one: Call, client: number): Promise<void> => {
    const again = !one.call.includes('/get_') && ground.random() < 0.2
    if (!again) {
      acts.push(await send(ground, company, one, client, {}))
      return
    }
    sentAgain++
    const twice = await sendTwice(ground, company, one, client)
    acts.push(twice.act)
    found.push(...twice.found)
  }
  for (const one of determined(history.opening, state)) await ask(one, 0)
  const sample = lastState(acts, await ground.events(company.id), before, state)
  const clients = history.clients.map(async (calls, client) => {
    for (const one of determined(calls, sample)) await ask(one, client)
  })
  const own = (async () => {
    for (const step of history.own) acts.push(await doOwn(ground, company, step))
  })()
  await Promise.all([...clients, own])

  const events = (await ground.events(company.id)).slice(before)
  const replayed = replay(acts, events, state)
  found.push(...replayed.found)
  if (found.length === 0 && replayed.state !== undefined) found.push(...(await atTheEnd(company, replayed.state)))
  found.push(...(await broken(company.id)).map((one) => `${one.invariant}: ${JSON.stringify(one.row)}`))
  return {
    found,
    requests: acts.length,
    events: events.length,
    refused: acts.filter((act) => act.status !== 200).length,
    sentAgain,
    ...(replayed.open === undefined ? {} : { open: replayed.open }),
  }
}

/** The state after the initial sales, which were added one after the other. */
function lastState(acts: readonly Act[], events: readonly string[], before: number, start: State): State {
  return replay(acts, events.slice(before), start).state ?? start
}

async function atTheEnd(company: Company, state: State): Promise<string[]> {
  try {
    await compareReading(company, state)
    await compareRecords(company, state)
    return []
  } catch (error) {
    return [`at the end: ${error instanceof Error ? error.message : error}`]
  }
}

async function send(
  ground: Ground,
  company: Company,
  one: Call,
  client: number,
  headers: Record<string, string>,
): Promise<Act & { replayed: boolean }> {
  const url = `${ground.urls[client % ground.urls.length]}${methodPath(one.call)}`
  const init = {
    method: 'POST',
    headers: { authorization: company.key, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(one.body),
  }
  for (;;) {
    const sentMs = performance.now()
    const response = await fetch(url, init)
    const text = await response.text()
    const answeredMs = performance.now()
    if (response.status === 503) {
      // Busy, decided before the request was read.
      await sleep(20)
      continue
    }
    return {
      description: `${one.call} ${init.body}`,
      model: (state) => methods[one.call](state, one.body),
      sentMs,
      answeredMs,
      status: response.status,
      body: readJson(text),
      requestId: response.headers.get('x-request-id') ?? '',
      replayed: response.headers.get('idempotent-replayed') === 'true',
    }
  }
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** At the same time through both processes, or again after the first response: it has one effect and one response. */
async function sendTwice(
  ground: Ground,
  company: Company,
  one: Call,
  client: number,
): Promise<{ act: Act; found: string[] }> {
  const headers = { 'idempotency-key': randomUUID() }
  const atOnce = ground.random() < 0.5
  const first = send(ground, company, one, client, headers)
  if (!atOnce) await first
  const both = await Promise.all([first, send(ground, company, one, client + 1, headers)])
  const ran = both.filter((one) => !one.replayed && !isInProgress(one))
  // A refusal is not stored under the key: the duplicate of a refused request runs, too.
  const effective = ran.filter(({ status }) => status === 200)
  const act = effective[0] ?? ran[0] ?? both[0]
  const twin = both.find((other) => other !== act) as (typeof both)[number]
  const span = {
    ...act,
    sentMs: Math.min(act.sentMs, twin.sentMs),
    answeredMs: Math.max(act.answeredMs, twin.answeredMs),
  }
  const isSame = twin.status === act.status && JSON.stringify(twin.body) === JSON.stringify(act.body)
  const isRefused = !twin.replayed && twin.status >= 400
  const found =
    ran.length > 0 && effective.length <= 1 && (isSame || isRefused)
      ? []
      : [`sent twice under one key, ran ${ran.length} times: ${act.description} → ${both.map(outcome).join(' and ')}`]
  // The response of the request that ran is recorded when it arrives; the duplicate only tests the key.
  return { act: ran.length > 0 ? act : span, found }
}

const outcome = ({ status, body }: Act): string => `${status} ${JSON.stringify(body)}`

const isInProgress = ({ status, body }: Act): boolean =>
  status === 409 && (body as { error?: string }).error === 'A request with this Idempotency-Key is in progress'

/** As the app API does it: through the runner of writes, from this process. */
async function doOwn({ pool }: Ground, company: Company, step: OwnStep): Promise<Act> {
  const caller: Caller = {
    companyId: company.id,
    connectionId: null,
    userId: null,
    requestId: `own_${randomUUID()}`,
    source: 'system',
  }
  const sentMs = performance.now()
  const outcome =
    'settings' in step
      ? await runWrite(pool, configureCompany, configureCompany.input.read(step.settings), caller, undefined, undefined)
      : await runWrite(pool, receiptMethod(step.receive), {}, caller, undefined, undefined)
  return {
    description: JSON.stringify(step),
    model: (state) => ({
      reply: { status: 200, body: { success: true } },
      state: 'settings' in step ? { ...structuredClone(state), ...step.settings } : modelOutside(state, step),
    }),
    sentMs,
    answeredMs: performance.now(),
    status: 200,
    body: JSON.parse(outcome.body),
    requestId: caller.requestId,
  }
}
