// Long because matching a journal with a history and checking both belong together.
// The oracle compares what must have happened according to the journal with the database. Every acknowledged operation is present
// once, every refused one is not, one with an unknown outcome at most once; every one is complete and in order.

import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { auditCompany, auditSchema } from '../../server/audit.ts'
import type { Op, Outcome } from './journal.ts'
import { createdId, idField, load, operationOf, sections } from './load.ts'

export type Verdict = { readonly counts: Record<string, number>; readonly found: string[] }

type Event = {
  readonly seq: number
  readonly method: string
  readonly record_id: number
  readonly request_id: string
  readonly change: Readonly<Record<string, unknown>>
}
type Kept = { readonly key: string; readonly status: number; readonly answer: string; readonly seq: number | null }

/** The longest permitted time to a response. */
export const answerWithinMs = 10_000

/** Requires idle callers and servers. Returns every violation, one line each. */
export async function judge(databaseUrl: string, ops: readonly Op[]): Promise<Verdict> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const counts: Record<string, number> = {}
  const found: string[] = []
  try {
    await untilQuiet(client)
    for (const [company, own] of Map.groupBy(ops, (op) => op.company)) {
      const verdict = await judgeCompany(client, company, own)
      for (const [name, count] of Object.entries(verdict.counts)) counts[name] = (counts[name] ?? 0) + count
      found.push(...verdict.found.map((line) => `company ${company}: ${line}`))
      const broken = await auditCompany(databaseUrl, company)
      found.push(...broken.map(({ invariant, row }) => `company ${company}: ${invariant}: ${JSON.stringify(row)}`))
    }
    found.push(...(await auditSchema(databaseUrl)).map(({ invariant, row }) => `${invariant}: ${JSON.stringify(row)}`))
  } finally {
    await client.end()
  }
  return { counts, found }
}

/** Statements that a killed process had already sent may still be running. */
async function untilQuiet(client: pg.Client): Promise<void> {
  const running = `select from pg_stat_activity
    where application_name = 'kontor' and datname = current_database() and xact_start is not null`
  for (let waited = 0; (await client.query(running)).rowCount !== 0; waited++) {
    if (waited > 300) throw new Error('the service does not become idle')
    await sleep(50)
  }
}

async function judgeCompany(client: pg.Client, company: number, ops: readonly Op[]): Promise<Verdict> {
  await client.query(`begin isolation level repeatable read read only; set local app.company_id = '${company}'`)
  // Without the events of customers and productions that sales created: those have an action, as have the events of upserts.
  const { rows: events } = await client.query<Event>(
    `select seq::float8 as seq, method, record_id::float8 as record_id, request_id, change from events
     where company_id = $1 and source = 'api' and (action is null or method like '%/upsert') order by seq`,
    [company],
  )
  const { rows: kept } = await client.query<Kept>(
    `select regexp_replace(key, '^connection \\d+: ', '') as key, status, answer, seq::float8 as seq from idempotency_keys where company_id = $1`,
    [company],
  )
  const linked = link(ops, events, kept)
  const standing = standingOf(ops, linked.eventOf)
  const wrong = await wrongRecords(client, company, standing.records)
  await client.query('commit')
  return {
    counts: countsOf(ops, linked.eventOf),
    found: [...linked.found, ...standing.found, ...wrong, ...unordered(ops, linked.eventOf), ...slow(ops)],
  }
}

function countsOf(ops: readonly Op[], eventOf: ReadonlyMap<Op, Event>): Record<string, number> {
  const of = (outcome: Outcome) => ops.filter((op) => op.outcome === outcome)
  return {
    acknowledged: of('done').length,
    'acknowledged after a retry': of('done').filter((op) => op.attempts > 1).length,
    'refused or never taken up': of('not done').length,
    'of unknown outcome': of('unknown').length,
    'of these done': of('unknown').filter((op) => eventOf.has(op)).length,
  }
}

/** The mark in an event, when its method has one. */
function markOf({ method, change }: Event): string | undefined {
  const { name, verb } = operationOf(method)
  const field = load.sections[name]?.mark
  const value = field === undefined ? undefined : change[field]
  const mark = verb === 'add' ? value : verb === 'edit' && Array.isArray(value) ? value[1] : undefined
  return typeof mark === 'string' ? mark : undefined
}

const targetOf = (op: Op): number => Number(op.body[idField(op.path.split('/')[0] ?? '')])

/** Which operation each event belongs to. */
function link(ops: readonly Op[], events: readonly Event[], kept: readonly Kept[]) {
  const found: string[] = []
  const bySeq = new Map(events.map((event) => [event.seq, event]))
  const byMark = Map.groupBy(events, (event) => markOf(event) ?? '')
  const byRequest = Map.groupBy(events, (event) => event.request_id)
  const byKey = new Map(kept.map((one) => [one.key, one]))
  const eventOf = new Map<Op, Event>()
  const taken = new Set<Event>()
  for (const op of ops) {
    const own = op.key === null ? undefined : byKey.get(op.key)
    const mine = new Set([
      ...(byMark.get(op.op) ?? []),
      ...op.responses.flatMap(({ request }) => byRequest.get(request) ?? []),
      ...(own?.seq == null ? [] : [bySeq.get(own.seq)].filter((event) => event !== undefined)),
    ])
    const [event] = mine
    if (mine.size > 1) found.push(`doubled: ${describe(op)} has events ${[...mine].map(({ seq }) => seq).join(', ')}`)
    if (event !== undefined) {
      eventOf.set(op, event)
      for (const one of mine) taken.add(one)
      if (op.outcome === 'not done') found.push(`refused and done: ${describe(op)} has event ${event.seq}`)
      if (event.method !== op.path) found.push(`${describe(op)} has event ${event.seq} of ${event.method}`)
    }
    found.push(...wrongAnswers(op, own, event))
  }
  // An operation without a mark and without a response can be identified only by its changes.
  const open = ops.filter((op) => op.outcome === 'unknown' && !eventOf.has(op))
  for (const event of events.filter((one) => !taken.has(one))) {
    const at = open.findIndex((op) => couldBe(op, event))
    const [op] = at === -1 ? [] : open.splice(at, 1)
    if (op === undefined)
      found.push(`doubled or made up: nobody asked for event ${event.seq}, ${event.method} of ${event.record_id}`)
    else eventOf.set(op, event)
  }
  return { eventOf, found }
}

function couldBe(op: Op, event: Event): boolean {
  if (op.path !== event.method || targetOf(op) !== event.record_id) return false
  const after = (name: string): unknown => (Array.isArray(event.change[name]) ? event.change[name][1] : undefined)
  if (op.path.endsWith('/update_status')) return after('status') === op.body['status']
  if (op.path.endsWith('/update_payment')) return after('payment') === op.body['status']
  return !/\/(add|edit|upsert)$/.test(op.path)
}

function wrongAnswers(op: Op, kept: Kept | undefined, event: Event | undefined): string[] {
  const answers = new Set(op.responses.filter(({ status }) => status === 200).map(({ answer }) => answer))
  if (op.outcome !== 'done') return []
  const [answer = ''] = answers
  const wrong: string[] = []
  if (answers.size > 1) wrong.push(`${describe(op)} was answered in two ways: ${[...answers].join(' and ')}`)
  const { verb } = operationOf(op.path)
  if (verb === 'add' && event !== undefined && createdId(op.path, JSON.parse(answer)) !== event.record_id)
    wrong.push(`${describe(op)} was answered ${answer}, and is event ${event.seq} of ${event.record_id}`)
  if (op.key !== null && (kept?.answer !== answer || kept.status !== 200))
    wrong.push(`${describe(op)} was answered ${answer}, and kept under its key is ${kept?.status} ${kept?.answer}`)
  return wrong
}

type Standing = { lives: boolean; mark?: string; status?: unknown; payment?: unknown; sums?: [number, number] }

/** What any other method changed in its record is not known, and it may have changed nothing. */
const isUnderstood = (verb: string): boolean =>
  ['add', 'edit', 'delete', 'update_status', 'update_payment'].includes(verb)

/** Each record's state after the history; an operation acknowledged without an event must have found the record already in the requested state. */
function standingOf(ops: readonly Op[], eventOf: ReadonlyMap<Op, Event>) {
  const found: string[] = []
  const records = new Map<string, Standing>()
  for (const op of ops) {
    const event = eventOf.get(op)
    const { name, verb } = operationOf(op.path)
    const id = event?.record_id ?? targetOf(op)
    const standing = records.get(`${name} ${id}`) ?? { lives: false }
    const what = verb === 'update_payment' ? 'payment' : 'status'
    if (event === undefined) {
      const asWanted = verb.startsWith('update_') && (!(what in standing) || standing[what] === op.body['status'])
      if (op.outcome === 'done' && !asWanted && isUnderstood(verb))
        found.push(`lost: ${describe(op)} was acknowledged and has no event`)
      continue
    }
    if (!isUnderstood(verb)) {
      records.set(`${name} ${id}`, { lives: true })
      continue
    }
    records.set(`${name} ${id}`, standing)
    standing.lives = verb !== 'delete'
    if (verb === 'add' || verb === 'edit') standing.mark = op.op
    if (verb === 'add') Object.assign(standing, { status: event.change['status'], payment: event.change['payment'] })
    if (verb.startsWith('update_')) standing[what] = op.body['status']
    const sums = name === 'orders' ? sumsOf(op) : undefined
    if (sums !== undefined) standing.sums = sums
  }
  return { records, found }
}

/** Number of lines and their total, when the operation has lines. */
function sumsOf({ body }: Op): [number, number] | undefined {
  if (body['products'] === undefined) return undefined
  const lines = ['products', 'materials'].flatMap((name) => (body[name] ?? []) as { total: number }[])
  return [lines.length, lines.reduce((sum, line) => sum + line.total, 0)]
}

/** Records that differ from the history: rows of every table compared with every record of the journal. */
async function wrongRecords(
  client: pg.Client,
  company: number,
  records: ReadonlyMap<string, Standing>,
): Promise<string[]> {
  const wrong: string[] = []
  for (const [name, section] of Object.entries(sections)) {
    const isItem = ['products', 'materials', 'resources'].includes(name)
    const table = name === 'orders' ? 'sales' : isItem ? 'items' : name
    const columns = [
      `${section.mark} as mark`,
      ...(load.writes.has(`${name}/update_status`) ? ['status'] : []),
      ...(load.writes.has(`${name}/update_payment`) ? ['payment'] : []),
      ...(name === 'orders' ? ['lines', 'subtotal::float8 as subtotal'] : []),
    ]
    const living = [
      ...(isItem ? [`kind = '${section.noun}'`] : []),
      ...(softly.has(name) ? ['deleted_at is null'] : []),
    ]
    const { rows } = await client.query(
      `select id::float8 as id, ${columns.join(', ')} from ${table} where ${['company_id = $1', ...living].join(' and ')}`,
      [company],
    )
    const present = new Map(rows.map((row) => [row.id, row]))
    for (const [key, standing] of records) {
      const [of, id] = key.split(' ')
      if (of !== name) continue
      const row = present.get(Number(id))
      if (standing.lives !== (row !== undefined))
        wrong.push(`half-written: ${key} ${row ? 'lives' : 'is gone'} against its events`)
      if (!standing.lives || row === undefined) continue
      const differs = (field: 'mark' | 'status' | 'payment') =>
        field in row && field in standing && row[field] !== standing[field]
      for (const field of ['mark', 'status', 'payment'] as const)
        if (differs(field)) wrong.push(`half-written: ${field} of ${key} is ${row[field]}, not ${standing[field]}`)
      const { sums } = standing
      if (sums !== undefined && (row.lines !== sums[0] || row.subtotal !== sums[1]))
        wrong.push(`half-written: ${key} has ${row.lines} lines of ${row.subtotal}, not ${sums[0]} of ${sums[1]}`)
    }
  }
  return wrong
}

const softly: ReadonlySet<string> = new Set([
  'products',
  'materials',
  'resources',
  'customers',
  'suppliers',
  'storages',
])

/** An operation that got its response before another was sent precedes it in the company's order. */
function unordered(ops: readonly Op[], eventOf: ReadonlyMap<Op, Event>): string[] {
  const found: string[] = []
  let latest: Op | undefined
  for (const op of ops.filter((one) => eventOf.has(one)).toSorted((a, b) => seqOf(a) - seqOf(b))) {
    if (op.outcome === 'done' && latest !== undefined && op.endedMs < latest.sentMs)
      found.push(`out of order: ${describe(op)} was answered before ${describe(latest)} was sent, and stands after it`)
    if (latest === undefined || op.sentMs > latest.sentMs) latest = op
  }
  function seqOf(op: Op): number {
    return eventOf.get(op)?.seq ?? 0
  }
  return found
}

const slow = (ops: readonly Op[]): string[] =>
  ops.flatMap((op) =>
    [...op.responses, ...op.silent]
      .filter(({ tookMs }) => tookMs > answerWithinMs)
      .map(({ tookMs }) => `left waiting: ${describe(op)} for ${tookMs} ms`),
  )

const describe = (op: Op): string => `${op.op} ${op.path}${op.key === null ? '' : ' with a key'}`
