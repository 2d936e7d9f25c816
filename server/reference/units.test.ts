// Units of measure, and what the three unpaged lists have in common.

import assert from 'node:assert/strict'
import { given } from '../test/harness/given.ts'
import {
  add,
  edit,
  editChanges,
  entry,
  ids,
  isReference,
  leastOf,
  refuses,
  refusesDelete,
  refusesEdit,
  remove,
  sections,
  wholeReference,
} from '../test/harness/record-calls.ts'
import { rule } from '../test/harness/rule.ts'

const lists = sections.filter(isReference)

rule('reference.get_list.answer', async () => {
  const company = await given.company()
  for (const section of lists) {
    const id = await add(company, section)
    const reply = await company.call(`${section}/get_list`)
    assert.deepEqual([reply.status, Object.keys(reply.body), reply.body.success], [200, ['success', section], true])
    assert.ok(ids(reply.body[section]).includes(id))
  }
})

rule('reference.get_list.everything', async () => {
  const company = await given.company()
  for (const section of lists) {
    const made = []
    for (let n = 0; n < 60; n++) made.push(await add(company, section))
    const everything = await wholeReference(company, section)
    const shown = ids(everything)
    assert.deepEqual(
      made.filter((id) => !shown.includes(id)),
      [],
    )
    for (const surplus of [
      { limit: 1 },
      { offset: 3 },
      { limit: 'x', search: [] },
      { search: 'Some', type: 'nothing' },
    ]) {
      const reply = await company.call(`${section}/get_list`, surplus)
      assert.deepEqual([reply.status, reply.body], [200, { success: true, [section]: everything }])
    }
  }
})

rule('reference.get_list.without-deleted', async () => {
  const company = await given.company()
  for (const section of lists) {
    const before = await wholeReference(company, section)
    const id = await add(company, section)
    await remove(company, section, id)
    assert.deepEqual(await wholeReference(company, section), before)
  }
})

rule('reference.get_list.own-company', async () => {
  const [own, other] = [await given.company(), await given.company()]
  for (const section of lists) {
    const before = await wholeReference(own, section)
    await add(other, section, { name: 'Theirs' })
    assert.deepEqual(await wholeReference(own, section), before)
  }
})

rule('units/unit.id', async () => {
  const company = await given.company()
  const id = await add(company, 'units')
  assert.equal((await entry(company, 'units', id)).id, id)
})

rule('units/unit.name', async () => {
  const company = await given.company()
  const id = await add(company, 'units', { name: 'kg' })
  assert.equal((await entry(company, 'units', id)).name, 'kg')
  await editChanges(company, 'units', id, { name: 'g' }, { name: 'g' })
})

rule('units/unit.full_name', async () => {
  const company = await given.company()
  const id = await add(company, 'units', { full_name: 'kilogram' })
  assert.equal((await entry(company, 'units', id)).full_name, 'kilogram')
  await editChanges(company, 'units', id, { full_name: 'gram' }, { full_name: 'gram' })
  await editChanges(company, 'units', id, { full_name: '' }, { full_name: '' })
  assert.equal((await entry(company, 'units', await add(company, 'units'))).full_name, '')
})

rule('units/unit.fields-all', async () => {
  const company = await given.company()
  const unit = await entry(company, 'units', await add(company, 'units'))
  assert.deepEqual(Object.keys(unit).sort(), ['created_at', 'full_name', 'id', 'name', 'updated_at'])
})

rule('units/add.order-of-checks', async () => {
  const company = await given.company()
  const id = await add(company, 'units')
  await refuses(company, 'units/add', { full_name: [] }, 'No name in input')
  await refuses(company, 'units/add', { name: '', full_name: [] }, 'Unit name must not be empty')
  await refuses(
    company,
    'units/add',
    { ...leastOf('units'), full_name: [] },
    'Invalid full_name value. Must be a string',
  )
  await refusesEdit(company, 'units', null, { name: '' }, 'No unit_id in input')
  await refusesEdit(company, 'units', id, { name: 5, full_name: [] }, 'Unit name must be a string')
  await refusesEdit(company, 'units', 987654, { full_name: [] }, 'Invalid full_name value. Must be a string')
})

rule('units/delete.error.in-use', async () => {
  const company = await given.company()
  const inUse = 'Unit is in use and cannot be deleted'
  for (const section of ['products', 'materials', 'resources'] as const) {
    const unit_id = await add(company, 'units')
    const item = await add(company, section, { unit_id })
    await refusesDelete(company, 'units', unit_id, inUse)
    assert.equal((await entry(company, 'units', unit_id)).id, unit_id)
    await edit(company, section, item, { unit_id: 1 })
    await remove(company, 'units', unit_id)
  }
  await refusesDelete(company, 'units', 1, inUse)
})
