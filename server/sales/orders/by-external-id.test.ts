// Writes that name their record by its external id, for all six types of records, over HTTP.

import assert from 'node:assert/strict'
import { broken } from '../../test/harness/database.ts'
import { type Company, given } from '../../test/harness/given.ts'
import { accepts, refuses } from '../../test/harness/record-calls.ts'
import { rule } from '../../test/harness/rule.ts'

type Body = Readonly<Record<string, unknown>>

let made = 0
const named = async (): Promise<Body> => ({ name: `Record ${++made}` })
const bought = async (company: Company): Promise<Body> => ({
  products: [{ id: (await given.product(company)).id, amount: 2, total: 10 }],
})
const documents = ['orders', 'purchases']
const kinds: Readonly<Record<string, (company: Company) => Promise<Body>>> = {
  orders: async (company) => ({ num: `${++made}`, customer_name: 'Ann', ...(await bought(company)) }),
  purchases: async (company) => ({ supplier_name: 'Bob', ...(await bought(company)) }),
  customers: named,
  suppliers: named,
  products: named,
  materials: named,
}
const sections = Object.keys(kinds)
const nounOf = (section: string): string => section.slice(0, -1)
const missing = (section: string): string =>
  `${nounOf(section).charAt(0).toUpperCase()}${nounOf(section).slice(1)} not found or access denied`

async function added(company: Company, section: string, external_id: string): Promise<number> {
  const body = { ...(await kinds[section]?.(company)), external_id }
  return (await accepts(company, `${section}/add`, body))[`${nounOf(section)}_id`]
}
const entry = async (company: Company, section: string, id: number) =>
  (await accepts(company, `${section}/get_entry`, { [`${nounOf(section)}_id`]: id }))[nounOf(section)]

/** Every write that names one record, with what it needs besides. */
const writesOf = (section: string): readonly (readonly [path: string, body: Body])[] => [
  [`${section}/edit`, { notes: 'Changed' }],
  ...(documents.includes(section)
    ? ([[`${section}/update_status`, { status: 1 }], [`${section}/update_payment`, { status: 2 }]] as const) // biome-ignore format: one line
    : []),
  ...(section === 'orders' ? ([['orders/ship', {}]] as const) : []),
  [`${section}/delete`, {}],
]

rule('external-id.write', async () => {
  const company = await given.company()
  for (const section of sections) {
    const other = await added(company, section, 'other')
    const before = await entry(company, section, other)
    const id = await added(company, section, 'shop-1')
    for (const [path, body] of writesOf(section)) {
      await accepts(company, path, { ...body, external_id: ' shop-1 ' })
      if (path.endsWith('/delete')) await refuses(company, `${section}/get_entry`, { external_id: 'shop-1' }, missing(section)) // biome-ignore format: one line
    }
    assert.deepEqual(await entry(company, section, other), before)
    await refuses(company, `${section}/get_entry`, { [`${nounOf(section)}_id`]: id }, missing(section))
  }
  assert.deepEqual(await broken(company.id), [])
})

rule('external-id.write', 'the fields are changed as by id, and the external id is kept', async () => {
  const company = await given.company()
  for (const section of sections) {
    const id = await added(company, section, 'shop-1')
    const { notes: none, updated_at: _, ...before } = await entry(company, section, id)
    await accepts(company, `${section}/edit`, { external_id: 'shop-1', notes: 'Changed' })
    const { notes, updated_at: __, ...after } = await entry(company, section, id)
    assert.deepEqual([none, notes, after], ['', 'Changed', before])
    assert.equal((await accepts(company, `${section}/get_entry`, { external_id: 'shop-1' }))[nounOf(section)].id, id)
  }
  await accepts(company, 'orders/update_status', { external_id: 'shop-1', status: 3, date_shipped: '2025-02-03' })
  await accepts(company, 'orders/update_payment', { external_id: 'shop-1', status: 1 })
  const { status, payment, date_shipped } = await entry(company, 'orders', 1)
  assert.deepEqual([status, payment, date_shipped], [3, 1, '2025-02-03'])
  assert.deepEqual(await broken(company.id), [])
})

rule('external-id.write-both', async () => {
  const company = await given.company()
  for (const section of sections) {
    const field = `${nounOf(section)}_id`
    const [one, two] = [await added(company, section, 'one'), await added(company, section, 'two')]
    await accepts(company, `${section}/edit`, { [field]: one, external_id: 'three', notes: 'Changed' })
    assert.equal((await accepts(company, `${section}/get_entry`, { external_id: 'three' }))[nounOf(section)].id, one)
    // Whatever it contains: with an id it is not read.
    for (const external_id of ['two', {}, 'x'.repeat(300)])
      for (const [path, body] of writesOf(section).filter(([name]) => !/\/(edit|ship|delete)$/.test(name)))
        await accepts(company, path, { ...body, [field]: one, external_id })
    await accepts(company, `${section}/delete`, { [field]: one, external_id: 'two' })
    assert.equal((await entry(company, section, two)).id, two)
    await refuses(company, `${section}/delete`, { [field]: one, external_id: 'two' }, missing(section))
  }
})

rule('external-id.write-unknown', async () => {
  const [company, other] = [await given.company(), await given.company()]
  const shop = await given.otherConnection(company)
  for (const section of sections) {
    const id = await added(company, section, 'shop-1')
    // With the same id, in another company.
    assert.equal(await added(other, section, 'own'), id)
    for (const [path, body] of writesOf(section)) {
      await refuses(company, path, { ...body, external_id: 'none' }, missing(section))
      await refuses(other, path, { ...body, external_id: 'shop-1' }, missing(section))
      await refuses(shop, path, { ...body, external_id: 'shop-1' }, missing(section))
      for (const external_id of ['', ' ', null])
        await refuses(company, path, { ...body, external_id }, `No ${nounOf(section)}_id in input`)
      await refuses(company, path, { ...body, external_id: {} }, 'Invalid external_id value. Must be a string')
    }
    assert.equal((await entry(company, section, id)).id, id)
  }
})

rule('external-id.write-repeated', async () => {
  const company = await given.company()
  await added(company, 'orders', 'shop-1')
  const send = async () => await company.call('orders/ship', { external_id: 'shop-1' }, { 'idempotency-key': 'k' })
  const [first, second] = [await send(), await send()]
  assert.deepEqual([first.status, second.text, second.headers.get('idempotent-replayed')], [200, first.text, 'true'])
  await added(company, 'orders', 'shop-2')
  const dry = await company.call('orders/delete', { external_id: 'shop-2' }, { 'kontor-dry-run': '1' })
  assert.deepEqual([dry.status, dry.body.dry_run], [200, true])
  const { version } = (await accepts(company, 'orders/get_entry', { external_id: 'shop-2', include: ['meta'] })).order
  const stale = await company.call('orders/delete', { external_id: 'shop-2', version: version - 1 })
  assert.equal(stale.status, 409)
  await accepts(company, 'orders/delete', { external_id: 'shop-2', version })
})
