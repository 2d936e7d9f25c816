// What all sections of single records have in common: responses, ids, times, and separation of companies.

import assert from 'node:assert/strict'
import { query } from '../test/harness/database.ts'
import { type Company, given } from '../test/harness/given.ts'
import {
  accepts,
  add,
  edit,
  entityOf,
  entry,
  idField,
  isoTime,
  isReference,
  leastOf,
  missingText,
  noRecords,
  nounOf,
  pagedSections,
  refuses,
  refusesDelete,
  refusesEdit,
  remove,
  type Section,
  sections,
} from '../test/harness/record-calls.ts'
import { rule } from '../test/harness/rule.ts'

/** Methods that take a record of their own section. */
const ownMethods = (section: Section): string[] => [
  `${section}/edit`,
  `${section}/delete`,
  ...(isReference(section) ? [] : [`${section}/get_entry`]),
]

rule('records.add.answer', async () => {
  const company = await given.company()
  for (const section of sections) {
    const reply = await company.call(`${section}/add`, leastOf(section))
    assert.equal(reply.status, 200, reply.text)
    assert.deepEqual(Object.keys(reply.body), ['success', idField(section)])
    assert.equal((await entry(company, section, reply.body[idField(section)])).id, reply.body[idField(section)])
  }
})

rule('records.edit.answer', async () => {
  const company = await given.company()
  for (const section of sections) {
    const id = await add(company, section)
    const reply = await company.call(`${section}/edit`, { [idField(section)]: id, name: 'Another name' })
    assert.deepEqual([reply.status, reply.text], [200, '{"success":true}'])
    assert.equal((await entry(company, section, id)).name, 'Another name')
  }
})

rule('records.delete.answer', async () => {
  const company = await given.company()
  for (const section of sections) {
    const id = await add(company, section)
    const reply = await company.call(`${section}/delete`, { [idField(section)]: id })
    assert.deepEqual([reply.status, reply.text], [200, '{"success":true}'])
  }
})

rule('records.get_entry.answer', async () => {
  const company = await given.company()
  for (const section of pagedSections) {
    const id = await add(company, section, { name: 'The one' })
    const reply = await company.call(`${section}/get_entry`, { [idField(section)]: id })
    assert.deepEqual([reply.status, Object.keys(reply.body)], [200, ['success', nounOf(section)]])
    assert.deepEqual([reply.body[nounOf(section)].id, reply.body[nounOf(section)].name], [id, 'The one'])
  }
})

rule('records.ids-per-company', async () => {
  const [one, other] = [await given.company(), await given.company()]
  // A company starts with one unit and two storage locations; items share one number space.
  const first: Readonly<Record<string, number>> = { units: 2, storages: 3, materials: 3, resources: 5 }
  for (const section of sections) {
    const expected = first[section] ?? 1
    for (const company of [one, other]) assert.equal(await add(company, section), expected, section)
    await remove(one, section, expected)
    assert.equal(await add(one, section), expected + 1, `${section}: the id of a deleted record is not used again`)
    await add(other, section)
  }
})

rule('records.id-forms', async () => {
  const company = await given.company()
  for (const section of sections) {
    const id = await add(company, section)
    assert.deepEqual(
      await accepts(company, `${section}/edit`, { [idField(section)]: String(id), name: 'By digits' }),
      {},
    )
    assert.equal((await entry(company, section, id)).name, 'By digits')
    assert.deepEqual(await accepts(company, `${section}/delete`, { [idField(section)]: String(id) }), {})
  }
})

rule('records.error.no-id', async () => {
  const company = await given.company()
  for (const section of sections)
    for (const path of ownMethods(section)) {
      const text = `No ${idField(section)} in input`
      await refuses(company, path, {}, text)
      for (const id of [null, '']) await refuses(company, path, { [idField(section)]: id, name: 5 }, text)
    }
})

rule('records.error.not-found', 'no such record', async () => {
  const company = await given.company()
  for (const section of sections)
    for (const path of ownMethods(section))
      for (const id of noRecords) await refuses(company, path, { [idField(section)]: id }, missingText(section))
})

rule('records.error.not-found', 'a deleted record', async () => {
  const company = await given.company()
  for (const section of sections) {
    const id = await add(company, section)
    await remove(company, section, id)
    for (const path of ownMethods(section))
      await refuses(company, path, { [idField(section)]: id, name: 'Back again' }, missingText(section))
  }
})

rule('records.edit.refused', async () => {
  const company = await given.company()
  for (const section of sections) {
    const id = await add(company, section)
    const before = await entry(company, section, id)
    await refusesEdit(company, section, id, { notes: 'n', name: '' }, `${entityOf(section)} name must not be empty`)
    assert.deepEqual(await entry(company, section, id), before)
  }
})

rule('records.created-at', async () => {
  const company = await given.company({ timezone: 'Asia/Tokyo' })
  for (const section of sections) {
    const earliest = Date.now()
    const id = await add(company, section)
    const { created_at } = await entry(company, section, id)
    assert.match(created_at, isoTime)
    // The times are those of the database, on the same machine.
    assert.ok(Date.parse(created_at) >= earliest - 1_000 && Date.parse(created_at) <= Date.now() + 1_000, created_at)
    await edit(company, section, id, { name: 'Changed' })
    assert.equal((await entry(company, section, id)).created_at, created_at)
  }
})

rule('records.updated-at', async () => {
  const company = await given.company({ timezone: 'America/New_York' })
  for (const section of sections) {
    const id = await add(company, section)
    const { created_at, updated_at } = await entry(company, section, id)
    assert.match(updated_at, isoTime)
    assert.equal(updated_at, created_at)
    await edit(company, section, id, { name: 'Changed' })
    const changed = await entry(company, section, id)
    assert.match(changed.updated_at, isoTime)
    assert.ok(changed.updated_at > updated_at, section)
    assert.ok(Date.parse(changed.updated_at) <= Date.now() + 1_000)
  }
})

rule('records.unknown-fields', async () => {
  const company = await given.company()
  for (const section of sections) {
    const surplus = {
      id: 77,
      created_at: '2001-01-01T00:00:00Z',
      updated_at: 5,
      deleted_at: 'x',
      cost: 9,
      nonsense: [],
    }
    const id = await add(company, section, { ...surplus, amount: 9, reserved: {}, unit: 'x' })
    const before = await entry(company, section, id)
    assert.notEqual(id, 77)
    assert.ok(before.created_at > '2026')
    for (const amount of ['cost', 'amount', 'reserved']) assert.ok([0, undefined].includes(before[amount]))
    await edit(company, section, id, { ...surplus, plan_cost: 'x', amount: 9, unit: 'y' })
    assert.deepEqual(await entry(company, section, id), before)
  }
})

rule('records.tenancy', async () => {
  const [own, other] = [await given.company(), await given.company()]
  for (const [at, section] of sections.entries()) {
    // The id is chosen before the other company has a record.
    const foreign = 1_000 * (at + 1)
    await query(other.id, `update company_clock set last_${counterOf(section)}_id = ${foreign - 1}`)
    const requests = ownMethods(section).map(
      (path) => [path, { [idField(section)]: foreign, name: 'Mine now' }] as const,
    )
    const never = []
    for (const [path, body] of requests) never.push(await whole(own, path, body))
    assert.equal(await add(other, section, { name: 'Theirs' }), foreign)
    const theirs = await entry(other, section, foreign)
    for (const [n, [path, body]] of requests.entries()) assert.deepEqual(await whole(own, path, body), never[n], path)
    assert.match(JSON.stringify(never[0]), new RegExp(missingText(section)))
    assert.deepEqual(await entry(other, section, foreign), theirs)
    await refusesDelete(own, section, foreign, missingText(section))
    await remove(other, section, foreign)
  }
})

const counterOf = (section: Section): string =>
  ['products', 'materials', 'resources'].includes(section) ? 'item' : nounOf(section)

/** Everything a client sees of a response, except what differs between requests. */
async function whole(company: Company, path: string, body: object): Promise<unknown> {
  const { status, text, headers } = await company.call(path, body)
  const passing = ['x-request-id', 'date', 'ratelimit-remaining', 'ratelimit-reset']
  return { status, text, headers: [...headers].filter(([name]) => !passing.includes(name)) }
}
