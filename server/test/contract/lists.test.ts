// Every list of the public API takes the same filters and parts, and finds the changed records by an index.

import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Method } from '../../kernel/method.ts'
import { methods } from '../../methods.ts'
import { query } from '../harness/database.ts'
import { type Company, given } from '../harness/given.ts'
import { plansOf, skipOnCluster } from '../harness/plans.ts'
import { rule } from '../harness/rule.ts'
import { makeWorld, type World } from './world.ts'

const sectionOf = ({ path }: Pick<Method, 'path'>): string => path.split('/')[0] ?? ''
const shapeOf = (method: Method): readonly string[] => Object.keys(method.input.schema.shape)

/** Every public method that reads several records. */
const lists = methods.filter(
  ({ api, kind, path }) => api === 'public' && kind === 'read' && !/\/(?:get_entry|get)$/.test(path),
)

/** What a list does not take, and why. */
const exceptions: Readonly<Record<string, { readonly lacks: readonly string[]; readonly because: string }>> = {
  'events/get_list': { lacks: ['ids', 'updated_after', 'include'], because: 'a feed, read on from a number' },
  'stock/get_changes': { lacks: ['ids', 'updated_after', 'include'], because: 'a feed, read on from a number' },
  'stock/get_list': { lacks: ['include'], because: 'levels are not records: they have no version and no parts' },
  'stock/get_movements': { lacks: ['include'], because: 'movements never change: they have no version and no parts' },
}

/** Whether the records of a section have external ids: they can be set. */
const hasExternalIds = (section: string): boolean =>
  methods.some((method) => method.path === `${section}/add` && shapeOf(method).includes('external_id'))

const lackedBy = (method: Method): string[] =>
  ['ids', 'updated_after', 'include', ...(hasExternalIds(sectionOf(method)) ? ['external_ids'] : [])].filter(
    (name) => !shapeOf(method).includes(name),
  )

test('every list takes ids, updated_after, include, and external_ids of records that have them, except those named here', () => {
  assert.ok(lists.length > 15, `only ${lists.length} lists were found`)
  for (const method of lists) assert.deepEqual(lackedBy(method), exceptions[method.path]?.lacks ?? [], method.path)
  for (const path of Object.keys(exceptions))
    assert.ok(
      lists.some((method) => method.path === path),
      path,
    )
})

test('a list that lacks a filter is noticed', () => {
  const [list] = lists.filter(({ path }) => path === 'customers/get_list')
  assert.ok(list !== undefined)
  const { external_ids: _removed, ...shape } = list.input.schema.shape
  assert.deepEqual(lackedBy({ ...list, input: { ...list.input, schema: { shape } } } as unknown as Method), [
    'external_ids',
  ])
})

const ofRecords = lists.filter(({ path }) => exceptions[path] === undefined)

let world: World
before(async () => {
  world = await makeWorld()
})

type Row = Readonly<Record<string, unknown>> & { readonly id: number }

async function rowsOf(company: Company, method: Method, body: object): Promise<readonly Row[]> {
  const reply = await company.call(method.path, body)
  assert.equal(reply.status, 200, `${method.path} ${JSON.stringify(body)} → ${reply.text}`)
  return reply.body[sectionOf(method)]
}
const idsOf = (rows: readonly Row[]): readonly number[] => rows.map(({ id }) => id)

/** The list as a page and as a whole, which must be the same. */
async function found(company: Company, method: Method, filter: object): Promise<readonly Row[]> {
  const whole = await rowsOf(company, method, filter)
  if (shapeOf(method).includes('limit'))
    assert.deepEqual(await rowsOf(company, method, { limit: 1000, ...filter }), whole, method.path)
  return whole
}

rule('lists.every-list', 'ids and updated_after narrow every list', async () => {
  const { company } = world
  for (const method of ofRecords) {
    const all = await found(company, method, {})
    const [first] = all
    assert.ok(first !== undefined, `${method.path} has no records`)
    assert.deepEqual(await found(company, method, { ids: [first.id, 987_654] }), [first], method.path)
    assert.deepEqual(await found(company, method, { ids: [] }), [], method.path)
    assert.deepEqual(await found(company, method, { updated_after: '2999-01-01T00:00:00Z' }), [], method.path)
    assert.deepEqual(await found(company, method, { updated_after: '2020-01-01T00:00:00Z' }), all, method.path)
    const both = { ids: [first.id], updated_after: '2999-01-01T00:00:00Z' }
    assert.deepEqual(await found(company, method, both), [], method.path)
    for (const [bad, refusal] of [
      [{ ids: 5 }, 'Ids is not an array'],
      [{ updated_after: 'yesterday' }, 'Invalid updated_after value. Must be a time in ISO 8601'],
    ] as const)
      assert.equal((await company.call(method.path, bad)).body.error, refusal, method.path)
  }
})

/** The name of the id of a section's record in requests. */
const idFieldOf = (section: string): string => `${section === 'categories' ? 'category' : section.slice(0, -1)}_id`

rule('lists.external-ids', async () => {
  const { company } = world
  const owner = await given.user(company, 'owner')
  const other = (await owner.call('connections/add', { name: 'Another shop' })).body.api_key
  for (const method of ofRecords.filter((one) => hasExternalIds(sectionOf(one)))) {
    const section = sectionOf(method)
    const [first] = await rowsOf(company, method, {})
    assert.ok(first !== undefined)
    const edited = await company.call(`${section}/edit`, { [idFieldOf(section)]: first.id, external_id: 'shop 17' })
    assert.equal(edited.status, 200, edited.text)
    const rows = await found(company, method, { external_ids: ['shop 17', 'nobody'] })
    assert.deepEqual(idsOf(rows), [first.id], method.path)
    assert.deepEqual(await found(company, method, { external_ids: [] }), [], method.path)
    const [meta] = await found(company, method, { external_ids: [' shop 17 '], include: ['meta'] })
    assert.equal(meta?.['external_id'], 'shop 17', method.path)
    const theirs = await company.call(method.path, { external_ids: ['shop 17'] }, { authorization: other })
    assert.deepEqual(theirs.body[section], [], `${method.path}: of another connection`)
  }
})

rule('lists.error.external-ids', async () => {
  const { company } = world
  for (const method of ofRecords.filter((one) => hasExternalIds(sectionOf(one))))
    for (const [external_ids, refusal] of [
      ['shop 17', 'External_ids is not an array'],
      [new Array(1001).fill('a'), 'Invalid external_ids value. Must be at most 1000 ids'],
      [[{}], 'Invalid external_ids value. Must be a string'],
    ] as const)
      assert.equal((await company.call(method.path, { external_ids })).body.error, refusal, method.path)
})

rule('lists.include-meta', async () => {
  const { company } = world
  for (const method of ofRecords) {
    const plain = await found(company, method, {})
    const rows = await found(company, method, { include: ['meta'] })
    assert.deepEqual(idsOf(rows), idsOf(plain))
    const record = { orders: 'sale', categories: 'category' }[sectionOf(method)] ?? sectionOf(method).slice(0, -1)
    for (const [at, row] of rows.entries()) {
      const { version, external_id, ...rest } = row
      const [event] = await query(
        company.id,
        'select max(seq)::int as seq from events where company_id = $1 and record = $2 and record_id = $3',
        [company.id, record, row.id],
      )
      assert.equal(version, event.seq ?? 0, `${method.path} ${row.id}`)
      assert.equal(external_id !== undefined, hasExternalIds(sectionOf(method)), method.path)
      if (sectionOf(method) !== 'orders') assert.deepEqual(rest, plain[at], method.path)
    }
  }
})

const partsOf: Readonly<Record<string, readonly string[]>> = {
  products: ['suppliers', 'components'],
  materials: ['suppliers'],
  ...Object.fromEntries(
    ['orders', 'purchases', 'productions', 'writeoffs', 'transfers', 'audits'].map((section) => [section, ['lines']]),
  ),
}

rule('lists.include-parts', async () => {
  const { company } = world
  for (const method of ofRecords) {
    const section = sectionOf(method)
    const include = partsOf[section] ?? []
    if (include.length === 0) continue
    for (const row of await found(company, method, { include })) {
      const { body } = await company.call(`${section}/get_entry`, { [idFieldOf(section)]: row.id })
      assert.deepEqual({ ...row }, body[section.slice(0, -1)], `${method.path} ${row.id}`)
    }
  }
})

rule('lists.error.include', async () => {
  const { company } = world
  for (const method of ofRecords) {
    const parts = method.refusals.find((refusal) => refusal.startsWith('Invalid include value. Must be any of: '))
    for (const [include, refusal] of [
      ['meta', 'Include is not an array'],
      [['cake'], parts],
    ] as const)
      assert.equal((await company.call(method.path, { include })).body.error, refusal, method.path)
  }
})

/** Small lists without pages: they are read whole. */
const smallLists = ['units', 'categories', 'storages']

test('updated_after is served by an index in every list with pages', { skip: skipOnCluster }, async () => {
  const byChange = await plansOf((name) => name.endsWith('_by_updated_after'))
  const tables = [...byChange.keys()].map((name) => name.split('.')[0])
  const withPages = ofRecords.map(sectionOf).filter((section) => !smallLists.includes(section))
  assert.deepEqual(tables.toSorted(), withPages.map((one) => (one === 'orders' ? 'sales' : one)).toSorted())
  for (const [name, plan] of byChange) assert.match(plan, /_by_change/, name)
})
