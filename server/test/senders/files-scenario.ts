// The part of the scenario about files: they are attached to every kind of record, listed, shown and deleted, and a picture is replaced; the logo of the
// company is set, shown and deleted; every document is printed; the archive of the company is downloaded; the company is to be deleted, and is kept.

import assert from 'node:assert/strict'
import type { World } from '../contract/world.ts'
import { url } from '../harness/app.ts'
import { base64, pdf, png } from '../harness/files.ts'
import type { User } from '../harness/given.ts'
import { until } from '../harness/until.ts'
import type { Call } from './accepted.ts'
import type { Recorder } from './recorder.ts'

const idFields = {
  item: 'product_id',
  sale: 'order_id',
  purchase: 'purchase_id',
  production: 'production_id',
  writeoff: 'writeoff_id',
  transfer: 'transfer_id',
  audit: 'audit_id',
}

export async function sendFiles({ values }: World, owner: User, call: Call, recorder: Recorder): Promise<void> {
  for (const [record, field] of Object.entries(idFields)) {
    const place = { record, record_id: values.get(field) }
    const { file_id } = await call('files/add', { ...place, name: 'drawing', content: base64(pdf) })
    await call('files/get_list', place)
    await call('files/delete', { file_id })
  }
  const item = { record: 'item', record_id: values.get(idFields.item) }
  const picture = { ...item, picture: 1, name: 'photo', content: base64(png(2, 2)), thumbnail: base64(png(1, 1)) }
  await call('files/add', picture)
  const { file_id } = await call('files/add', picture)
  const { files } = await call('files/get_list', item)
  const headers = { cookie: owner.cookie, 'sec-fetch-site': 'same-origin' }
  const [{ tag }] = files as [{ tag: string }]
  const show = async (name: string): Promise<void> => {
    const response = await fetch(`${url()}/screens/files/${name}`, { headers })
    assert.equal(response.status, 200)
    await response.arrayBuffer()
  }
  await recorder.request('a stored file', () => show(`${file_id}-${tag}`))
  await recorder.request('a thumbnail', () => show(`${file_id}-${tag}/small`))
  const { logo } = await call('company/set_logo', { content: base64(png(3, 3)) })
  await recorder.request('the logo', () => show(logo))
  await printDocuments(values, headers, recorder)
  await call('company/delete_logo', {})
  await call('company/prepare_archive')
  await recorder.request('the archive of the company', async () => {
    const response = await fetch(`${url()}/screens/archive`, { headers })
    assert.equal(response.status, 200)
    await response.arrayBuffer()
  })
  await call('test_company/make')
  await until(async () => (await call('test_company/get'))['requested_at'] === null)
  await call('session/open_test_company')
  await call('company/delete', { name: values.get('company/delete name') })
  await call('company/keep')
}

async function printDocuments(
  values: World['values'],
  headers: Readonly<Record<string, string>>,
  recorder: Recorder,
): Promise<void> {
  const of = (field: string): string => `id=${values.get(field)}`
  const documents: readonly (readonly [string, string, number])[] = [
    ['quote', of('quote_id'), 200],
    ['order-confirmation', of('order_id'), 200],
    ['packing-slip', of('order_id'), 200],
    ['packing-slip', `${of('order_id')}&shipment=2000000000`, 404],
    ['purchase-order', of('purchase_id'), 200],
    ['job-sheet', of('production_id'), 200],
    ['labels', `items=${values.get('product_id')}`, 200],
  ]
  for (const [kind, parameters, status] of documents)
    await recorder.request('a document as PDF', async () => {
      const response = await fetch(`${url()}/screens/documents/${kind}?${parameters}`, { headers })
      assert.equal(response.status, status, kind)
      await response.arrayBuffer()
    })
}
