// Large writes are planned in another thread. For every method the thread returns exactly what the process itself would have planned.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Ids } from '../../kernel/clock.ts'
import type { Raw } from '../../kernel/json.ts'
import type { Method, WriteMethod } from '../../kernel/method.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { methodsOfRecords } from '../../methods.ts'
import { closeDatabase, type Database, openDatabase } from '../../platform/postgres/database.ts'
import { LargeJson } from '../../platform/postgres/round-trip.ts'
import { Busy } from '../../platform/process/faults.ts'
import { computePlan, type Planned } from '../../platform/requests/planning.ts'
import { type Planner, type PlanningOptions, PlanningThread } from '../../platform/requests/planning-thread.ts'
import { runWrite } from '../../platform/requests/run.ts'
import { changesUnderWay } from '../../stock/preview.ts'
import { databaseUrl } from '../harness/database.ts'
import { given } from '../harness/given.ts'
import { until } from '../harness/until.ts'
import { fullRequest } from './declared.ts'
import { makeWorld } from './world.ts'

const thread = new PlanningThread(new URL('../../plan-thread.ts', import.meta.url), methodsOfRecords, {
  largeLength: 0,
})
const writes = methodsOfRecords.filter((method) => method.kind === 'write')
let database: Database

before(async () => {
  database = openDatabase(databaseUrl(), { connections: 2, streams: 1 })
  assert.ok(await thread.starts(60_000), 'otherwise the process would plan by itself')
})

after(async () => {
  await thread.stop()
  await closeDatabase(database)
})

const parsed = (facts: unknown): object =>
  Object.fromEntries(
    Object.entries(facts ?? {}).map(([name, value]) => [
      name,
      value instanceof LargeJson ? JSON.parse(value.text) : value,
    ]),
  )

/** What was planned, or the refusal. */
const outcomeOf = (planning: Promise<Planned>): Promise<object> =>
  planning.catch((error) => {
    if (!(error instanceof Refusal)) throw error
    return { text: error.message, detail: error.detail }
  })

/** Plans with the thread, and compares its result with that of this process. */
function comparing(outcomes: Map<string, object>): Planner {
  return {
    largeLengthOf: (method) => thread.largeLengthOf(method),
    takes: (method, facts, length) => thread.takes(method, facts, length),
    plan: async (method, job, transaction) => {
      const own = { ...transaction, ids: new Ids(transaction.ids.all) }
      const ownJob = { ...job, facts: parsed(job.facts) }
      const here = await outcomeOf(computePlan(method as WriteMethod, ownJob, own, (_, work) => work()))
      const planned = thread.plan(method, job, transaction)
      const outcome = await outcomeOf(planned)
      assert.deepEqual(outcome, structuredClone(here), method.path)
      outcomes.set(method.path, outcome)
      return await planned
    },
  }
}

async function planEach(requestOf: (method: Method) => Raw, companyId: number): Promise<ReadonlyMap<string, object>> {
  const context = {
    companyId,
    connectionId: null,
    userId: null,
    requestId: 'req_0000000000000000',
    source: 'api',
  } as const
  const outcomes = new Map<string, object>()
  const dryRun = { effectOf: (company_id: number) => changesUnderWay({ company_id }), responseOf: () => '' }
  const options = { planner: comparing(outcomes), dryRun }
  for (const method of writes) {
    const input = method.input.read(requestOf(method))
    await runWrite(database.pool, method, input, context, undefined, undefined, options).catch((error) => {
      if (!(error instanceof Refusal)) throw error
    })
  }
  return outcomes
}

test('every write is planned in the thread as in the process', async () => {
  const world = await makeWorld()
  const outcomes = await planEach((method) => fullRequest(method, world), world.company.id)
  assert.deepEqual(
    [...outcomes.keys()],
    writes.map(({ path }) => path),
  )
  const refused = [...outcomes].filter(([, outcome]) => 'text' in outcome)
  assert.ok(refused.length <= 5, `most writes are planned, not refused:\n${JSON.stringify(refused, null, 2)}`)
})

test('what the thread refuses is refused with the same text and code', async () => {
  const world = await makeWorld()
  const { id } = await given.company()
  const outcomes = await planEach((method) => fullRequest(method, world), id)
  const refused = [...outcomes.values()].filter((outcome) => 'text' in outcome)
  assert.ok(refused.length >= writes.length / 2, 'another company has none of the records')
})

/** Adds a customer, planned by a thread with this code. */
async function addingWith(code: string, options: PlanningOptions = {}) {
  const file = new URL(`data:text/javascript,${encodeURIComponent(code)}`)
  const planner = new PlanningThread(file, methodsOfRecords, { largeLength: 0, waitingLength: 0, ...options })
  const method = writes.find(({ path }) => path === 'customers/add') ?? assert.fail()
  const { id: companyId } = await given.company()
  const context = { companyId, connectionId: null, userId: null, requestId: 'req_1', source: 'api' } as const
  const add = async (name: string): Promise<string> => {
    const input = method.input.read({ name })
    return (await runWrite(database.pool, method, input, context, undefined, undefined, { planner })).body
  }
  return { add, planner }
}

test('when the thread ends, its write is answered as busy, and the next one starts another', async () => {
  const { add, planner } = await addingWith(
    "import { parentPort } from 'node:worker_threads'; parentPort.postMessage('ready'); parentPort.on('message', () => process.exit(1))",
  )
  for (let attempt = 0; attempt < 2; attempt++) {
    assert.ok(await planner.starts(60_000))
    await assert.rejects(add('Oak & Co'), Busy)
  }
})

/** Refuses every write with the number of the thread. */
const refusing = `
  import { parentPort, threadId } from 'node:worker_threads'
  parentPort.postMessage('ready')
  parentPort.on('message', () => parentPort.postMessage({ refused: { text: String(threadId), detail: { code: 'malformed' } } }))`

test('a thread that has nothing to plan ends, and the next write starts another', async () => {
  for (const [idleMs, isSame] of [
    [60_000, true],
    [1, false],
  ] as const) {
    const { add, planner } = await addingWith(refusing, { idleMs })
    const threadOf = async (): Promise<string> => {
      assert.ok(await planner.starts(60_000))
      const error = await add('Oak & Co').then(assert.fail, (refusal: unknown) => refusal)
      assert.ok(error instanceof Refusal)
      return error.message
    }
    const first = await threadOf()
    if (isSame) assert.equal(await threadOf(), first)
    else await until(async () => (await threadOf()) !== first)
    await planner.stop()
  }
})

const neverReady = 'setInterval(() => {}, 1_000_000)'

test('without a thread that starts, or starts in time, the process plans by itself', async () => {
  for (const code of ['process.exit(1)', neverReady]) {
    const { add, planner } = await addingWith(code)
    for (const id of [1, 2]) assert.equal(JSON.parse(await add(`Customer ${id}`)).customer_id, id, code)
    await planner.stop()
  }
})

test('only the largest writes wait for a thread that is starting', async () => {
  const { add, planner } = await addingWith(neverReady, { waitingLength: 1, startMs: 2_147_483_647 })
  assert.equal(JSON.parse(await add('Oak & Co')).customer_id, 1)
  await planner.stop()
})
