// The result of a check of the database: a line of `kontor doctor`, or the reason why a command does not go on.

import type pg from 'pg'

export type Level = 'ok' | 'warning' | 'error'
export type Finding = {
  readonly check: string
  readonly level: Level
  readonly text: string
  /** What to do. */
  readonly advice?: string
}

/** The database cannot be used. The message says what to do. */
export class DatabaseUnsuitable extends Error {}

/** Throws if one of them is an error. */
export function refuseErrors(findings: readonly Finding[]): void {
  const errors = findings.filter(({ level }) => level === 'error')
  if (errors.length > 0) throw new DatabaseUnsuitable(errors.map(findingText).join('\n'))
}

export const findingText = ({ text, advice }: Finding): string => (advice === undefined ? text : `${text} ${advice}`)

/** The only row of a query. */
export async function rowOf<T extends pg.QueryResultRow>(
  client: pg.Client,
  sql: string,
  values: unknown[] = [],
): Promise<T> {
  const { rows } = await client.query<T>(sql, values)
  const [row] = rows
  if (row === undefined) throw new Error(`no row: ${sql}`)
  return row
}
