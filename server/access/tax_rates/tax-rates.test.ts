// The tax rates of a company, over HTTP.

import assert from 'node:assert/strict'
import { type Company, given, type User } from '../../test/harness/given.ts'
import { add, edit, entry } from '../../test/harness/record-calls.ts'
import { rule } from '../../test/harness/rule.ts'
import { refusal, shown } from '../../test/harness/screens.ts'

const list = async (user: User) => (await shown(user, 'tax_rates/get_list')).tax_rates
const addRate = async (user: User, name: string, percent: number | string, more: object = {}): Promise<number> =>
  (await shown(user, 'tax_rates/add', { name, percent, ...more })).tax_rate_id
const change = (user: User, tax_rate_id: number, body: object) =>
  shown(user, 'tax_rates/edit', { tax_rate_id, ...body })
const refusedEdit = (user: User, tax_rate_id: number, body: object) =>
  refusal(user, 'tax_rates/edit', { tax_rate_id, ...body })
const defaultOf = async (user: User) => (await shown(user, 'settings/get')).settings.default_tax_rate_id

async function owned(): Promise<{ company: Company; owner: User }> {
  const company = await given.company()
  return { company, owner: await given.user(company, 'owner') }
}

const otherFirst = 'Make another tax rate the default first'

rule('tax_rates.fields', async () => {
  const { owner } = await owned()
  assert.deepEqual(await shown(owner, 'tax_rates/get_list'), {
    success: true,
    tax_rates: [],
    prices_include_tax: false,
    limit: 50,
  })
  const reduced = await addRate(owner, ' VAT, reduced ', '7')
  const standard = await addRate(owner, 'VAT', 19.0004)
  const third = await addRate(owner, 'QST', 9.975)
  await change(owner, third, { is_archived: 1 })
  const rest = { is_default: false, is_archived: false, is_used: false }
  assert.deepEqual(await list(owner), [
    { id: standard, name: 'VAT', percent: 19, ...rest },
    { id: reduced, name: 'VAT, reduced', percent: 7, ...rest, is_default: true },
    { id: third, name: 'QST', percent: 9.975, ...rest, is_archived: true },
  ])
})

rule('tax_rates.edit', async () => {
  const { owner } = await owned()
  await addRate(owner, 'First', 1)
  const id = await addRate(owner, 'VAT', 19)
  const events = async () => (await shown(owner, 'history/get_list', { record: 'tax_rate', record_id: id })).events
  let known = { id, name: 'VAT', percent: 19, is_default: false, is_archived: false, is_used: false }
  for (const [sent, stored] of [
    [{ name: 'MwSt.' }, { name: 'MwSt.' }],
    [{ percent: '16.5' }, { percent: 16.5 }],
    [{ percent: 0 }, { percent: 0 }],
    [{ percent: 100 }, { percent: 100 }],
    [{ is_archived: 1 }, { is_archived: true }],
    [{ is_archived: 0 }, { is_archived: false }],
    [{ is_default: 1 }, { is_default: true }],
  ] as const) {
    const before = (await events()).length
    await change(owner, id, sent)
    known = { ...known, ...stored }
    assert.deepEqual(
      (await list(owner)).find((one: { id: number }) => one.id === id),
      known,
    )
    await change(owner, id, sent)
    assert.equal((await events()).length, before + 1, JSON.stringify(sent))
  }
  await change(owner, id, { is_default: 0 })
  assert.equal(await defaultOf(owner), id)
})

rule('tax_rates.refused', async () => {
  const { owner } = await owned()
  const id = await addRate(owner, 'VAT', 19)
  const outside = 'Invalid percent value. Must be between 0 and 100'
  const cases: readonly (readonly [object, string])[] = [
    ...[-1, -0.0001, 100.001, 1e30, 'x', '', '19 %', true, [19], {}].map((percent) => [{ percent }, outside] as const),
    [{ name: ' ' }, 'No name in input'],
    [{ name: 'x'.repeat(256) }, 'Invalid name value. Must be at most 255 characters'],
    [{ name: {} }, 'Invalid name value. Must be a string'],
    [{ name: 'a\0' }, 'Invalid name value. Must be valid text'],
    [{ is_default: 2 }, 'Invalid is_default value. Must be one of: 0, 1'],
  ]
  for (const [body, error] of cases) {
    assert.equal(await refusal(owner, 'tax_rates/add', { name: 'VAT', percent: 7, ...body }), error)
    assert.equal(await refusedEdit(owner, id, body), error)
  }
  assert.equal(await refusal(owner, 'tax_rates/add', { percent: 7 }), 'No name in input')
  assert.equal(await refusal(owner, 'tax_rates/add', { name: 'VAT' }), 'No percent in input')
  assert.equal(await refusedEdit(owner, id, { is_archived: 'x' }), 'Invalid is_archived value. Must be one of: 0, 1')
  assert.equal(await refusal(owner, 'tax_rates/edit', {}), 'No tax_rate_id in input')
  for (const path of ['tax_rates/edit', 'tax_rates/delete'])
    assert.equal(await refusal(owner, path, { tax_rate_id: 999 }), 'Tax rate not found or access denied')
  assert.equal((await list(owner)).length, 1)
})

rule('tax_rates.default', async () => {
  const { owner } = await owned()
  assert.equal(await defaultOf(owner), null)
  const first = await addRate(owner, 'VAT', 19)
  assert.equal(await defaultOf(owner), first)
  const second = await addRate(owner, 'VAT', 7)
  assert.equal(await defaultOf(owner), first)
  const third = await addRate(owner, 'VAT', 0, { is_default: 1 })
  assert.equal(await defaultOf(owner), third)
  await change(owner, second, { is_default: 1 })
  assert.equal(await defaultOf(owner), second)
  await change(owner, first, { is_archived: 1 })
  assert.equal(await refusedEdit(owner, first, { is_default: 1 }), 'An archived tax rate cannot be the default')
  await change(owner, first, { is_archived: 0, is_default: 1 })
  assert.equal(await defaultOf(owner), first)
})

rule('tax_rates.archive', async () => {
  const { company, owner } = await owned()
  const first = await addRate(owner, 'VAT', 19)
  const second = await addRate(owner, 'VAT', 7)
  const product = await add(company, 'products', { tax_rate_id: second })
  const other = await add(company, 'products')
  await change(owner, second, { is_archived: 1 })
  assert.equal((await entry(company, 'products', product)).tax_rate_id, second)
  await edit(company, 'products', product, { tax_rate_id: second, notes: 'x' })
  const refused = await company.call('products/edit', { product_id: other, tax_rate_id: second })
  assert.deepEqual([refused.status, refused.body.error], [400, 'Tax rate not found'])
  const third = await addRate(owner, 'VAT', 5)
  assert.equal(await refusedEdit(owner, first, { is_archived: 1 }), otherFirst)
  assert.equal(await refusal(owner, 'tax_rates/delete', { tax_rate_id: first }), otherFirst)
  await shown(owner, 'tax_rates/delete', { tax_rate_id: third })
  await change(owner, first, { is_archived: 1 })
  assert.equal(await defaultOf(owner), null)
  await change(owner, second, { is_archived: 0 })
  assert.equal(await defaultOf(owner), second)
  await edit(company, 'products', product, { tax_rate_id: '' })
  await shown(owner, 'tax_rates/delete', { tax_rate_id: second })
  assert.equal(await defaultOf(owner), null)
})

rule('tax_rates.delete', async () => {
  const { company, owner } = await owned()
  await addRate(owner, 'VAT', 19)
  const id = await addRate(owner, 'VAT', 7)
  const material = await add(company, 'materials', { tax_rate_id: id })
  const remove = () => refusal(owner, 'tax_rates/delete', { tax_rate_id: id })
  assert.equal(await remove(), 'Tax rate is in use and cannot be deleted')
  await edit(company, 'materials', material, { tax_rate_id: '' })
  await shown(owner, 'tax_rates/delete', { tax_rate_id: id })
  assert.deepEqual(
    (await list(owner)).map((one: { percent: number }) => one.percent),
    [19],
  )
  assert.equal(await addRate(owner, 'VAT', 5), id + 1, 'an id is not given twice')
})

rule('tax_rates.limit', async () => {
  const { owner } = await owned()
  for (let at = 0; at < 50; at++) await addRate(owner, `Rate ${at}`, at)
  const reply = await owner.call('tax_rates/add', { name: 'One more', percent: 1 })
  assert.deepEqual([reply.status, reply.body.error], [400, 'A company has at most 50 tax rates'])
})

rule('tax_rates.roles', async () => {
  const { company, owner } = await owned()
  const id = await addRate(owner, 'VAT', 19)
  const status = {
    'tax_rates/get_list': { manager: 200, worker: 403 },
    'tax_rates/add': { manager: 403, worker: 403 },
    'tax_rates/edit': { manager: 403, worker: 403 },
    'tax_rates/delete': { manager: 403, worker: 403 },
  }
  for (const role of ['manager', 'worker'] as const) {
    const user = await given.user(company, role)
    for (const [path, expected] of Object.entries(status))
      assert.equal((await user.call(path, { tax_rate_id: id, name: 'x', percent: 1 })).status, expected[role], path)
  }
  for (const path of Object.keys(status)) assert.equal((await company.call(path, { tax_rate_id: id })).status, 404)
  assert.equal((await list(owner)).length, 1)
})

rule('tax_rates.company', async () => {
  const [one, other] = [await owned(), await owned()]
  await addRate(one.owner, 'VAT', 19)
  const id = await addRate(one.owner, 'VAT', 7)
  assert.deepEqual(await list(other.owner), [])
  for (const path of ['tax_rates/edit', 'tax_rates/delete'])
    assert.equal(
      await refusal(other.owner, path, { tax_rate_id: id, name: 'theirs' }),
      'Tax rate not found or access denied',
    )
  const refused = await other.company.call('products/add', { name: 'Table', tax_rate_id: id })
  assert.deepEqual([refused.status, refused.body.error], [400, 'Tax rate not found'])
  assert.equal((await list(one.owner)).length, 2)
})
