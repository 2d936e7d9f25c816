// Imports of files are written in the background, once, whatever happens to a process.

import assert from 'node:assert/strict'
import type { RequestContext } from '../../kernel/clock.ts'
import { CompanyQueue } from '../../platform/postgres/queue.ts'
import { createLogger } from '../../platform/process/logger.ts'
import { runWrite } from '../../platform/requests/run.ts'
import { broken, level, query } from '../../test/harness/database.ts'
import { type Company, given, pool } from '../../test/harness/given.ts'
import { counts, draft, finished, imported, importer, rowsOf, run } from '../../test/harness/imports.ts'
import { rule } from '../../test/harness/rule.ts'
import { refusal } from '../../test/harness/screens.ts'
import { runImportRows } from './run.ts'
import { ImportRunner } from './runner.ts'

const seqOf = async (company: Company): Promise<number> =>
  (await query(company.id, 'select seq::int from company_clock where company_id = $1', [company.id]))[0]?.seq

rule('imports.run', async () => {
  const { company, user } = await importer()
  const tea = await given.product(company, { sku: 'TEA', price: '3' })
  const { id } = await draft(user, 'products', [
    { sku: 'A', name: 'A' },
    { sku: 'TEA', price: '4' },
    { sku: 'B', name: '' },
  ])
  const before = await seqOf(company)
  assert.deepEqual(await run(user, id), { created: 1, changed: 1, refused: 1 })
  const events = await query(
    company.id,
    `select record, action, method, user_id::int as user from events where company_id = $1 and seq > $2 order by seq`,
    [company.id, before + 1],
  )
  assert.deepEqual(events, [
    { record: 'product', action: 'created', method: 'imports/run', user: user.id },
    { record: 'product', action: 'updated', method: 'imports/run', user: user.id },
    { record: 'import', action: 'updated', method: 'imports/run', user: user.id },
    { record: 'import', action: 'updated', method: 'imports/end', user: user.id },
  ])
  const rows = await rowsOf(user, id)
  assert.deepEqual([rows[1].record, rows[1].record_id, rows[1].changes], ['product', tea.id, { price: ['3', '4'] }])
  assert.deepEqual(await broken(company.id), [])
})

rule('imports.run.twice', async () => {
  const { company, user } = await importer()
  const rows = Array.from({ length: 510 }, (_, at) => ({ name: `Customer ${at}` }))
  const { id } = await draft(user, 'customers', rows)
  await query(
    company.id,
    `update imports set status = 'running', lease = 'mine', leased_until = now() + interval '30 s' where company_id = $1 and id = $2`,
    [company.id, id],
  )
  const stored = (await rowsOf(user, id, { limit: 500 })).map(({ position, line, fields }) => ({
    position,
    line,
    fields,
  }))
  const options = { storageId: null, countedOn: null }
  const portion = { id, kind: 'customers', options, lease: 'mine', from: 0, rows: stored } as const
  const context: RequestContext = {
    companyId: company.id,
    connectionId: null,
    userId: user.id,
    requestId: 'test',
    source: 'manual',
  }
  const write = async () =>
    JSON.parse((await runWrite(pool(), runImportRows, portion, context, undefined, undefined)).body)
  assert.equal((await write()).written, true)
  assert.equal((await write()).written, false)
  // The process that had the lease has ended: two others go on at once.
  await query(company.id, 'update imports set leased_until = now() where company_id = $1', [company.id])
  const runners = [1, 2].map(
    () => new ImportRunner({ pool: pool(), queue: new CompanyQueue(), logger: createLogger('silent') }),
  )
  for (const runner of runners) runner.wake(company.id)
  await finished(user, id)
  for (const runner of runners) await runner.stop()
  assert.deepEqual(await counts(user, id), { created: 510 })
  const [{ customers }] = await query(
    company.id,
    'select count(*)::int as customers from customers where company_id = $1 and deleted_at is null',
    [company.id],
  )
  assert.equal(customers, 510)
})

rule('imports.run.webhooks', async () => {
  const { company, user } = await importer()
  const after = await seqOf(company)
  await imported(user, 'suppliers', [{ name: 'Holz AG' }])
  const { events } = (await company.call('events/get_list', { after })).body
  assert.deepEqual(
    events.map(({ type }: { type: string }) => type),
    ['supplier.created'],
  )
})

rule('imports.run.full', async () => {
  const { company, user } = await importer()
  const { id } = await draft(user, 'customers', [{ name: 'Ann' }, { name: 'Ben' }])
  await query(
    company.id,
    'update company_clock set storage_limit_mib = 1, written_bytes = 2000000 where company_id = $1',
    [company.id],
  )
  // As if it had been begun before the limit was reached.
  await query(company.id, `update imports set status = 'running' where company_id = $1`, [company.id])
  const runner = new ImportRunner({
    pool: pool(),
    queue: new CompanyQueue(),
    logger: createLogger('silent'),
    storageLimitMib: 1,
  })
  runner.wake(company.id)
  await finished(user, id)
  await runner.stop()
  const rows = await rowsOf(user, id)
  assert.deepEqual(
    rows.map(({ state, refusal: { error } }) => [state, error]),
    [
      ['refused', 'Storage limit reached'],
      ['refused', 'Storage limit reached'],
    ],
  )
})

rule('imports.stock', async () => {
  const { company, user } = await importer()
  const [tea, leg] = [await given.product(company, { sku: 'TEA' }), await given.material(company, { sku: 'LEG' })]
  const cup = await given.product(company, { sku: 'CUP' })
  const storage_id = company.productsStorageId
  const { id, states } = await draft(
    user,
    'stock',
    [{ sku: 'tea', counted: '5' }, { sku: 'LEG', counted: '2.5', unit_cost: '1.20' }, { sku: 'CUP', counted: '0', unit_cost: '9' }],
    { storage_id, date: '2026-01-02' },
  ) // biome-ignore format: rows
  assert.deepEqual(states, ['change', 'change', 'unchanged'])
  assert.equal((await level(company, tea.id)).on_hand, '0.000')
  assert.deepEqual(await run(user, id), { changed: 2, unchanged: 1 })
  const [row] = await rowsOf(user, id)
  assert.deepEqual([row.record, row.changes], ['audit', { counted: ['0', '5'] }])
  const { audit } = (await company.call('audits/get_entry', { audit_id: row.record_id })).body
  assert.deepEqual([audit.status, audit.date, audit.products.length, audit.materials.length], [3, '2026-01-02', 1, 1])
  const [line] = audit.materials
  assert.deepEqual([line.unit_cost, line.cost, line.cost_source], [1.2, 3, 'given'])
  assert.equal((await level(company, leg.id)).on_hand, '2.500')
  assert.equal((await level(company, cup.id)).on_hand, '0.000')
  assert.deepEqual(await broken(company.id), [])
})

rule('imports.stock.refused', async () => {
  const { company, user } = await importer()
  await given.product(company, { sku: 'TEA' })
  await given.product(company, { sku: 'CUP' })
  await given.product(company, { sku: 'BOTH' })
  await given.material(company, { sku: 'BOTH' })
  const storage_id = company.productsStorageId
  const { id } = await draft(
    user,
    'stock',
    [
      { sku: 'TEA', counted: '-1' },
      { sku: 'NONE', counted: '1' },
      { sku: 'BOTH', counted: '1' },
      { counted: '1' },
      { sku: 'BOTH', type: 'material', counted: '1', unit_cost: '' },
      { sku: 'CUP', counted: '1', unit_cost: 'cheap' },
    ],
    { storage_id },
  )
  const rows = await rowsOf(user, id)
  assert.deepEqual(
    rows.map(({ refusal: why }) => why && [why.error, why.field]),
    [
      ['Counted must be 0 or greater for product with SKU "TEA"', 'counted'],
      ['Item with SKU "NONE" not found', 'sku'],
      ['SKU "BOTH" is that of a material and of a product', 'sku'],
      ['No sku in input', 'sku'],
      null,
      ['Unit cost must be a number, 0 or greater for product with SKU "CUP"', 'unit_cost'],
    ],
  )
  const elsewhere = { kind: 'stock', name: 'stock.csv', storage_id: 999 }
  assert.equal(await refusal(user, 'imports/add', elsewhere), 'Storage ID not found')
})
