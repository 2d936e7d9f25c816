// The same records give the same database, whether they are sent one by one, in one request, or in another order that respects their references.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc, { type Arbitrary } from 'fast-check'
import { query } from '../harness/database.ts'
import { type Company, given } from '../harness/given.ts'
import { lanesOf, runs, seed } from './lanes.ts'

type Drawn = {
  readonly price: number
  /** Earlier products, by their index modulo their number. */
  readonly uses: readonly number[]
  readonly materials: readonly number[]
  /** Its place in the other order, as far as its references allow. */
  readonly place: number
  readonly isRenamed: boolean
  readonly hasExternalId: boolean
}
type Case = { readonly materials: readonly Drawn[]; readonly products: readonly Drawn[] }

const drawn: Arbitrary<Drawn> = fc.record({
  price: fc.constantFrom(0, 1, 2.5, 249),
  uses: fc.array(fc.nat({ max: 20 }), { maxLength: 2 }),
  materials: fc.array(fc.nat({ max: 20 }), { maxLength: 3 }),
  place: fc.nat({ max: 1000 }),
  isRenamed: fc.boolean(),
  hasExternalId: fc.boolean(),
})
const cases: Arbitrary<Case> = fc.record({
  materials: fc.array(drawn, { minLength: 1, maxLength: 6 }),
  products: fc.array(drawn, { minLength: 1, maxLength: 8 }),
})

/** The index of a used product: always an earlier one. */
const usedBy = (one: Drawn, at: number): number[] => (at === 0 ? [] : [...new Set(one.uses.map((use) => use % at))])

/** In the second round some records get another SKU, and what uses them names them by it. */
function records({ materials, products }: Case, round: 1 | 2) {
  const sku = (kind: string, one: Drawn | undefined, at: number): string =>
    round === 2 && one?.isRenamed === true && one.hasExternalId ? `${kind}-${at}-NEW` : `${kind}-${at}`
  const common = (kind: string, one: Drawn, at: number) => ({
    sku: sku(kind, one, at),
    name: `${kind} ${at}, round ${round}`,
    price: one.price * round,
    ...(one.hasExternalId ? { external_id: `${kind} ${at}` } : {}),
  })
  return {
    materials: materials.map((one, at) => common('M', one, at)),
    products: products.map((one, at) => ({
      ...common('P', one, at),
      components: [
        ...[...new Set(one.materials.map((use) => use % materials.length))].map((use) => ({
          type: 'material',
          sku: sku('M', materials[use], use),
          amount: 1 + use,
        })),
        ...usedBy(one, at).map((use) => ({ type: 'product', sku: sku('P', products[use], use), amount: 2 })),
      ],
    })),
  }
}

/** Another order in which every product comes after those that it uses. */
function otherOrder(list: readonly Drawn[], usesOf: (one: Drawn, at: number) => readonly number[]): number[] {
  const order: number[] = []
  while (order.length < list.length) {
    const ready = list
      .map((one, at) => ({ one, at }))
      .filter(({ one, at }) => !order.includes(at) && usesOf(one, at).every((use) => order.includes(use)))
      .toSorted((a, b) => a.one.place - b.one.place)
    order.push(ready[0]?.at ?? 0)
  }
  return order
}

type Section = 'materials' | 'products'
type Sending = { readonly isOneByOne: boolean; readonly isReordered: boolean }

async function upsert(company: Company, section: Section, list: readonly object[]): Promise<void> {
  const reply = await company.call(`${section}/upsert`, { [section]: list })
  const refused = reply.body[section]?.filter(({ result }: { result: string }) => result === 'refused')
  assert.deepEqual([reply.status, refused], [200, []], `${JSON.stringify(list)} → ${reply.text}`)
}

let created: Promise<unknown> = Promise.resolve()
/** One at a time: a case is so short that most of the work is creating its companies, for which the harness has few connections. */
function newCompany(): Promise<Company> {
  const company = created.then(() => given.company())
  created = company.catch(() => {})
  return company
}

async function sent(one: Case, { isOneByOne, isReordered }: Sending): Promise<Company> {
  const company = await newCompany()
  for (const round of [1, 2] as const)
    for (const section of ['materials', 'products'] as const) {
      const all = records(one, round)[section]
      const order = isReordered
        ? otherOrder(one[section], section === 'products' ? usedBy : () => [])
        : all.map((_, at) => at)
      const list = order.map((at) => all[at] ?? {})
      for (const part of isOneByOne ? list.map((record) => [record]) : [list]) await upsert(company, section, part)
    }
  return company
}

type Row = Record<string, unknown> & { components?: readonly Record<string, unknown>[] }

/** Everything but times; ids only if `withIds`. */
async function stored(company: Company, withIds: boolean): Promise<unknown> {
  const rows = async (section: Section, include: readonly string[]): Promise<unknown[]> => {
    const { body } = await company.call(`${section}/get_list`, { include })
    const shown = (body[section] as Row[]).map(
      ({ id, created_at: _created, updated_at: _updated, version, components, ...rest }) => ({
        ...rest,
        ...(withIds ? { id, version } : {}),
        ...(components === undefined
          ? {}
          : { components: components.map(({ id: item, ...one }) => (withIds ? { ...one, item } : one)) }),
      }),
    )
    return shown.toSorted((a, b) => (String((a as Row)['sku']) < String((b as Row)['sku']) ? -1 : 1))
  }
  return [await rows('materials', ['meta', 'suppliers']), await rows('products', ['meta', 'suppliers', 'components'])]
}

const eventsOf = (company: Company): Promise<unknown[]> =>
  query(
    company.id,
    `select seq::int, record, record_id::int, action, change from events
     where company_id = $1 and record in ('product', 'material') order by seq`,
    [company.id],
  )

test('records sent one by one, in one request and in another order that respects their references give the same database', async (context) => {
  context.diagnostic(`seed ${seed}`)
  let compared = 0
  const holds = async (one: Case): Promise<void> => {
    const single = await sent(one, { isOneByOne: true, isReordered: false })
    const together = await sent(one, { isOneByOne: false, isReordered: false })
    const reordered = await sent(one, { isOneByOne: true, isReordered: true })
    const both = await sent(one, { isOneByOne: false, isReordered: true })
    assert.deepEqual(await stored(together, true), await stored(single, true), 'in one request')
    assert.deepEqual(await eventsOf(together), await eventsOf(single), 'events of one request')
    assert.deepEqual(await stored(reordered, false), await stored(single, false), 'in another order')
    assert.deepEqual(await stored(both, true), await stored(reordered, true), 'in another order, in one request')
    compared += one.materials.length + one.products.length
  }
  await lanesOf(cases, holds, Math.ceil(runs / 4))
  context.diagnostic(`${compared} records`)
})
