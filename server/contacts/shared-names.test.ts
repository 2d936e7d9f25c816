// Customers and suppliers of the same name, which their external ids distinguish.

import assert from 'node:assert/strict'
import { broken, query } from '../test/harness/database.ts'
import { type Company, given } from '../test/harness/given.ts'
import {
  accepts,
  add,
  edit,
  entityOf,
  entry,
  list,
  refuses,
  refusesEdit,
  remove,
} from '../test/harness/record-calls.ts'
import { rule } from '../test/harness/rule.ts'

const both = ['customers', 'suppliers'] as const
type Section = (typeof both)[number]
const taken = (section: Section) => `${entityOf(section)} with this name already exists`

rule('contacts.name.shared', async () => {
  const company = await given.company()
  for (const section of both) {
    const first = await add(company, section, { name: 'Ann', external_id: 'a-1' })
    const second = await add(company, section, { name: 'Ann', external_id: 'a-2' })
    const third = await add(company, section, { name: 'Bob', external_id: 'b' })
    await edit(company, section, third, { name: 'Ann' })
    for (const id of [first, second, third]) {
      const { created_at, updated_at, ...shown } = await entry(company, section, id)
      await edit(company, section, id, { ...shown, phone: `${id}` })
    }
    assert.deepEqual(
      (await list(company, section, { search: 'Ann' })).map(({ id, phone }) => [id, phone]),
      [first, second, third].map((id) => [id, `${id}`]),
    )
  }
  assert.deepEqual(await broken(company.id), [])
})

rule('contacts.name.taken', 'one of two without an external id of the connection', async () => {
  const company = await given.company()
  const other = await given.otherConnection(company)
  const user = await given.user(company, 'manager')
  for (const section of both) {
    await add(company, section, { name: 'Ann', external_id: 'a' })
    const bob = await add(company, section, { name: 'Bob' })
    const cleo = await add(company, section, { name: 'Cleo', external_id: 'c' })
    for (const more of [{}, { external_id: '' }]) {
      await refuses(company, `${section}/add`, { name: 'Ann', ...more }, taken(section))
      await refusesEdit(company, section, bob, { name: 'Ann', ...more }, taken(section))
      await refusesEdit(company, section, cleo, { name: 'Bob', ...more }, taken(section))
    }
    await refusesEdit(company, section, cleo, { name: 'Ann', external_id: '' }, taken(section))
    await refuses(company, `${section}/add`, { name: 'Bob', external_id: 'd' }, taken(section))
    await refuses(other, `${section}/add`, { name: 'Ann', external_id: 'a' }, taken(section))
    assert.equal((await user.call(`${section}/add`, { name: 'Ann' })).body.error, taken(section))
    await edit(company, section, bob, { name: 'Ann', external_id: 'b' })
    await refusesEdit(company, section, bob, { external_id: '' }, taken(section))
    await refusesEdit(company, section, bob, { name: 'Ann', external_id: '' }, taken(section))
    await edit(company, section, bob, { name: 'Bob again', external_id: '' })
  }
  assert.deepEqual(await broken(company.id), [])
})

rule('contacts.name.oldest', async () => {
  const company = await given.company()
  const product = await given.product(company)
  const line = { products: [{ id: product.id, amount: 1, total: 1 }] }
  const sale = async (of: Company): Promise<number> =>
    (await accepts(of, 'orders/add', { num: '1', customer_name: 'Ann', ...line })).customer_id
  const supplierOf = async (purchase_id: number): Promise<number> =>
    (await accepts(company, 'purchases/get_entry', { purchase_id })).purchase.supplier_id
  const ids: Record<Section, number[]> = { customers: [], suppliers: [] }
  for (const section of both)
    for (const external_id of ['a-1', 'a-2', 'a-3'])
      ids[section].push(await add(company, section, { name: 'Ann', external_id }))
  // A record that was changed last is not the oldest.
  for (const section of both) await edit(company, section, ids[section][0] ?? 0, { phone: '1' })
  const other = await given.otherConnection(company)
  for (const [at, first] of ids.customers.slice(0, 2).entries()) {
    assert.equal(await sale(company), first)
    assert.equal(await sale(other), first)
    const { order_id } = await accepts(company, 'orders/add', { num: '2', customer_name: 'Bob', ...line })
    await accepts(company, 'orders/edit', { order_id, customer_name: 'Ann' })
    assert.equal((await accepts(company, 'orders/get_entry', { order_id })).order.customer_id, first)
    const { purchase_id } = await accepts(company, 'purchases/add', { supplier_name: 'Ann', ...line })
    assert.equal(await supplierOf(purchase_id), ids.suppliers[at])
    await remove(company, 'customers', first)
    await remove(company, 'suppliers', ids.suppliers[at] ?? 0)
  }
  assert.equal(await sale(company), ids.customers[2])
  assert.deepEqual(await broken(company.id), [])
})

rule('contacts.name.shared', 'also names that differ in case', async () => {
  const company = await given.company()
  const user = await given.user(company, 'manager')
  for (const section of both) {
    const first = await add(company, section, { name: 'Groß', external_id: 'a-1' })
    await refuses(company, `${section}/add`, { name: 'GROSS' }, taken(section))
    const second = await add(company, section, { name: 'GROSS', external_id: 'a-2' })
    await refusesEdit(company, section, second, { external_id: '' }, taken(section))
    const third = await add(company, section, { name: 'Bob' })
    await refusesEdit(company, section, third, { name: 'gross' }, taken(section))
    await edit(company, section, third, { name: 'gross', external_id: 'a-3' })
    // Without external ids: a name may change its case, but not become that of another.
    const renamed = async (id: number, name: string) =>
      (await user.call(`${section}/edit`, { [`${section.slice(0, -1)}_id`]: id, name })).body.error
    assert.equal(await renamed(first, 'GROSS'), taken(section))
    assert.equal(await renamed(first, 'Gross'), undefined)
  }
  assert.deepEqual(await broken(company.id), [])
})

rule('contacts.name.oldest', 'one with exactly the name before older ones that differ in case', async () => {
  const company = await given.company()
  const { id: product } = await given.product(company)
  const products = [{ id: product, amount: 1, total: 1 }]
  const sale = async (customer_name: string): Promise<number> =>
    (await accepts(company, 'orders/add', { num: '1', customer_name, products })).customer_id
  const ids = []
  for (const [at, name] of ['ANN', 'Ann', 'Ann'].entries())
    ids.push(await add(company, 'customers', { name, external_id: `a-${at}` }))
  assert.deepEqual([await sale('Ann'), await sale('ANN'), await sale('ann')], [ids[1], ids[0], ids[0]])
  await remove(company, 'customers', ids[0] ?? 0)
  assert.equal(await sale('ANN'), ids[1])
})

type Result = { readonly result: string; readonly id?: number; readonly error?: string }
const upsert = async (company: Company, section: Section, records: readonly object[]): Promise<Result[]> =>
  (await accepts(company, `${section}/upsert`, { [section]: records }))[section]

rule('upsert.other-contact', async () => {
  for (const section of both) {
    const company = await given.company()
    const [one] = await upsert(company, section, [{ name: 'Ann', external_id: 'a-1', email: 'first@example.com' }])
    const [two] = await upsert(company, section, [{ name: 'Ann', external_id: 'a-2', email: 'second@example.com' }])
    assert.deepEqual([one?.result, two?.result], ['created', 'created'])
    const emails = async () => (await list(company, section)).map(({ id, email }) => [id, email])
    assert.deepEqual(await emails(), [
      [one?.id, 'first@example.com'],
      [two?.id, 'second@example.com'],
    ])
    const again = await upsert(company, section, [
      { name: 'Ann', external_id: 'a-2', phone: '2' },
      { name: 'Ann', external_id: 'a-1' },
    ])
    assert.deepEqual(again, [
      { result: 'updated', id: two?.id },
      { result: 'unchanged', id: one?.id },
    ])
    assert.deepEqual(await upsert(company, section, [{ name: 'Ann', phone: '1' }]), [
      { result: 'updated', id: one?.id },
    ])
    // Another connection has given neither of them an id: it takes the oldest first.
    const other = await given.otherConnection(company)
    const theirs = []
    for (const external_id of ['x', 'y', 'z'])
      theirs.push(...(await upsert(other, section, [{ name: 'Ann', external_id }])))
    assert.deepEqual(
      theirs.map(({ result, id }) => [result, id]),
      [
        ['updated', one?.id],
        ['updated', two?.id],
        ['created', (two?.id ?? 0) + 1],
      ],
    )
    assert.deepEqual(await broken(company.id), [])
  }
})

rule('upsert.same-names', async () => {
  for (const section of both) {
    const company = await given.company()
    const guests = (from: number, to: number) =>
      Array.from({ length: to - from }, (_, at) => ({ name: 'Guest', external_id: `g-${from + at}` }))
    const first = await upsert(company, section, guests(0, 20))
    assert.ok(first.every(({ result }) => result === 'created'))
    const idOf = (at: number) => first[at]?.id ?? 0
    assert.deepEqual(
      await upsert(company, section, [
        { name: 'Ann', external_id: 'g-0' },
        { name: 'Ben', external_id: 'g-1' },
        { name: 'Guest', notes: 'The oldest now' },
        { name: 'Guest', external_id: 'g-20' },
      ]),
      [
        { result: 'updated', id: idOf(0) },
        { result: 'updated', id: idOf(1) },
        { result: 'updated', id: idOf(2) },
        { result: 'created', id: idOf(19) + 1 },
      ],
    )
    const other = await given.otherConnection(company)
    const taken = await upsert(other, section, guests(0, 25))
    assert.deepEqual(
      taken.map(({ id }) => id),
      Array.from({ length: 25 }, (_, at) => idOf(2) + at),
    )
    const [{ shared = 0 } = {}] = await query(
      company.id,
      `select count(*)::int as shared from external_ids where company_id = $1 and record = $2`,
      [company.id, section.slice(0, -1)],
    )
    assert.equal(shared, 21 + 25)
    assert.deepEqual(await broken(company.id), [])
  }
})

rule('upsert.same-names', 'also names that differ in case', async () => {
  for (const section of both) {
    const company = await given.company()
    const [plain] = await upsert(company, section, [{ name: 'Ann' }])
    assert.deepEqual(await upsert(company, section, [{ name: 'ANN', external_id: 'a-1' }]), [
      { result: 'updated', id: plain?.id },
    ])
    const [other] = await upsert(company, section, [{ name: 'ann', external_id: 'a-2' }])
    assert.equal(other?.result, 'created')
    // Far more than the request has records, and the exact name last.
    const guests = Array.from({ length: 20 }, (_, at) => ({ name: 'guest', external_id: `g-${at}` }))
    const [oldest] = await upsert(company, section, guests)
    const [exact] = await upsert(company, section, [{ name: 'Guest', external_id: 'G' }])
    assert.deepEqual(
      await upsert(company, section, [
        { name: 'Guest', notes: 'The exact one' },
        { name: 'GUEST', notes: 'The oldest' },
        { name: 'ANN', external_id: 'a-2' },
      ]),
      [
        { result: 'updated', id: exact?.id },
        { result: 'updated', id: oldest?.id },
        { result: 'updated', id: other?.id },
      ],
    )
    assert.deepEqual(await broken(company.id), [])
  }
})
