// A large file is imported: how long it takes, and that it is finished once although the server is killed in the middle.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startServer } from '../../server/test/harness/app.ts'
import { query } from '../../server/test/harness/database.ts'
import { type Company, given, type User } from '../../server/test/harness/given.ts'
import { contents, counts, finished, undone } from '../../server/test/harness/imports.ts'
import { shown } from '../../server/test/harness/screens.ts'
import { until } from '../../server/test/harness/until.ts'
import { suggestMapping } from '../src/import/fields.ts'
import { type ImportRow, rowsFrom } from '../src/import/rows.ts'
import { readFile } from '../src/import/table.ts'
import { xlsxOf } from '../src/kit/export-file.ts'

const limitMs = 60_000
const rowsAtOnce = 500

/** A workbook of products, each made of three materials, and of a product before it. */
function workbook(products: number): Uint8Array {
  const titles = ['Name', 'SKU', 'Unit', 'Price', 'Barcode', 'Components']
  const materialOf = (at: number): string => `M-${at % 300}`
  return xlsxOf({
    columns: titles.map((title) => ({ title, kind: title === 'Price' ? ('money' as const) : ('text' as const) })),
    rows: Array.from({ length: products }, (_, at) => [
      `Product ${at}`,
      `P-${at}`,
      'pcs',
      at / 4,
      `40000${at}`,
      `${materialOf(at)} × 4; ${materialOf(at + 1)} × 0.5; ${at % 10 === 0 ? materialOf(at + 2) : `P-${at - 1}`} × 1`,
    ]),
  })
}

function rowsOf(file: Uint8Array): ImportRow[] {
  const read = readFile(file)
  if ('refusal' in read) return assert.fail(read.refusal.why)
  const { headings, rows, decimalMark } = read.table
  return rowsFrom('products', rows, suggestMapping('products', headings), decimalMark)
}

async function place(): Promise<{ readonly company: Company; readonly user: User }> {
  const company = await given.company({ daily_limit: 1_000_000 })
  await given.unit(company, 'pcs')
  for (let at = 0; at < 300; at++) await given.material(company, { sku: `M-${at}` })
  return { company, user: await given.user(company, 'manager') }
}

async function send(user: User, rows: readonly ImportRow[]): Promise<number> {
  const { import_id } = await shown(user, 'imports/add', { kind: 'products', name: 'products.xlsx' })
  for (let position = 0; position < rows.length; position += rowsAtOnce) {
    const portion = rows.slice(position, position + rowsAtOnce)
    const { states } = await shown(user, 'imports/add_rows', { import_id, kind: 'products', position, rows: portion })
    assert.ok(states.every((state: string) => state === 'create'))
  }
  return import_id
}

/** Products and their components, and the events that say that they were created. */
const stored = async (company: Company): Promise<unknown> =>
  (
    await query(
      company.id,
      `select (select count(*)::int from items where company_id = $1 and kind = 'product' and deleted_at is null) as products,
         (select count(*)::int from components c join items i on i.company_id = $1 and i.id = c.product_id
          where c.company_id = $1 and i.deleted_at is null) as components,
         (select count(*)::int from events where company_id = $1 and record = 'product' and action = 'created') as events`,
      [company.id],
    )
  )[0]

test('10,000 products with 30,000 components from XLSX are checked and written in less than a minute', async (t) => {
  const { company, user } = await place()
  const file = workbook(10_000)
  const times: number[] = [performance.now()]
  const rows = rowsOf(file)
  times.push(performance.now())
  const id = await send(user, rows)
  times.push(performance.now())
  await shown(user, 'imports/start', { import_id: id })
  await finished(user, id)
  times.push(performance.now())
  const [read, checked, written] = times.slice(1).map((at, step) => Math.round(at - (times[step] ?? 0)))
  t.diagnostic(`read in ${read} ms, checked in ${checked} ms, written in ${written} ms`)
  assert.deepEqual(await counts(user, id), { created: 10_000 })
  assert.deepEqual(await stored(company), { products: 10_000, components: 30_000, events: 10_000 })
  assert.ok((times.at(-1) ?? 0) - (times[0] ?? 0) < limitMs)
})

test('an import whose server is killed is finished by another one, nothing is written twice, and it can be undone', async () => {
  const { company, user } = await place()
  const before = await contents(company)
  const rows = rowsOf(workbook(3_000))
  const id = await send(user, rows)
  const survivor = process.env['KONTOR_TEST_URL'] ?? ''
  const victim = await startServer()
  try {
    process.env['KONTOR_TEST_URL'] = victim.url
    await shown(user, 'imports/start', { import_id: id })
    await until(async () => ((await counts(user, id))['created'] ?? 0) >= 500, { pollMs: 10 })
    await victim.stop('SIGKILL')
  } finally {
    process.env['KONTOR_TEST_URL'] = survivor
    await victim.stop('SIGKILL')
  }
  const { created = 0 } = await counts(user, id)
  assert.ok(created < 3_000, 'it was killed in the middle')
  await finished(user, id)
  assert.deepEqual(await stored(company), { products: 3_000, components: 9_000, events: 3_000 })
  assert.deepEqual(await undone(user, id), { undone: 3_000 })
  assert.deepEqual(await contents(company), before)
})
