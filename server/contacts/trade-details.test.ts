// Country, VAT number and payment terms of customers and suppliers, and whether customers are charged tax.

import assert from 'node:assert/strict'
import { given } from '../test/harness/given.ts'
import { add, edit, editChanges, entry, list, refuses, refusesEdit } from '../test/harness/record-calls.ts'
import { rule } from '../test/harness/rule.ts'

const both = ['customers', 'suppliers'] as const

rule('contacts.record.country', async () => {
  const company = await given.company()
  for (const section of both) {
    const id = await add(company, section, { country: ' de ' })
    assert.equal((await entry(company, section, id)).country, 'DE')
    await editChanges(company, section, id, { country: 'XK' }, { country: 'XK' })
    await editChanges(company, section, id, { country: '' }, { country: '' })
  }
})

rule('contacts.record.vat_number', async () => {
  const company = await given.company()
  for (const section of both) {
    const id = await add(company, section, { vat_number: ' DE 123456789 ' })
    assert.equal((await entry(company, section, id)).vat_number, 'DE 123456789')
    assert.equal((await list(company, section, { ids: [id] }))[0].vat_number, 'DE 123456789')
    await editChanges(company, section, id, { vat_number: 123 }, { vat_number: '123' })
    await editChanges(company, section, id, { vat_number: '' }, { vat_number: '' })
  }
})

rule('contacts.record.payment_days', async () => {
  const company = await given.company()
  for (const section of both) {
    const id = await add(company, section, { payment_days: '14' })
    assert.equal((await entry(company, section, id)).payment_days, 14)
    for (const [sent, stored] of [
      [0, 0],
      [3650, 3650],
      ['', null],
      [' 30 ', 30],
    ] as const)
      await editChanges(company, section, id, { payment_days: sent }, { payment_days: stored })
    await edit(company, section, id, { payment_days: null })
    assert.equal((await entry(company, section, id)).payment_days, 30, 'null is not passed')
  }
})

rule('contacts.record.tax_treatment', async () => {
  const company = await given.company()
  const id = await add(company, 'customers', { tax_treatment: 'reverse_charge' })
  assert.equal((await entry(company, 'customers', id)).tax_treatment, 'reverse_charge')
  for (const tax_treatment of ['exempt', ''])
    await editChanges(company, 'customers', id, { tax_treatment }, { tax_treatment })
  const error = 'Invalid tax_treatment value. Must be empty or one of: exempt, reverse_charge'
  for (const tax_treatment of ['Exempt', 'reverse charge', 0, true, {}, []]) {
    await refuses(company, 'customers/add', { name: 'Oak', tax_treatment }, error)
    await refusesEdit(company, 'customers', id, { tax_treatment }, error)
  }
  const supplier = await add(company, 'suppliers', { tax_treatment: 'exempt' })
  assert.equal('tax_treatment' in (await entry(company, 'suppliers', supplier)), false)
})

rule('contacts.record.tax_reason', async () => {
  const company = await given.company()
  const id = await add(company, 'customers', { tax_reason: ' Article 196 ' })
  assert.equal((await entry(company, 'customers', id)).tax_reason, 'Article 196')
  assert.equal((await list(company, 'customers', { ids: [id] }))[0].tax_reason, 'Article 196')
  await editChanges(company, 'customers', id, { tax_reason: '' }, { tax_reason: '' })
  const error = 'Invalid tax_reason value. Must be at most 255 characters'
  await refusesEdit(company, 'customers', id, { tax_reason: 'x'.repeat(256) }, error)
})

rule('contacts.record.trade-refused', async () => {
  const company = await given.company()
  for (const section of both) {
    const id = await add(company, section)
    const cases: readonly (readonly [Record<string, unknown>, string])[] = [
      ...['EU', 'DEU', 'Germany'].map(
        (country) => [{ country }, 'Invalid country value. Must be a two-letter code such as DE'] as const,
      ),
      ...[-1, 3651, 1.5, '14 days', true, [14], 1e30].map(
        (payment_days) => [{ payment_days }, 'Invalid payment_days value. Must be between 0 and 3650'] as const,
      ),
      [{ vat_number: 'x'.repeat(256) }, 'Invalid vat_number value. Must be at most 255 characters'],
      [{ vat_number: {} }, 'Invalid vat_number value. Must be a string'],
    ]
    for (const [body, error] of cases) {
      await refuses(company, `${section}/add`, { name: 'Oak', ...body }, error)
      await refusesEdit(company, section, id, body, error)
      const upsert = await company.call(`${section}/upsert`, { [section]: [{ name: 'Elm', ...body }] })
      assert.ok(upsert.text.includes(error), upsert.text)
    }
  }
})
