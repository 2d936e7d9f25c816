// Runs a declared method: a read takes one round trip, a write takes two, with pure planning between them.
// Every write locks the company's clock row, so a company has one writer at a time and its writes have an order.
// Long because all steps of a write are in one place.

import type { RequestContext, TransactionContext } from '../../kernel/clock.ts'
import type { ReadMethod, ResponseFields, WriteMethod } from '../../kernel/method.ts'
import { Refusal } from '../../kernel/refusal.ts'
import type { Statement } from '../../kernel/statement.ts'
import { asCompany } from '../postgres/company-transaction.ts'
import type { Connection, RoundTripOptions } from '../postgres/connection.ts'
import { costName } from '../postgres/costs.ts'
import type { Pool } from '../postgres/database.ts'
import type { RoundTripResult } from '../postgres/round-trip.ts'
import { bounds } from '../process/config.ts'
import { holdingLoop, inStep } from '../process/event-loop.ts'
import { CallerGone, mayRunAgain, OutcomeUnknown, sqlState } from '../process/faults.ts'
import { addWritten, advanceClock, type ClockRow, lockClock, transactionOf } from './company-clock.ts'
import {
  findKept,
  type Idempotency,
  inProgress,
  type StoredResponse,
  storeResponse,
  tryIdempotencyLock,
} from './idempotency.ts'
import { computePlan } from './planning.ts'
import { beginCount, countBegun, loadRow, type QuotaCheck, readCounted } from './quota.ts'
import { responseText } from './response-text.ts'
import { bytesOf, refuseFull } from './storage-limit.ts'
import { refuseChanged, runDry, type WriteOptions } from './write-options.ts'

/** A successful write; a refused one throws its refusal. */
export type Outcome = {
  readonly body: string
  readonly replayed?: boolean
  readonly seq?: number
}

const begin = (companyId: number): string => `begin; ${asCompany(companyId)}`

export type ReadOptions = {
  /** Aborted when the caller has gone. */
  readonly signal?: AbortSignal | undefined
  /** Whether the request searches for a text, which reads all records of the company. */
  readonly isSearch?: boolean
}

export async function runRead<I, Row>(
  pool: Pool,
  method: ReadMethod<I, Row>,
  input: I,
  context: RequestContext,
  quota: QuotaCheck | undefined,
  { signal, isSearch }: ReadOptions = {},
): Promise<ResponseFields> {
  const { companyId } = context
  const work = async (connection: Connection) => {
    const query = method.query(input, context)
    const reads = isSearch === true ? [`set local statement_timeout = ${bounds.searchMs}`, query] : [query]
    const trip = await readCounted(connection, companyId, reads, quota, signal)
    if (trip.error !== undefined) {
      await countBegun(connection, companyId, quota, trip.error)
      throw signal?.aborted === true ? new CallerGone() : trip.error
    }
    return holdingLoop('response', () => method.response(trip.rows(reads.length), input))
  }
  return await pool.useFor(companyId, work, { method: costName(method, isSearch), signal })
}

export async function runWrite<I, Facts, Plan>(
  pool: Pool,
  method: WriteMethod<I, Facts, Plan>,
  input: I | Refusal,
  context: RequestContext,
  quota: QuotaCheck | undefined,
  idempotency: Idempotency | undefined,
  options: WriteOptions = {},
): Promise<Outcome> {
  const name = costName(method)
  for (let attempt = 1; ; attempt++) {
    try {
      // A retry is not counted again.
      const counted = attempt === 1 ? quota : undefined
      const request = { method, input, context, quota: counted, idempotency, options }
      return await pool.useFor(context.companyId, (connection) => attemptWrite(connection, request), { method: name })
    } catch (error) {
      if (attempt === 3 || !mayRunAgain(error)) throw error
    }
  }
}

type WriteRequest<I, Facts, Plan> = {
  readonly method: WriteMethod<I, Facts, Plan>
  readonly input: I | Refusal
  readonly context: RequestContext
  readonly quota: QuotaCheck | undefined
  readonly idempotency: Idempotency | undefined
  readonly options: WriteOptions
}

async function attemptWrite<I, Facts, Plan>(
  connection: Connection,
  request: WriteRequest<I, Facts, Plan>,
): Promise<Outcome> {
  const { context, idempotency, method, options } = request
  const first = await lockAndRead(connection, request)
  if (idempotency !== undefined && first.kept?.[0] !== undefined) {
    await connection.roundTrip(['rollback'])
    return replayed(first.kept[0], idempotency)
  }
  try {
    const clock = loadRow(first.clock ?? [])
    if (!(request.input instanceof Refusal)) refuseFull(method, clock, options.storageLimitMib)
    const transaction = transactionOf(context, clock)
    const found = await readFound(connection, request, first)
    const outcome = await planAndCommit(connection, found.request, transaction, found.first)
    // The number of an event: something was written and committed.
    if (outcome.seq !== undefined && clock['has_webhooks'] === true) options.onChange?.(context.companyId)
    return outcome
  } catch (error) {
    if (connection.usable) await connection.roundTrip(['rollback'])
    throw error
  }
}

/** The rows of the first round trip by statement; `undefined` for a statement that was not sent or not run. */
type FirstTrip<Facts> = {
  readonly counted: readonly unknown[] | undefined
  readonly lock: readonly { free: boolean }[] | undefined
  readonly clock: readonly ClockRow[] | undefined
  readonly kept: readonly StoredResponse[] | undefined
  readonly found: readonly { readonly id: number }[] | undefined
  readonly facts: readonly Facts[] | undefined
  readonly moreFacts: readonly object[] | undefined
}

/** The first round trip: counts the request, takes the company's lock, and reads the facts. Throws when the request is refused. */
async function lockAndRead<I, Facts, Plan>(
  connection: Connection,
  { method, input, context, quota, idempotency, options }: WriteRequest<I, Facts, Plan>,
): Promise<FirstTrip<Facts>> {
  const { companyId } = context
  const parts: (string | Statement)[] = []
  const add = <Row>(part: Statement<Row>): ((trip: RoundTripResult) => readonly Row[] | undefined) => {
    const at = parts.push(part) - 1
    return (trip) => (trip.failed(at) ? undefined : trip.rows<Row>(at))
  }
  const key = idempotency === undefined ? undefined : { company_id: companyId, key: idempotency.key }

  if (quota !== undefined) parts.push(beginCount(companyId))
  const counted = quota === undefined ? undefined : add(quota.statement)
  parts.push(quota === undefined ? begin(companyId) : `commit; ${begin(companyId)}`)
  const lock = key === undefined ? undefined : add(tryIdempotencyLock(key))
  const clock = add(lockClock(companyId, options.at))
  const kept = idempotency === undefined ? undefined : add(findKept(companyId, idempotency))
  const find = input instanceof Refusal ? undefined : method.find?.(input, context)
  const found = find === undefined ? undefined : add(find)
  const facts = input instanceof Refusal ? undefined : add(await inStep('facts', () => method.facts(input, context)))
  const more = input instanceof Refusal ? undefined : method.moreFacts?.(input, context)
  const moreFacts = more === undefined ? undefined : add(more)

  const trip = await connection.roundTrip(parts, factsOptions(method, options))
  const first = {
    counted: counted?.(trip),
    lock: lock?.(trip),
    clock: clock(trip),
    kept: kept?.(trip),
    found: found?.(trip),
    facts: facts?.(trip),
    moreFacts: moreFacts?.(trip),
  }
  try {
    if (first.counted !== undefined) quota?.check(first.counted)
    if (first.lock !== undefined && !loadRow(first.lock).free) throw inProgress()
    if (trip.error !== undefined) throw trip.error
  } catch (error) {
    if (connection.usable) await connection.roundTrip(['rollback'])
    throw error
  }
  return first
}

/**
 * The facts about a record that the request names by an external id: in one more round trip, because they are read by id. The lock is held, so the
 * record cannot get another external id before it is written. If there is no such record, the facts are those of no record.
 */
async function readFound<I, Facts, Plan>(
  connection: Connection,
  request: WriteRequest<I, Facts, Plan>,
  first: FirstTrip<Facts>,
): Promise<{ readonly request: WriteRequest<I, Facts, Plan>; readonly first: FirstTrip<Facts> }> {
  const { method, context } = request
  const found = first.found?.[0]
  if (found === undefined || request.input instanceof Refusal) return { request, first }
  const input = { ...request.input, id: found.id }
  const more = method.moreFacts?.(input, context)
  const facts = await inStep('facts', () => method.facts(input, context))
  const options = factsOptions(method, request.options)
  const trip = await connection.roundTrip(more === undefined ? [facts] : [facts, more], options)
  if (trip.error !== undefined) throw trip.error
  return {
    request: { ...request, input },
    first: { ...first, facts: trip.rows<Facts>(0), moreFacts: more === undefined ? undefined : trip.rows<object>(1) },
  }
}

const factsOptions = (method: object, { planner }: WriteOptions): RoundTripOptions => ({
  mayCancel: true,
  largeJsonLength: planner?.largeLengthOf(method),
})

function replayed(kept: StoredResponse, idempotency: Idempotency): Outcome {
  if (!kept.request_hash.equals(idempotency.requestHash))
    throw new Refusal('Idempotency-Key was used with another request', { code: 'idempotency_key_reused' })
  return { body: kept.answer, replayed: true }
}

/** Plans the write, and executes the plan in the second round trip. */
async function planAndCommit<I, Facts, Plan>(
  connection: Connection,
  { method, input, idempotency, options }: WriteRequest<I, Facts, Plan>,
  transaction: TransactionContext,
  { facts, moreFacts }: FirstTrip<Facts>,
): Promise<Outcome> {
  const { companyId } = transaction.context
  const { expect, dryRun, planner, bodyLength = 0 } = options
  if (input instanceof Refusal) throw input
  const known = { ...loadRow(facts ?? []), ...moreFacts?.[0] }
  const job = { input, facts: known, isDry: dryRun !== undefined, bodyLength }
  const startedMs = performance.now()
  const { fields, written, ids } =
    planner?.takes(method, known, bodyLength) === true
      ? await planner.plan(method, job, transaction)
      : await computePlan(method, job, transaction, inStep)
  // The deadline is for the statements: on a busy machine a large write is planned for seconds.
  connection.extendWork(performance.now() - startedMs)
  if (expect !== undefined && written !== undefined) await refuseChanged(connection, companyId, written.about, expect)
  if (dryRun !== undefined) {
    const effect = await runDry(connection, companyId, written?.statements ?? [], dryRun.effectOf)
    return { body: dryRun.responseOf(effect, fields, written?.created ?? []) }
  }
  const body = responseText(fields)
  if (written === undefined) return await writeNothing(connection, companyId, idempotency, body)
  const { statements, events, bytes, lastSeq: seq } = written
  const response = storeResponse(companyId, idempotency, body, seq)
  const changes = [...statements, ...events, ...response]
  const clock = advanceClock(transaction, ids, seq, bytes + bytesOf(response))
  await commit(connection, [...changes, clock])
  return { body, seq }
}

/** Ends a write that changes nothing. With an Idempotency-Key only its response is stored. */
async function writeNothing(
  connection: Connection,
  companyId: number,
  idempotency: Idempotency | undefined,
  body: string,
): Promise<Outcome> {
  const stored = storeResponse(companyId, idempotency, body, null)
  if (stored.length === 0) await connection.roundTrip(['rollback'])
  else await commit(connection, [...stored, addWritten(companyId, bytesOf(stored))])
  return { body }
}

/** The second round trip. It succeeds only if the response to COMMIT is COMMIT. */
async function commit(connection: Connection, statements: readonly (string | Statement)[]): Promise<void> {
  const trip = await connection.roundTrip([...statements, 'commit'])
  const error = trip.error
  if (error === undefined && trip.command(-1) === 'COMMIT' && !connection.replicationInDoubt) return
  // After an error of a statement before COMMIT, or of a constraint checked by COMMIT, the transaction is rolled back.
  // After any other error (a lost connection, an interrupted commit) the outcome is unknown.
  const refusedBefore = sqlState(error) !== undefined && trip.error !== trip.errorAt(-1)
  if (refusedBefore || /^(23|40)/.test(sqlState(error) ?? '')) throw error
  connection.destroy()
  throw new OutcomeUnknown('the outcome of COMMIT is not known', { cause: error })
}
