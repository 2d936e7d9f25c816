// Lists of documents: order, filters, pages, and the whole list.

import assert from 'node:assert/strict'
import {
  addDocument,
  type DocumentSection,
  described,
  documentOf,
  documentSections,
  editDocument,
  lineOf,
  listed,
  setStatus,
  withStatus,
} from '../test/harness/document-calls.ts'
import { type Company, given } from '../test/harness/given.ts'
import { accepts, refuses } from '../test/harness/record-calls.ts'
import { rule } from '../test/harness/rule.ts'

const numbers = (records: readonly { num: string }[]): string[] => records.map((one) => one.num)

async function added(company: Company, section: DocumentSection, num: string, day: string): Promise<number> {
  return await addDocument(company, section, { num, [described[section].date]: day })
}

rule('documents.list.order', async () => {
  const company = await given.company()
  for (const section of documentSections) {
    const made = []
    for (const [num, day] of [
      ['A-10', '2025-02-01'],
      ['A-9', '2025-02-01'],
      ['Z', '2025-01-31'],
      ['A-10', '2025-02-01'],
      ['A-1', '2025-02-02'],
      ['B-2', '2025-02-01'],
    ] as const)
      made.push(await added(company, section, num, day))
    const [ten, nine, old, tenAgain, newest, b] = made
    const order = async () => (await listed(company, section)).map((one) => one.id)
    assert.deepEqual(await order(), [newest, nine, ten, tenAgain, b, old])
    await editDocument(company, section, old ?? 0, { [described[section].date]: '2025-03-01' })
    await editDocument(company, section, nine ?? 0, { num: 'A-11' })
    assert.deepEqual(await order(), [old, newest, ten, tenAgain, nine, b])
  }
})

rule('documents.record.same-in-list', async () => {
  const company = await given.company()
  for (const section of documentSections) {
    const { products, materials, ...record } = await documentOf(company, section, await addDocument(company, section))
    assert.deepEqual([products.length, materials.length], [1, 0])
    for (const filters of [{}, { ids: [record.id] }])
      assert.deepEqual(await listed(company, section, filters), [record])
  }
})

rule('documents.list.search', async () => {
  const company = await given.company()
  for (const section of documentSections) {
    for (const num of ['2025/100%', '2025_7', 'X-2024']) await added(company, section, num, '2025-02-01')
    const found = async (search: unknown) => numbers(await listed(company, section, { search }))
    assert.deepEqual(await found('2025'), ['2025/100%', '2025_7'])
    assert.deepEqual(await found('100%'), ['2025/100%'])
    assert.deepEqual(await found('5_7'), ['2025_7'])
    assert.deepEqual(await found('5%7'), [])
    assert.deepEqual(await found('X-2024'), ['X-2024'])
    assert.deepEqual(await found(2024), ['X-2024'])
    assert.equal((await found(null)).length, 3)
  }
})

rule('documents.list.search', 'in any alphabet', async () => {
  const company = await given.company()
  for (const section of documentSections) {
    // Lower case differs between languages: a text must be found exactly as it was written.
    for (const num of ['ÄÖ-7', 'ЗАКАЗ', 'ΟΔΟΣ', 'İZMİR', 'STRAẞE']) {
      await added(company, section, num, '2025-02-01')
      assert.deepEqual(numbers(await listed(company, section, { search: num })), [num], section)
    }
  }
})

rule('documents.list.updated-after', async () => {
  const company = await given.company()
  for (const section of documentSections) {
    const ids = []
    for (const num of ['1', '2', '3']) ids.push(await added(company, section, num, '2025-02-01'))
    const { updated_at } = await documentOf(company, section, ids[1] ?? 0)
    const found = async (updated_after: string) => numbers(await listed(company, section, { updated_after }))
    assert.deepEqual(await found(updated_at), ['3'])
    await editDocument(company, section, ids[0] ?? 0, { notes: 'x' })
    assert.deepEqual(await found(updated_at), ['1', '3'])
    assert.equal((await found('2020-01-01T00:00:00Z')).length, 3)
    assert.deepEqual(await found('2100-01-01T00:00:00+02:00'), [])
    if (section === 'writeoffs') continue
    await setStatus(company, section, ids[1] ?? 0, 4)
    assert.deepEqual(await found(updated_at), ['1', '2', '3'])
  }
})

rule('documents.list.ids', async () => {
  const company = await given.company()
  for (const section of documentSections) {
    const ids = []
    for (const num of ['1', '2', '3']) ids.push(await added(company, section, num, '2025-02-01'))
    const found = async (wanted: unknown[]) => numbers(await listed(company, section, { ids: wanted }))
    assert.deepEqual(await found([ids[2], String(ids[0])]), ['1', '3'])
    assert.deepEqual(await found([ids[1], ids[1], 987_654, 'x']), ['2'])
    assert.deepEqual(await found([]), [])
  }
})

rule('documents.list.dates', async () => {
  const company = await given.company()
  for (const section of documentSections) {
    for (const day of ['01', '02', '03', '04']) await added(company, section, day, `2025-02-${day}`)
    const found = async (filters: object) => numbers(await listed(company, section, { ...filters }))
    assert.deepEqual(await found({ date_from: '2025-02-02' }), ['04', '03', '02'])
    assert.deepEqual(await found({ date_to: '2025-02-02' }), ['02', '01'])
    assert.deepEqual(await found({ date_from: '2025-02-02', date_to: '2025-02-03' }), ['03', '02'])
    assert.deepEqual(await found({ date_from: '2025-02-03', date_to: '2025-02-02' }), [])
  }
})

rule('documents.list.status', async () => {
  const company = await given.company()
  for (const section of withStatus) {
    const { statuses } = described[section]
    for (const status of statuses) await addDocument(company, section, { num: `S${status}`, status })
    for (const status of statuses)
      for (const given of [status, String(status)])
        assert.deepEqual(numbers(await listed(company, section, { status: given })), [`S${status}`])
    assert.equal((await listed(company, section, { status: null })).length, statuses.length)
  }
})

rule('documents.list.together', async () => {
  const company = await given.company()
  for (const section of documentSections) {
    const ids = []
    for (const [num, day] of [
      ['A-1', '2025-02-01'],
      ['A-2', '2025-02-02'],
      ['B-3', '2025-02-02'],
      ['A-4', '2025-02-03'],
    ] as const)
      ids.push(await added(company, section, num, day))
    const filters = { search: 'A-', date_from: '2025-02-02' }
    assert.deepEqual(numbers(await listed(company, section, filters)), ['A-4', 'A-2'])
    assert.deepEqual(numbers(await listed(company, section, { ...filters, ids: ids.slice(0, 3) })), ['A-2'])
    const page = await accepts(company, `${section}/get_list`, { ...filters, limit: 1, offset: 1 })
    assert.deepEqual([numbers(page[section]), page.total], [['A-2'], 2])
  }
})

rule('documents.list.errors', async () => {
  const company = await given.company()
  for (const section of documentSections)
    for (const [filters, error] of [
      [{ date_from: '2025-02-30' }, 'Date is not a valid date in format YYYY-MM-DD'],
      [{ date_to: 'x' }, 'Date is not a valid date in format YYYY-MM-DD'],
      [{ ids: 7 }, 'Ids is not an array'],
      [{ limit: 0 }, 'Invalid limit value. Must be between 1 and 1000'],
      [{ limit: 1001 }, 'Invalid limit value. Must be between 1 and 1000'],
      [{ limit: 1, offset: -1 }, 'Invalid offset value. Must be 0 or greater'],
      [{ offset: 0 }, 'Offset requires limit'],
    ] as const)
      await refuses(company, `${section}/get_list`, filters, error)
})

rule('documents.list.whole', async () => {
  const company = await given.company()
  const { id: item } = await given.product(company)
  const count = 1_005
  for (let made = 0; made < count; made += 15)
    await Promise.all(
      Array.from({ length: 15 }, () =>
        addDocument(company, 'writeoffs', { products: [lineOf('writeoffs', { id: item })], date: '2025-02-01' }),
      ),
    )
  const all = await listed(company, 'writeoffs', {}, 400)
  assert.deepEqual(numbers(all), Array.from({ length: count }, (_, at) => `W-${at + 1}`)) // biome-ignore format: one thought
  assert.equal((await listed(company, 'writeoffs', { search: 'W-' }, 1000)).length, count)
})

rule('documents.tenancy.list', async () => {
  const [company, other] = [await given.company(), await given.company()]
  for (const section of documentSections) {
    const id = await addDocument(other, section, { num: 'THEIRS' })
    for (const filters of [{}, { search: 'THEIRS' }, { ids: [id] }, { date_from: '2000-01-01' }])
      assert.deepEqual(await listed(company, section, filters), [])
  }
})
