// Running a declared method: a read is one flight, a write is two, and pure planning stands between them.
// Every write of a company waits for its clock row, so a company has one writer at a time and its writes have an order.

import { createHash } from 'node:crypto'
import { type Call, type Counter, counters, Ids, type Moment } from '../kernel/clock.ts'
import type { Answer, Method, ReadMethod, WriteMethod } from '../kernel/method.ts'
import { Refusal } from '../kernel/refusal.ts'
import type { Settings } from '../kernel/settings.ts'
import { type Statement, statement } from '../kernel/statement.ts'
import { answerText, failureText } from './answer.ts'
import { bounds } from './config.ts'
import { type Connection, type Flown, isBusy, mayRunAgain, OutcomeUnknown, type Pool, sqlState } from './database.ts'

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

export type Idempotency = { readonly key: string; readonly requestHash: Buffer }

export const requestHash = (path: string, body: Uint8Array): Buffer =>
  createHash('sha256').update(path).update('\0').update(body).digest()

// `set local`, not set_config(): a cluster carries only the former to its workers. The id is an integer of our own.
const asCompany = (companyId: number): string => `set local app.company_id = '${companyId}'`
// The count of a request need not be on disk before the answer: it is in the log before whatever the request writes.
const beginCount = (companyId: number): string => `begin; set local synchronous_commit = off; ${asCompany(companyId)}`
const begin = (companyId: number): string => `begin; ${asCompany(companyId)}`

const advanceClock = statement<Record<string, number | string>>(
  'clock.advance',
  `update company_clock set seq = seq + 1, at = greatest(at, clock_timestamp()) where company_id = $1
   returning seq, to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at, ${counters.map((name) => `last_${name}`).join(', ')}`,
)

const keepCounters = statement(
  'clock.keep',
  `update company_clock set ${counters.map((name, at) => `last_${name} = $${at + 2}`).join(', ')} where company_id = $1`,
)

const insertEvent = statement(
  'events.insert',
  `insert into events (company_id, seq, at, method, source, connection_id, user_id, request_id, record, record_id, change)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
)

// The advisory lock only tells a second caller that the first still runs; that nothing happens twice is the clock's doing.
const tryIdempotencyLock = statement<{ free: boolean }>(
  'idempotency.lock',
  'select pg_try_advisory_xact_lock(hashtextextended($2, $1::bigint)) as free /* company_id */',
)

const findIdempotent = statement<{ request_hash: Buffer; status: number; answer: string }>(
  'idempotency.find',
  `select request_hash, status, answer from idempotency_keys
   where company_id = $1 and key = $2 and created_at > now() - interval '24 hours'`,
)

// Another process may have answered the same key meanwhile, with a refusal too; then its answer stands.
const insertIdempotent = statement(
  'idempotency.insert',
  `insert into idempotency_keys (company_id, key, request_hash, status, answer, seq, created_at)
   values ($1, $2, $3, $4, $5, $6, now())
   on conflict (company_id, key) do update
     set request_hash = excluded.request_hash, status = excluded.status, answer = excluded.answer, seq = excluded.seq,
         created_at = excluded.created_at
     where idempotency_keys.created_at <= now() - interval '24 hours'`,
)

// Old keys leave as new ones come, a few at a time, so that nothing has to sweep over all companies.
const forgetIdempotent = statement(
  'idempotency.forget',
  `delete from idempotency_keys where company_id = $1 and key in (
     select key from idempotency_keys where company_id = $1 and created_at < now() - interval '24 hours' order by created_at limit 4)`,
)

/** Counts a request that goes no further. */
export async function runGate(pool: Pool, companyId: number, gate: Gate): Promise<void> {
  await pool.use(async (connection) => {
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
  return await pool.use(async (connection) => {
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
  return await pool.use(async (connection) => {
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
): Promise<Outcome> {
  for (let attempt = 1; ; attempt++) {
    try {
      // What was counted once is not counted again.
      const gateNow = attempt === 1 ? gate : undefined
      return await pool.use((connection) => attemptWrite(connection, method, input, call, gateNow, idempotency))
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
  const clockAt = add(advanceClock(companyId))
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
  const kept =
    idempotency === undefined
      ? undefined
      : flown.rows<{ request_hash: Buffer; status: number; answer: string }>(keptAt)[0]
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
    const body = answerText(method.answer(plan))
    if (written === undefined) return await writeNothing(connection, companyId, idempotency, 200, body)
    const statements = [
      ...written.statements,
      eventOf(moment, method, written.event),
      ...(moment.ids.used ? [keepCounters(companyId, ...counters.map((name) => moment.ids.last(name)))] : []),
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

function keepAnswer(
  companyId: number,
  idempotency: Idempotency | undefined,
  status: number,
  body: string,
  seq: number | null,
): Statement[] {
  if (idempotency === undefined) return []
  return [
    forgetIdempotent(companyId),
    insertIdempotent(companyId, idempotency.key, idempotency.requestHash, status, body, seq),
  ]
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

function momentOf(call: Call, clock: Record<string, number | string>): Moment {
  const last = Object.fromEntries(counters.map((name) => [name, Number(clock[`last_${name}`])])) as Record<
    Counter,
    number
  >
  return { call, seq: Number(clock['seq']), at: String(clock['at']), ids: new Ids(last) }
}

function eventOf(
  moment: Moment,
  method: Method,
  event: { record: string; recordId: number; change: object },
): Statement {
  const { call, seq, at } = moment
  return insertEvent(
    call.companyId,
    seq,
    at,
    method.path,
    call.source,
    call.connectionId,
    call.userId,
    call.requestId,
    event.record,
    event.recordId,
    JSON.stringify(event.change),
  )
}

function loadRow<Row>(rows: readonly Row[]): Row {
  const row = rows[0]
  if (row === undefined) throw new Error('a statement that always gives a row gave none')
  return row
}

function throwErrorOf(flown: Flown): void {
  if (flown.error !== undefined) throw flown.error
}
