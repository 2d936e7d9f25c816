// Imports: their methods, and what the runner sends to the database when it writes rows and takes them back.

import { query } from '../harness/database.ts'
import type { Company } from '../harness/given.ts'
import { until } from '../harness/until.ts'
import type { Call } from './accepted.ts'
import type { Recorder } from './recorder.ts'

const products = [
  { sku: 'IMPORTED-PART', name: 'Part' },
  {
    sku: 'IMPORTED',
    name: 'Whole',
    barcodes: ['IMPORTED'],
    categories: ['Imported'],
    suppliers: [{ name: 'Imported' }],
    components: [{ sku: 'IMPORTED-PART', amount: '1' }],
  },
]
const rows = {
  suppliers: [{ name: 'Imported' }],
  customers: [{ name: 'Imported' }],
  materials: [{ sku: 'IMPORTED', name: 'Imported' }],
  products,
  stock: [{ sku: 'IMPORTED-PART', counted: '3' }],
} as const

export async function sendImports(company: Company, call: Call, recorder: Recorder): Promise<void> {
  await call('categories/add', { name: 'Imported', type: 'products' })
  const { storage_id } = await call('storages/add', { name: 'Imported' })
  const { import_id: first } = await call('imports/add', { kind: 'customers', name: 'first.csv' })
  /** While another process has the lease of the first import, the runner waits: what it sends is not recorded as part of a request. */
  const hold = () =>
    query(
      company.id,
      `update imports set status = 'running', lease = 'other', leased_until = now() + interval '50 s' where company_id = $1 and id = $2`,
      [company.id, first],
    )
  const workOff = async () => {
    await query(company.id, `update imports set status = 'done' where company_id = $1 and id = $2`, [company.id, first])
    const left = `select from imports where company_id = $1 and status in ('running', 'undoing')`
    await recorder.request('the runner of imports', () =>
      until(async () => (await query(company.id, left, [company.id])).length === 0, { pollMs: 50 }),
    )
  }
  const ids: unknown[] = []
  const send = async (kind: keyof typeof rows, of: readonly object[]) => {
    const more = kind === 'stock' ? { storage_id } : {}
    const { import_id } = await call('imports/add', { kind, name: `${kind}.csv`, ...more })
    const sent = of.map((fields, at) => ({ line: at + 2, fields }))
    await call('imports/add_rows', { import_id, kind, position: 0, rows: sent, ...more })
    await hold()
    await call('imports/start', { import_id })
    await workOff()
    ids.unshift(import_id)
  }
  for (const [kind, of] of Object.entries(rows)) await send(kind as keyof typeof rows, of)
  await send('products', [
    { sku: 'IMPORTED', name: 'Changed', barcodes: [], categories: [], suppliers: [], components: [] },
  ])
  await send('materials', [{ sku: 'IMPORTED', name: 'Changed' }])
  await send('customers', [{ name: 'Imported', phone: '1' }])
  await send('suppliers', [{ name: 'Imported', phone: '1' }])
  // More rows than one statement lists.
  await send(
    'customers',
    Array.from({ length: 10 }, (_, at) => ({ name: `Imported ${at}` })),
  )
  await call('imports/get_rows', { import_id: ids[0], state: 'created' })
  for (const import_id of ids) {
    await hold()
    await call('imports/undo', { import_id })
    await workOff()
  }
  await endWhenFull(company, call, workOff, hold)
  const { imports } = await call('imports/get_list')
  // With the last one, the company is no longer one with imports.
  for (const { id } of imports as readonly { readonly id: number }[]) await call('imports/delete', { import_id: id })
}

/** The rows of an import that cannot be written, because the company has used up its storage. */
async function endWhenFull(company: Company, call: Call, workOff: () => Promise<void>, hold: () => Promise<unknown>) {
  const { import_id } = await call('imports/add', { kind: 'customers', name: 'full.csv' })
  const row = { line: 2, fields: { name: 'Nobody' } }
  await call('imports/add_rows', { import_id, kind: 'customers', position: 0, rows: [row] })
  await hold()
  await call('imports/start', { import_id })
  const setLimit = (mib: number | null) =>
    query(company.id, 'update company_clock set storage_limit_mib = $2 where company_id = $1', [company.id, mib])
  await setLimit(0)
  await workOff()
  await setLimit(null)
  await call('imports/delete', { import_id })
}
