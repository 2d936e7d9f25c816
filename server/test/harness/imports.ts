// Imports, as the screens send them.

import assert from 'node:assert/strict'
import type { ImportKind } from '../../overview/imports/row.ts'
import { query } from './database.ts'
import { type Company, given, type User } from './given.ts'
import { shown } from './screens.ts'
import { until } from './until.ts'

type Fields = Readonly<Record<string, unknown>>
const rowsAtOnce = 500

export async function importer(): Promise<{ readonly company: Company; readonly user: User }> {
  const company = await given.company({ daily_limit: 1_000_000 })
  return { company, user: await given.user(company, 'manager') }
}

/** A draft with these rows; returns its id and what each row would do. */
export async function draft(
  user: User,
  kind: ImportKind,
  rows: readonly Fields[],
  more: object = {},
): Promise<{ readonly id: number; readonly states: string[] }> {
  const { import_id: id } = await shown(user, 'imports/add', { kind, name: `${kind}.csv`, ...more })
  const states: string[] = []
  for (let position = 0; position < rows.length; position += rowsAtOnce)
    states.push(...(await sendRows(user, id, kind, rows.slice(position, position + rowsAtOnce), position, more)))
  return { id, states }
}

export async function sendRows(
  user: User,
  id: number,
  kind: ImportKind,
  rows: readonly Fields[],
  position = 0,
  more: object = {},
): Promise<string[]> {
  const sent = rows.map((fields, at) => ({ line: position + at + 2, fields }))
  return (await shown(user, 'imports/add_rows', { import_id: id, kind, position, rows: sent, ...more })).states
}

/** Counts that are not 0. */
export async function counts(user: User, id: number): Promise<Record<string, number>> {
  const { counts: all } = await shown(user, 'imports/get_entry', { import_id: id })
  return Object.fromEntries(Object.entries<number>(all).filter(([, rows]) => rows > 0))
}

export async function finished(user: User, id: number): Promise<void> {
  let status = ''
  await until(
    async () => {
      status = (await shown(user, 'imports/get_entry', { import_id: id })).import.status
      return status === 'done' || status === 'undone'
    },
    { pollMs: 50, what: () => `the import is still ${status}` },
  )
}

/** Writes the rows and waits for the end. */
export async function run(user: User, id: number): Promise<Record<string, number>> {
  await shown(user, 'imports/start', { import_id: id })
  await finished(user, id)
  return await counts(user, id)
}

export async function imported(user: User, kind: ImportKind, rows: readonly Fields[], more: object = {}) {
  const { id } = await draft(user, kind, rows, more)
  return { id, counts: await run(user, id) }
}

export async function undone(user: User, id: number): Promise<Record<string, number>> {
  await shown(user, 'imports/undo', { import_id: id })
  await finished(user, id)
  return await counts(user, id)
}

// biome-ignore lint/suspicious/noExplicitAny: tests read rows of every kind
export const rowsOf = async (user: User, id: number, more: object = {}): Promise<any[]> =>
  (await shown(user, 'imports/get_rows', { import_id: id, ...more })).rows

/** Everything that imports can change, as it is found by others: deleted records are not. */
export async function contents(company: Company): Promise<unknown> {
  const lists = ['products', 'materials', 'customers', 'suppliers'] as const
  const include = { products: ['components', 'suppliers'], materials: ['suppliers'] } as const
  const records = await Promise.all(
    lists.map(async (section) => {
      const reply = await company.call(`${section}/get_list`, {
        ...(section in include ? { include: include[section as keyof typeof include] } : {}),
      })
      assert.equal(reply.status, 200, reply.text)
      return reply.body[section].map(({ updated_at: _updated, ...record }: { updated_at: string }) => record)
    }),
  )
  const levels = await query(
    company.id,
    'select item_id::int, storage_id::int, on_hand::text from stock_levels where company_id = $1 and on_hand <> 0 order by 1, 2',
    [company.id],
  )
  return { records, levels }
}
