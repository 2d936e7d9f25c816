// company/get over HTTP: what it shows, and that every key may call it.

import assert from 'node:assert/strict'
import { connection } from '../../test/harness/connection.ts'
import { given } from '../../test/harness/given.ts'
import { accepts } from '../../test/harness/record-calls.ts'
import { rule } from '../../test/harness/rule.ts'

rule('company/get.fields', async () => {
  const company = await given.company({ timezone: 'Asia/Tokyo' })
  const owner = await given.user(company, 'owner')
  const edited = await owner.call('settings/edit', { name: 'Oak & Sons', currency: 'JPY' })
  assert.equal(edited.status, 200, edited.text)
  const shown = { id: company.id, name: 'Oak & Sons', currency: 'JPY', timezone: 'Asia/Tokyo' }
  assert.deepEqual(await accepts(company, 'company/get'), { company: shown })
})

rule('company/get.every-key', async () => {
  const company = await given.company()
  const expected = await accepts(company, 'company/get')
  for (const scope of [
    { sections: ['units'] },
    { read_only: 1 },
    { sections: ['orders'], read_only: 1, hides_costs: 1 },
  ]) {
    const key = await connection(company, scope)
    const { status, body } = await key.call('company/get')
    assert.deepEqual([status, body], [200, { success: true, ...expected }])
  }
  const elsewhere = await connection(company, { networks: ['10.1.2.0/24'] })
  assert.equal((await elsewhere.call('company/get')).status, 403)
})

rule('company/get.own', async () => {
  const [one, other] = [await given.company(), await given.company()]
  assert.notEqual((await accepts(one, 'company/get')).company.id, (await accepts(other, 'company/get')).company.id)
})
