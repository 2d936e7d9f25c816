// Runs a sequence in a company and in the model, and compares them: every response, and at the end everything that can be read.

import assert from 'node:assert/strict'
import { broken, query } from '../../harness/database.ts'
import type { Company } from '../../harness/given.ts'
import { type Connected, connect, must, startOf } from './company.ts'
import { compareDay, compareDocuments, compareExternal, compareLevels } from './compare.ts'
import { enter, wrongCosts } from './documents.ts'
import { FeedReader } from './feed-reader.ts'
import { cents, idFields, plan, prefixes } from './requests.ts'
import { type Document, type Fault, Open, type Planned, type State } from './state.ts'
import { type Act, type Dry, dayAt, type Step } from './steps.ts'

/** Statistics of what was run, to verify that the run was meaningful. */
export type Played = { operations: number; paths: Map<string, number>; open: Map<string, number>; days: number }
export const nothingPlayed = (): Played => ({ operations: 0, paths: new Map(), open: new Map(), days: 0 })

const count = (map: Map<string, number>, key: string): void => void map.set(key, (map.get(key) ?? 0) + 1)

export async function play(
  steps: readonly Step[],
  played: Played,
  fault?: Fault,
  days?: readonly string[],
): Promise<void> {
  const connected = await connect()
  const readers = connected.calls.map((call) => new FeedReader(call))
  let state = await startOf(connected, fault)
  for (const [at, step] of steps.entries()) {
    if ('read' in step) {
      await readers[step.read]?.read(step.limit)
      continue
    }
    try {
      const planned = plan(state, step.act, step.by)
      state = await send(connected, state, planned, step, `step ${at}: ${planned.path} ${JSON.stringify(planned.body)}`)
      played.operations += 1
      count(played.paths, planned.path)
    } catch (error) {
      if (!(error instanceof Open)) throw error
      count(played.open, error.message)
    }
  }
  await compareLevels(connected.company, state)
  await compareDocuments(connected.company, state)
  await compareExternal(connected, state)
  for (const day of days ?? [0, 1, 2].map((third) => dayAt(60 + 120 * third))) {
    await compareDay(connected.company, state, day)
    played.days += 1
  }
  for (const reader of readers) await reader.compare()
  assert.deepEqual(await broken(connected.company.id), [])
}

const dryRun = { 'Kontor-Dry-Run': 'true' }

async function seqOf(company: Company): Promise<number> {
  const [row] = await query(company.id, 'select seq::int as seq from company_clock where company_id = $1', [company.id])
  return row.seq
}

/** Sends the request as it is wanted; returns the state after it. */
async function send(
  { company, calls }: Connected,
  before: State,
  planned: Planned,
  { by, dry }: { readonly by: 0 | 1; readonly dry: Dry },
  message: string,
): Promise<State> {
  const call = calls[by]
  if (dry !== 'no' || planned.isDryOnly === true) {
    const seq = await seqOf(company)
    const reply = await call(planned.path, planned.body, dryRun)
    const { dry_run, effects, ...body } = reply.body
    assert.deepEqual(
      [dry_run, effects === undefined],
      reply.status === 200 ? [true, false] : [undefined, true],
      message,
    )
    compareResponse(body, planned, message)
    assert.equal(await seqOf(company), seq, `a dry run changes nothing: ${message}`)
  }
  if (dry === 'only' || planned.isDryOnly === true)
    return before.fault === 'a dry run is real' && planned.added === undefined ? planned.state : before
  const reply = await call(planned.path, planned.body)
  compareResponse(reply.body, planned, message)
  if (planned.added !== undefined) await compareAdded(call, planned.state, planned.added, planned.body, message)
  return planned.state
}

function compareResponse(body: object, { expected }: Planned, message: string): void {
  const { customer_id: _customer, ...rest } = body as Record<string, unknown>
  assert.deepEqual(rest, { success: true, ...expected }, message)
}

/** The number of a new document, and the costs of a purchase, which it is then booked with. */
async function compareAdded(call: Company['call'], state: State, added: Document, body: object, message: string) {
  const { section, id } = added
  const field = idFields[section]
  const entry = (await must(call, `${section}/get_entry`, { [field]: id }))[field.replace('_id', '')]
  const numbers = state.numbers.get(section)
  assert.ok(numbers !== undefined)
  const given = new Set(numbers.given)
  let last = numbers.last
  if (section !== 'orders' && added.num === '') {
    last = Number(entry.num.slice(prefixes[section].length))
    const taken = (number: number): boolean => given.has(`${prefixes[section]}${number}`)
    const isTaken = state.documents.some((one) => one !== added && one.section === section && one.num === entry.num)
    assert.ok(!isTaken, `${message}: ${entry.num} exists`)
    if (state.fault === 'an automatic number may exist') assert.equal(last, numbers.last + 1, message)
    assert.ok(last > numbers.last, `${message}: ${entry.num} was given before`)
    for (let between = numbers.last + 1; between < last; between++)
      assert.ok(taken(between), `${message}: ${entry.num} skips ${between}`)
    added.num = entry.num
  }
  if (section !== 'orders') assert.equal(entry.num, added.num, message)
  state.numbers.set(section, { ...numbers, last, given: given.add(added.num) })
  if (section !== 'purchases') return
  const costs = [...entry.products, ...entry.materials].map((line: { cost: number }) => cents(line.cost))
  assert.deepEqual(wrongCosts(state, added, costs, cents(entry.adjustment)), [], message)
  for (const [at, line] of added.lines.entries()) line.cost = (costs[at] ?? 0n) * 10_000n
  enter(state, added, (body as { status: number }).status)
}

/** One document after the other, each in the model first. */
export async function playAll(
  connected: Connected,
  start: State,
  acts: readonly ((state: State) => Act | undefined)[],
): Promise<State> {
  let state = start
  for (const actOf of acts) {
    const act = actOf(state)
    if (act === undefined) continue
    const planned = plan(state, act, 0)
    state = await send(
      connected,
      state,
      planned,
      { by: 0, dry: 'no' },
      `${planned.path} ${JSON.stringify(planned.body)}`,
    )
  }
  return state
}
