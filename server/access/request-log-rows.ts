// A row of the request log: made from a request, with its texts as they are stored, and inserted together with others.

import type { Statement } from '../kernel/statement.ts'
import { withoutSecrets } from './redaction.ts'

export type LogEntry = {
  readonly companyId: number
  readonly connectionId: number | null
  readonly at: Date
  readonly requestId: string
  readonly method: string
  readonly status: number
  readonly durationMs: number
  readonly error: string | null
  readonly request: string
  readonly answer: string
  /** Names of fields that the method does not have. */
  readonly ignoredFields: readonly string[]
}

export type Row = LogEntry & {
  readonly bodiesLeftOut: boolean
  /** About what it takes in memory. */
  readonly bytes: number
}

const columns = 12
/** Rows per statement. A separate statement for every number of rows would be parsed each time, with up to 2,000 parameters. */
const batchSizes = [200, 20, 1] as const
export const batchSize = batchSizes[0]
const longestText = 16_384
/** What a row takes in memory in addition to its texts. */
const rowBytes = 512

export function rowOf(entry: LogEntry, bodiesLeftOut: boolean): Row {
  const request = bodiesLeftOut ? '' : storedText(entry.request)
  const answer = bodiesLeftOut ? '' : storedText(entry.answer)
  const method = storedText(entry.method)
  const error = entry.error === null ? null : storedText(entry.error)
  const ignoredFields = entry.ignoredFields.map(acceptable)
  const names = ignoredFields.reduce((sum, name) => sum + name.length, 0)
  // A character takes one or two bytes in memory.
  const bytes = rowBytes + 2 * (method.length + (error?.length ?? 0) + request.length + answer.length + names)
  return { ...entry, method, error, request, answer, ignoredFields, bodiesLeftOut, bytes }
}

// Several rows of values, not unnest: row level security on a cluster refuses the latter. After an attempt that failed some rows may exist.
const insertText = (rows: number): string => {
  const row = (at: number): string =>
    `(${Array.from({ length: columns }, (_, column) => `$${at * columns + column + 1}`).join(', ')})`
  return `insert into request_log (company_id, at, request_id, connection_id, method, status, duration_ms, error, request, answer, bodies_left_out, ignored_fields)
          values ${Array.from({ length: rows }, (_, at) => row(at)).join(', ')} on conflict do nothing`
}
const inserts = batchSizes.map((rows) => ({ rows, name: `request_log.insert_${rows}`, text: insertText(rows) }))

export function insertRows(batch: readonly Row[]): Statement[] {
  const statements: Statement[] = []
  let at = 0
  for (const { rows, name, text } of inserts) {
    for (; batch.length - at >= rows; at += rows) {
      statements.push({ name, text, values: batch.slice(at, at + rows).flatMap(valuesOf) })
    }
  }
  return statements
}

const valuesOf = (entry: Row): unknown[] => [
  entry.companyId,
  entry.at.toISOString(),
  entry.requestId,
  entry.connectionId,
  entry.method,
  entry.status,
  entry.durationMs,
  entry.error,
  entry.request,
  entry.answer,
  entry.bodiesLeftOut,
  entry.ignoredFields.length === 0 ? null : entry.ignoredFields,
]

/** The stored form of a text. PostgreSQL accepts neither NUL nor unpaired surrogates; the log shows the replacement character instead. */
function storedText(text: string): string {
  if (text.length <= longestText) return acceptable(withoutSecrets(text))
  // Truncated before redaction: a long response costs no more than a short one. Copied, because a part of a string keeps all of it in memory.
  const start = Buffer.from(text.slice(0, longestText)).toString()
  return `${acceptable(withoutSecrets(start))}…`
}

const acceptable = (text: string): string => text.toWellFormed().replaceAll('\0', '\ufffd')
