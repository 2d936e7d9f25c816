// Running a declared method: a read is one flight, a write is two, and pure planning stands between them.
// Every write of a company waits for its clock row, so a company has one writer at a time and its writes have an order.

import type { Call } from '../kernel/clock.ts'
import type { Answer, ReadMethod, WriteMethod } from '../kernel/method.ts'
import { Refusal } from '../kernel/refusal.ts'
import type { Settings } from '../kernel/settings.ts'
import type { Statement } from '../kernel/statement.ts'
import { answerText, failureText } from './answer.ts'
import { advanceClock, eventOf, keepCounters, momentOf } from './clock.ts'
import { bounds } from './config.ts'
import type { Connection, Pool } from './database.ts'
import { isBusy, mayRunAgain, OutcomeUnknown, sqlState } from './faults.ts'
import type { Flown } from './flight.ts'
import { findIdempotent, type Idempotency, type KeptAnswer, keepAnswer, tryIdempotencyLock } from './idempotency.ts'
import { type Provisos, previewOf, refuseChanged } from './provisos.ts'

/** A statement sent with the request that decides whether it is let in; its verdict is read before anything of the answer is used. */
export type Gate = {
  readonly statement: Statement
  readonly judge: (rows: readonly unknown[]) => void
  /** Takes the count back: a request that the service was too busy for does not count. */
  readonly undo: { readonly statement: Statement; readonly done: () => void }
}

export type Outcome = {
  readonly status: number
  readonly body: string
  readonly replayed?: boolean
  readonly seq?: number
}

// `set local`, not set_config(): a cluster carries only the former to its workers. The id is an integer of our own.
const asCompany = (companyId: number): string => `set local app.company_id = '${companyId}'`
// The count of a request need not be on disk before the answer: it is in the log before whatever the request writes.
const beginCount = (companyId: number): string => `begin; set local synchronous_commit = off; ${asCompany(companyId)}`
const begin = (companyId: number): string => `begin; ${asCompany(companyId)}`

/** Counts a request that goes no further. */
export async function runGate(pool: Pool, companyId: number, gate: Gate): Promise<void> {
  await pool.useFor(companyId, async (connection) => {
    const flown = await connection.flight([beginCount(companyId), gate.statement, 'commit'])
    throwErrorOf(flown)
    gate.judge(flown.rows(1))
  })
}

/** Counts a request that its own input refuses, and reads the settings that its refusal may depend on. */
export async function runSettings(
  pool: Pool,
  companyId: number,
  gate: Gate | undefined,
  settings: Statement<Settings>,
): Promise<Settings> {
  return await pool.useFor(companyId, async (connection) => {
    const flown = await connection.flight([
      beginCount(companyId),
      settings,
      ...(gate === undefined ? [] : [gate.statement]),
      'commit',
    ])
    throwErrorOf(flown)
    if (gate !== undefined) gate.judge(flown.rows(2))
    return loadRow(flown.rows<Settings>(1))
  })
}

export async function runRead<I, Row>(
  pool: Pool,
  method: ReadMethod<I, Row>,
  input: I,
  call: Call,
  gate: Gate | undefined,
): Promise<Answer> {
  return await pool.useFor(call.companyId, async (connection) => {
    // Counted last, so that the company's counter row is locked only for a moment: counting first let 16 readers of one
    // company through at 0.4 of the rate, counting last at 0.68.
    const flown = await connection.flight(
      [
        beginCount(call.companyId),
        method.query(input, call),
        ...(gate === undefined ? [] : [gate.statement]),
        'commit',
      ],
      bounds.requestMs,
    )
    const error = flown.error
    if (error !== undefined) {
      // The count was undone with the read that failed. It counts all the same, unless the service was too busy for it.
      if (gate !== undefined && connection.usable && !isBusy(error)) {
        const counted = await connection.flight([beginCount(call.companyId), gate.statement, 'commit'])
        throwErrorOf(counted)
        gate.judge(counted.rows(1))
      }
      throw error
    }
    if (gate !== undefined) gate.judge(flown.rows(2))
    return method.answer(flown.rows(1), input)
  })
}

export async function runWrite<I, Facts, Plan>(
  pool: Pool,
  method: WriteMethod<I, Facts, Plan>,
  input: I | Refusal,
  call: Call,
  gate: Gate | undefined,
  idempotency: Idempotency | undefined,
  provisos: Provisos = {},
): Promise<Outcome> {
  for (let attempt = 1; ; attempt++) {
    try {
      // What was counted once is not counted again.
      const gateNow = attempt === 1 ? gate : undefined
      return await pool.useFor(call.companyId, (connection) =>
        attemptWrite(connection, method, input, call, gateNow, idempotency, provisos),
      )
    } catch (error) {
      if (attempt === 3 || !mayRunAgain(error)) throw error
    }
  }
}

async function attemptWrite<I, Facts, Plan>(
  connection: Connection,
  method: WriteMethod<I, Facts, Plan>,
  input: I | Refusal,
  call: Call,
  gate: Gate | undefined,
  idempotency: Idempotency | undefined,
  provisos: Provisos,
): Promise<Outcome> {
  const { companyId } = call
  const first: (string | Statement)[] = []
  const add = (part: string | Statement): number => first.push(part) - 1

  if (gate !== undefined) add(beginCount(companyId))
  const gateAt = gate === undefined ? -1 : add(gate.statement)
  add(gate === undefined ? begin(companyId) : `commit; ${begin(companyId)}`)
  const lockAt = idempotency === undefined ? -1 : add(tryIdempotencyLock(companyId, idempotency.key))
  // A refusal undoes the clock but keeps the lock on the key until its answer is written.
  if (idempotency !== undefined) add('savepoint work')
  const clockAt = add(advanceClock(companyId, provisos.at))
  const keptAt = idempotency === undefined ? -1 : add(findIdempotent(companyId, idempotency.key))
  const factsAt = input instanceof Refusal ? -1 : add(method.facts(input, call))

  const flown = await connection.flight(first)
  if (gate !== undefined && !flown.failed(gateAt)) {
    try {
      gate.judge(flown.rows(gateAt))
    } catch (refused) {
      await connection.flight(['rollback'])
      throw refused
    }
  }
  if (idempotency !== undefined && !flown.failed(lockAt)) {
    if (!loadRow(flown.rows<{ free: boolean }>(lockAt)).free) {
      await connection.flight(['rollback'])
      throw new Refusal('A request with this Idempotency-Key is in progress', 409)
    }
  }
  if (flown.error !== undefined) {
    const uncount = gate !== undefined && !flown.failed(gateAt) && isBusy(flown.error)
    if (connection.usable) {
      await connection.flight(['rollback', ...(uncount ? [beginCount(companyId), gate.undo.statement, 'commit'] : [])])
      if (uncount) gate.undo.done()
    }
    throw flown.error
  }
  const kept = idempotency === undefined ? undefined : flown.rows<KeptAnswer>(keptAt)[0]
  if (idempotency !== undefined && kept !== undefined) {
    await connection.flight(['rollback'])
    if (!kept.request_hash.equals(idempotency.requestHash)) {
      throw new Refusal('Idempotency-Key was used with another request', 409)
    }
    return { status: kept.status, body: kept.answer, replayed: true }
  }

  const moment = momentOf(call, loadRow(flown.rows<Record<string, number | string>>(clockAt)))
  try {
    if (input instanceof Refusal) throw input
    const plan = method.plan(input, loadRow(flown.rows<Facts>(factsAt)), moment)
    const written = method.write(plan, moment)
    if (provisos.expect !== undefined && written !== undefined) {
      await refuseChanged(connection, companyId, written, provisos.expect)
    }
    if (provisos.preview !== undefined) {
      return { status: 200, body: await previewOf(connection, companyId, written, provisos.preview) }
    }
    const body = answerText(method.answer(plan))
    if (written === undefined) return await writeNothing(connection, companyId, idempotency, 200, body)
    const statements = [
      ...written.statements,
      eventOf(moment, method, written.event),
      ...keepCounters(moment),
      ...keepAnswer(companyId, idempotency, 200, body, moment.seq),
    ]
    await commit(connection, statements)
    return { status: 200, body, seq: moment.seq }
  } catch (error) {
    if (!(error instanceof Refusal)) {
      if (connection.usable) await connection.flight(['rollback'])
      throw error
    }
    return await writeNothing(connection, companyId, idempotency, error.status, failureText(error.message))
  }
}

/** Ends a write that changes nothing. With an Idempotency-Key its answer is kept, and only that. */
async function writeNothing(
  connection: Connection,
  companyId: number,
  idempotency: Idempotency | undefined,
  status: number,
  body: string,
): Promise<Outcome> {
  if (idempotency === undefined) await connection.flight(['rollback'])
  else
    await commit(connection, ['rollback to savepoint work', ...keepAnswer(companyId, idempotency, status, body, null)])
  return { status, body }
}

/** The second flight. Success is told only when COMMIT answered, and answered COMMIT. */
async function commit(connection: Connection, statements: readonly (string | Statement)[]): Promise<void> {
  const flown = await connection.flight([...statements, 'commit'])
  const error = flown.error
  if (error === undefined && flown.command(-1) === 'COMMIT' && !connection.replicationInDoubt) return
  // An error that a statement was answered with comes before COMMIT, which then rolls back; so does a constraint that COMMIT checks.
  // Everything else (a lost connection, a commit that was cut short) tells nothing about whether it happened.
  const refusedBefore = sqlState(error) !== undefined && flown.error !== flown.errorAt(-1)
  if (refusedBefore || /^(23|40)/.test(sqlState(error) ?? '')) throw error
  connection.destroy()
  throw new OutcomeUnknown('the outcome of COMMIT is not known', { cause: error })
}

function loadRow<Row>(rows: readonly Row[]): Row {
  const row = rows[0]
  if (row === undefined) throw new Error('a statement that always gives a row gave none')
  return row
}

function throwErrorOf(flown: Flown): void {
  if (flown.error !== undefined) throw flown.error
}
