// Customers and suppliers: their fields, names that are unique among records not deleted, and what remains of a deleted one.

import assert from 'node:assert/strict'
import { url } from '../test/harness/app.ts'
import { postUntilAccepted } from '../test/harness/concurrent-calls.ts'
import { type Company, given } from '../test/harness/given.ts'
import {
  add,
  edit,
  editChanges,
  entityOf,
  entry,
  idField,
  ids,
  list,
  missingText,
  names,
  refuses,
  refusesEdit,
  remove,
} from '../test/harness/record-calls.ts'
import { rule } from '../test/harness/rule.ts'

const both = ['customers', 'suppliers'] as const
type Section = (typeof both)[number]

const fields = [
  ...['email', 'phone', 'address_real', 'address_legal', 'agreement'],
  ...['manager_name', 'manager_post', 'notes'],
]
const trade = ['country', 'vat_number', 'payment_days']
const ownOf = { customers: ['tax_treatment', 'tax_reason'], suppliers: [] }
const taken = (section: Section) => `${entityOf(section)} with this name already exists`

/** One text of a contact: added, edited, cleared, and sent as a number. */
async function keepsText(field: string): Promise<void> {
  const company = await given.company()
  for (const section of both) {
    const value = `Some ${field} "é" 😀\nsecond line`
    const id = await add(company, section, { [field]: value })
    assert.equal((await entry(company, section, id))[field], value)
    assert.equal((await list(company, section, { ids: [id] }))[0][field], value)
    await editChanges(company, section, id, { [field]: 'Another' }, { [field]: 'Another' })
    await editChanges(company, section, id, { [field]: 1234.5 }, { [field]: '1234.5' })
    await editChanges(company, section, id, { [field]: '' }, { [field]: '' })
  }
}

rule('contacts.record.id', async () => {
  const company = await given.company()
  for (const section of both) {
    const made = [await add(company, section), await add(company, section)]
    assert.deepEqual(made, [1, 2])
    for (const id of made) assert.equal((await entry(company, section, id)).id, id)
  }
})

rule('contacts.record.name', async () => {
  const company = await given.company()
  for (const section of both) {
    const id = await add(company, section, { name: '  Oak & "Sons" \n' })
    assert.equal((await entry(company, section, id)).name, 'Oak & "Sons"')
    await editChanges(company, section, id, { name: ' Pine Ltd' }, { name: 'Pine Ltd' })
    const empty = `${entityOf(section)} name must not be empty`
    await refuses(company, `${section}/add`, { name: ' \t ' }, empty)
    await refusesEdit(company, section, id, { name: ' ' }, empty)
  }
})

rule('contacts.record.email', async () => await keepsText('email'))

rule('contacts.record.phone', async () => await keepsText('phone'))

rule('contacts.record.address_real', async () => await keepsText('address_real'))

rule('contacts.record.address_legal', async () => await keepsText('address_legal'))

rule('contacts.record.agreement', async () => await keepsText('agreement'))

rule('contacts.record.manager_name', async () => await keepsText('manager_name'))

rule('contacts.record.manager_post', async () => await keepsText('manager_post'))

rule('contacts.record.notes', async () => await keepsText('notes'))

rule('contacts.record.texts-empty', async () => {
  const company = await given.company()
  for (const section of both) {
    const shown = await entry(company, section, await add(company, section))
    for (const field of [...fields, 'country', 'vat_number', ...ownOf[section]]) assert.equal(shown[field], '', field)
    assert.equal(shown.payment_days, null)
  }
})

rule('contacts.record.fields-all', async () => {
  const company = await given.company()
  for (const section of both) {
    const shown = await entry(company, section, await add(company, section))
    assert.deepEqual(
      Object.keys(shown).sort(),
      [...fields, ...trade, ...ownOf[section], 'id', 'name', 'created_at', 'updated_at'].sort(),
    )
    assert.deepEqual(await list(company, section), [shown])
  }
})

rule('contacts.name.taken', async () => {
  const company = await given.company()
  for (const section of both) {
    await add(company, section, { name: 'Oak & Sons' })
    const other = await add(company, section, { name: 'Pine' })
    for (const name of ['Oak & Sons', ' Oak & Sons  ']) {
      await refuses(company, `${section}/add`, { name, email: 'x' }, taken(section))
      await refusesEdit(company, section, other, { name, email: 'x' }, taken(section))
    }
    assert.deepEqual(
      [(await entry(company, section, other)).name, (await entry(company, section, other)).email],
      ['Pine', ''],
    )
    assert.equal((await list(company, section)).length, 2)
  }
})

rule('contacts.name.equal', async () => {
  const company = await given.company()
  for (const section of both) {
    const all = ['Oak', 'Oák', 'Oak ltd', 'O a k', 'Oak 7', 'Oak 07']
    for (const name of all) await add(company, section, { name })
    assert.deepEqual(names(await list(company, section)).toSorted(), all.toSorted())
  }
})

rule('contacts.name.own', async () => {
  const company = await given.company()
  for (const section of both) {
    const id = await add(company, section, { name: 'Oak' })
    await editChanges(company, section, id, { name: ' Oak ', phone: '1' }, { phone: '1' })
  }
})

rule('contacts.name.free-after-delete', async () => {
  const company = await given.company()
  for (const section of both) {
    const first = await add(company, section, { name: 'Oak' })
    await remove(company, section, first)
    const second = await add(company, section, { name: 'Oak' })
    assert.notEqual(second, first)
    await remove(company, section, second)
    const third = await add(company, section, { name: 'Pine' })
    await edit(company, section, third, { name: 'Oak' })
    await refuses(company, `${section}/add`, { name: 'Oak' }, taken(section))
  }
})

rule('contacts.name.free-after-edit', async () => {
  const company = await given.company()
  for (const section of both) {
    const id = await add(company, section, { name: 'Oak' })
    await edit(company, section, id, { name: 'Pine' })
    await add(company, section, { name: 'Oak' })
    await refuses(company, `${section}/add`, { name: 'Pine' }, taken(section))
  }
})

rule('contacts.name.both-sections', async () => {
  const company = await given.company()
  for (const section of both) await add(company, section, { name: 'Oak' })
})

rule('contacts.name.race', async () => {
  const company = await given.company()
  for (const section of both) {
    const replies = await Promise.all(
      Array.from({ length: 16 }, () => postUntilAccepted(url(), company.key, `${section}/add`, { name: 'Oak' })),
    )
    assert.equal(replies.filter((reply) => reply.status === 200).length, 1)
    for (const { status, body } of replies)
      if (status !== 200) assert.deepEqual([status, body], [400, { success: false, error: taken(section) }])
    assert.equal((await list(company, section)).length, 1)
  }
})

rule('contacts.name.company', async () => {
  const [own, other] = [await given.company(), await given.company()]
  for (const section of both) for (const company of [own, other]) await add(company, section, { name: 'Oak' })
})

rule('contacts.checks.request-order', async () => {
  const company = await given.company()
  for (const section of both) {
    const id = await add(company, section, { name: 'Oak' })
    await refuses(company, `${section}/add`, { email: [] }, 'No name in input')
    for (const [at, field] of ['name', ...fields].entries()) {
      // This field and all following ones are not texts; the name of an edit before it is already taken.
      const wrong = Object.fromEntries(['name', ...fields].slice(at).map((one) => [one, []]))
      const error =
        field === 'name' ? `${entityOf(section)} name must be a string` : `Invalid ${field} value. Must be a string`
      await refuses(company, `${section}/add`, { name: 'Oak', ...wrong }, error)
      await refusesEdit(company, section, id, wrong, error)
      await refusesEdit(company, section, 987654, { name: 'Oak', ...wrong }, error)
      await refusesEdit(company, section, '', wrong, `No ${idField(section)} in input`)
    }
  }
})

rule('contacts.checks.data-order', async () => {
  const company = await given.company()
  for (const section of both) {
    await add(company, section, { name: 'Oak' })
    await refusesEdit(company, section, 987654, { name: 'Oak' }, missingText(section))
  }
})

rule('contacts.edit.partial', async () => {
  const company = await given.company()
  for (const section of both) {
    const filled = Object.fromEntries(fields.map((field) => [field, `Some ${field}`]))
    const id = await add(company, section, filled)
    for (const field of ['name', ...fields])
      await editChanges(company, section, id, { [field]: `Other ${field}` }, { [field]: `Other ${field}` })
  }
})

rule('contacts.edit.sent-back', async () => {
  const company: Company = await given.company()
  for (const section of both) {
    const filled = Object.fromEntries(fields.map((field) => [field, `Some ${field}`]))
    const details = { country: 'DE', vat_number: 'DE1', payment_days: 14 }
    const id = await add(company, section, { ...filled, ...details })
    const shown = await entry(company, section, id)
    await edit(company, section, id, shown)
    assert.deepEqual(await entry(company, section, id), shown)
    assert.deepEqual(ids(await list(company, section, { updated_after: shown.updated_at })), [])
  }
})
