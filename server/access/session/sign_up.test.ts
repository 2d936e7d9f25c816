// What a company that signs up starts with.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { Browser } from '../../test/harness/browser.ts'
import { broken, query } from '../../test/harness/database.ts'

const newcomer = (more: object) => ({
  ...{ company: 'Oak Workshop', name: 'Ada Oak', email: `${randomUUID()}@oak.example`, password: 'a long password' },
  ...more,
})

test('a company that signs up in a language starts with its usual units and named storage locations', async () => {
  const started = {
    en: ['pcs', 'pieces', 'Finished goods'],
    de: ['Stk.', 'Stück', 'Fertigwaren'],
    ru: ['шт', 'штука', 'Готовая продукция'],
  }
  for (const [language, [name, full_name, storage]] of Object.entries(started)) {
    const browser = new Browser()
    await browser.call('session/sign_up', newcomer({ language }))
    const { units } = (await browser.call('units/get_list')).body
    assert.deepEqual([units.length, units[0].name, units[0].full_name], [12, name, full_name])
    assert.equal(new Set(units.map((unit: { name: string }) => unit.name)).size, 12)
    const { storages } = (await browser.call('storages/get_list')).body
    assert.equal(storages[0].name, storage)
    const { body } = await browser.call('session/get')
    assert.equal(body.seq, 14)
    const { unit_id } = (await browser.call('units/add', { name: 'own' })).body
    assert.equal(unit_id, 13)
    assert.deepEqual(await broken(body.company.id), [])
    const events = await query(
      body.company.id,
      "select seq, change->>'name' as name from events where company_id = $1 order by seq",
      [body.company.id],
    )
    assert.deepEqual(
      events.map((event) => Number(event['seq'])),
      Array.from({ length: 15 }, (_, at) => at + 1),
    )
    assert.deepEqual([events[0]?.['name'], events[2]?.['name'], events[13]?.['name']], [storage, name, units[11].name])
  }
})
