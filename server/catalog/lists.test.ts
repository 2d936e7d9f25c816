// The five paged lists: their filters, order and pages. Every list is read whole and by pages, and both must agree.

import assert from 'node:assert/strict'
import { type Company, given } from '../test/harness/given.ts'
import {
  accepts,
  add,
  edit,
  entry,
  ids,
  list,
  names,
  pagedSections,
  type Section,
} from '../test/harness/record-calls.ts'
import { rule } from '../test/harness/rule.ts'

async function addAll(company: Company, section: Section, all: readonly string[]): Promise<number[]> {
  const made = []
  for (const name of all) made.push(await add(company, section, { name }))
  return made
}

rule('lists.answer', async () => {
  const company = await given.company()
  for (const section of pagedSections) {
    const empty = await company.call(`${section}/get_list`)
    assert.deepEqual([empty.status, empty.body], [200, { success: true, [section]: [], total: 0 }])
    const id = await add(company, section)
    const { suppliers: _, components: __, ...record } = await entry(company, section, id)
    for (const body of [{}, { limit: 5 }]) {
      const reply = await company.call(`${section}/get_list`, body)
      assert.deepEqual([reply.status, reply.body], [200, { success: true, [section]: [record], total: 1 }])
    }
  }
})

rule('lists.search.name', async () => {
  const company = await given.company()
  for (const section of pagedSections) {
    await addAll(company, section, ['Oak table', 'Oak chair', 'Pine table', 'Lamp'])
    const found = async (search: string) => names(await list(company, section, { search }))
    assert.deepEqual(await found('Oak'), ['Oak chair', 'Oak table'])
    assert.deepEqual(await found('table'), ['Oak table', 'Pine table'])
    assert.deepEqual(await found('k t'), ['Oak table'])
    assert.deepEqual(await found('Lamp'), ['Lamp'])
    assert.deepEqual(await found('Table top'), [])
  }
})

rule('lists.search.name', 'in any script', async () => {
  const company = await given.company()
  const written = [
    'Äpfel für Öl',
    'Straße',
    'Москва',
    '東京 2',
    'قهوة',
    'a\u0301 composed',
    '😀 toys',
    'ΟΔΟΣ ΕΡΜΟΥ',
    'İstanbul',
  ]
  for (const section of pagedSections) {
    await addAll(company, section, written)
    for (const name of written) assert.deepEqual(names(await list(company, section, { search: name })), [name])
  }
})

rule('lists.search.literal', async () => {
  const company = await given.company()
  const odd = [
    '100% oak',
    '100 oak',
    'a_b',
    'axb',
    'back\\slash',
    "O'Brien",
    '$1 shop',
    'say "no"',
    'two\ttabs',
    '{1,2}',
  ]
  for (const section of pagedSections) {
    await addAll(company, section, odd)
    const found = async (search: string) => names(await list(company, section, { search }))
    assert.deepEqual(await found('0%'), ['100% oak'])
    assert.deepEqual(await found('%'), ['100% oak'])
    assert.deepEqual(await found('_'), ['a_b'])
    assert.deepEqual(await found('\\'), ['back\\slash'])
    assert.deepEqual(await found('\\s'), ['back\\slash'])
    for (const name of odd) assert.deepEqual(await found(name), [name])
    for (const none of ['%oak', '1_0', 'b%', '\\%', "''", '$2', '.*', "' or 1=1 --"])
      assert.deepEqual(await found(none), [])
  }
})

rule('lists.search.case', 'letters of English', async () => {
  const company = await given.company()
  for (const section of pagedSections) {
    await addAll(company, section, ['OAK Table', 'oak table 2', 'Lamp'])
    for (const search of ['oak', 'OAK', 'Oak TABLE'])
      assert.deepEqual(names(await list(company, section, { search })), ['OAK Table', 'oak table 2'], search)
  }
})

rule('lists.search.case', 'letters of other languages', async () => {
  const company = await given.company()
  for (const section of pagedSections) {
    await addAll(company, section, ['Äpfel für Öl', 'Москва', 'ÉCLAIR', 'ΕΡΜΟΥ'])
    for (const [search, name] of [
      ['äPFEL', 'Äpfel für Öl'],
      ['öl', 'Äpfel für Öl'],
      ['МОСКВА', 'Москва'],
      ['éclair', 'ÉCLAIR'],
      ['ερμου', 'ΕΡΜΟΥ'],
    ] as const)
      assert.deepEqual(names(await list(company, section, { search })), [name], search)
  }
})

rule('lists.search.empty', async () => {
  const company = await given.company()
  for (const section of pagedSections) {
    await addAll(company, section, ['One', 'Two'])
    assert.deepEqual(names(await list(company, section, { search: null })), ['One', 'Two'])
  }
})

rule('lists.updated-after', async () => {
  const company = await given.company({ timezone: 'Asia/Kolkata' })
  for (const section of pagedSections) {
    const [first = 0, second = 0] = await addAll(company, section, ['A', 'B', 'C'])
    const { updated_at } = await entry(company, section, second)
    const refused = await company.call(`${section}/get_list`, { updated_after: '2024-03-05T10:00:00+23:59' })
    assert.deepEqual(
      [refused.status, refused.body.error],
      [400, 'Invalid updated_after value. Must be a time in ISO 8601'],
    )
    const since = async (updated_after: string) => names(await list(company, section, { updated_after }))
    assert.deepEqual(await since(updated_at), ['C'], 'the time of the change itself is excluded')
    assert.deepEqual(await since('2001-01-01T00:00:00Z'), ['A', 'B', 'C'])
    assert.deepEqual(await since('2999-01-01T00:00:00Z'), [])
    await edit(company, section, first, { name: 'A changed' })
    assert.deepEqual(await since(updated_at), ['A changed', 'C'])
    // The same instant, written in zones east and west of Greenwich.
    const shifted = (hours: number, zone: string) =>
      new Date(Date.parse(updated_at) + hours * 3_600_000)
        .toISOString()
        .replace(/\.\d+Z$/, updated_at.slice(19, -1) + zone)
    assert.deepEqual(await since(shifted(5.5, '+05:30')), ['A changed', 'C'])
    assert.deepEqual(await since(shifted(-8, '-08:00')), ['A changed', 'C'])
  }
})

rule('lists.ids', async () => {
  const company = await given.company()
  for (const section of pagedSections) {
    const [a = 0, b = 0, c = 0] = await addAll(company, section, ['A', 'B', 'C'])
    assert.deepEqual(ids(await list(company, section, { ids: [c, a] })), [a, c])
    assert.deepEqual(ids(await list(company, section, { ids: [b, b, 987654, 0, -1, 'x', null, {}, 1.5] })), [b])
    assert.deepEqual(ids(await list(company, section, { ids: [String(a)] })), [a])
    assert.deepEqual(ids(await list(company, section, { ids: [987654] })), [])
    assert.deepEqual(ids(await list(company, section, { ids: null })), [a, b, c])
  }
})

rule('lists.filters-together', async () => {
  const company = await given.company()
  for (const section of pagedSections) {
    const [, oak = 0, pine = 0, late = 0] = await addAll(company, section, ['Oak 1', 'Oak 2', 'Pine', 'Oak 3'])
    const { updated_at: updated_after } = await entry(company, section, pine)
    assert.deepEqual(ids(await list(company, section, { search: 'oak', updated_after })), [late])
    assert.deepEqual(ids(await list(company, section, { search: 'oak', ids: [oak, pine] })), [oak])
    assert.deepEqual(ids(await list(company, section, { ids: [oak, late], updated_after, search: '3' })), [late])
    assert.deepEqual(ids(await list(company, section, { ids: [oak], updated_after })), [])
  }
})

rule('lists.order', async () => {
  const company = await given.company()
  const inOrder = [
    ...['Bolt', 'Bolt 1', 'Bolt 2', 'Bolt 9', 'Bolt 10', 'Bolt 10-2', 'Bolt 10-10', 'Bolt 99', 'Bolt 100'],
    ...['Bolt 99999999999999999999', 'Bolt 100000000000000000000', 'Nut', 'Äpfel'],
  ]
  for (const section of pagedSections) {
    await addAll(company, section, inOrder.toReversed())
    assert.deepEqual(names(await list(company, section, {}, 3)), inOrder)
  }
})

rule('lists.order.ties', async () => {
  const company = await given.company()
  // Contacts cannot share a name, but can have names that are equal in natural order.
  for (const section of pagedSections) {
    const made = await addAll(company, section, ['Bolt 7', 'Bolt 007', 'Bolt 07', 'Bolt 6', 'Bolt 0007'])
    const [sixth] = made.splice(3, 1)
    assert.deepEqual(ids(await list(company, section, {}, 2)), [sixth, ...made])
  }
})

rule('lists.pages', async () => {
  const company = await given.company()
  for (const section of pagedSections) {
    await addAll(company, section, ['A', 'B', 'C', 'D', 'E'])
    const page = async (body: object) => names((await accepts(company, `${section}/get_list`, { ...body }))[section])
    assert.deepEqual(await page({ limit: 2 }), ['A', 'B'])
    assert.deepEqual(await page({ limit: 2, offset: 0 }), ['A', 'B'])
    assert.deepEqual(await page({ limit: '2', offset: '3' }), ['D', 'E'])
    assert.deepEqual(await page({ limit: 1000, offset: 4 }), ['E'])
    assert.deepEqual(await page({ limit: 1, offset: 5 }), [])
    assert.deepEqual(await page({ limit: 1, offset: Number.MAX_SAFE_INTEGER }), [])
  }
})

rule('lists.total', async () => {
  const company = await given.company()
  for (const section of pagedSections) {
    await addAll(company, section, ['Oak 1', 'Oak 2', 'Oak 3', 'Pine'])
    const total = async (body: object) => (await accepts(company, `${section}/get_list`, { ...body })).total
    for (const body of [{}, { limit: 1 }, { limit: 3, offset: 2 }, { limit: 5, offset: 9 }])
      assert.equal(await total(body), 4)
    for (const body of [{}, { limit: 1 }, { limit: 5, offset: 9 }])
      assert.equal(await total({ search: 'oak', ...body }), 3)
  }
})
