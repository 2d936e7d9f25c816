// Pictures of items, and files attached to items and documents, on a desktop and on a phone.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator } from 'playwright-core'
import { jpeg, pdf, png, pngChunk } from '../../server/test/harness/files.ts'
import { given } from '../../server/test/harness/given.ts'
import { assertAccessible, assertNoOverflow, eventually, shot, withPage } from './harness.ts'
import { accepted, workshop } from './workshop.ts'

/** A photograph with a place in its metadata, larger than the server takes. */
const photo = png(2400, 1200, [pngChunk('eXIf', Buffer.from('GPS 52.5200 13.4050'))])

test('a picture is added to an item, shown in its page and in the list, replaced and removed', async () => {
  const { owner, table } = await workshop()
  const item = { record: 'item', record_id: table }
  const filesOf = async () => (await accepted(owner, 'files/get_list', item)).files
  await withPage({ user: owner, path: `/products/${table}` }, async (page) => {
    const choose = async (name: string, buffer: Buffer) => {
      const chooser = page.waitForEvent('filechooser')
      await page.getByRole('button', { name }).click()
      await (await chooser).setFiles({ name: 'IMG_0001.png', mimeType: 'image/png', buffer })
    }
    await choose('Add a picture', photo)
    const open = page.getByRole('button', { name: 'Picture of' })
    await open.waitFor()
    const [first] = await filesOf()
    assert.deepEqual([first.is_picture, first.name, first.type], [true, 'IMG_0001.webp', 'image/webp'])
    await eventually(async () => assert.equal(await widthOf(open.locator('img')), 160))
    await shot(page, 'item-picture')
    await assertAccessible(page)

    await open.click()
    const dialog = page.getByRole('dialog')
    await eventually(async () => assert.equal(await widthOf(dialog.locator('img')), 1600))
    await choose('Replace', png(40, 40))
    await eventually(async () => assert.notEqual((await filesOf())[0].id, first.id))
    await page.keyboard.press('Escape')

    await page.goto('/products')
    const inList = page.getByRole('link', { name: 'Oak table' }).locator('img')
    await eventually(async () => assert.equal(await widthOf(inList), 40))
    await page.goto(`/products/${table}`)
    await open.click()
    await dialog.getByRole('button', { name: 'Remove picture' }).click()
    await page.getByRole('button', { name: 'Add a picture' }).waitFor()
    assert.deepEqual(await filesOf(), [])
  })
})

test('files are attached to a document on a phone; what is no picture or PDF is refused and the others are added', async () => {
  const { company, owner, table } = await workshop()
  const { order_id } = await accepted(owner, 'orders/add', {
    num: '7',
    customer_name: 'Berta',
    products: [{ id: table, amount: 1, total: 249 }],
  })
  const worker = await given.user(company, 'worker')
  await withPage({ user: owner, path: `/sales/${order_id}?tab=files`, width: 390 }, async (page) => {
    await page.getByText('No files yet.').waitFor()
    const chooser = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: 'Add files' }).click()
    await (await chooser).setFiles([
      { name: 'order of a very long name from the customer 2026-11-18.pdf', mimeType: 'application/pdf', buffer: pdf },
      { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('notes') },
      { name: 'broken.png', mimeType: 'image/png', buffer: Buffer.from('no picture') },
      { name: 'plan.jpg', mimeType: 'image/jpeg', buffer: png(30, 20) },
    ])
    await page.getByText('notes.txt is neither a picture nor a PDF.').waitFor()
    await page.getByText('broken.png cannot be read as a picture.').waitFor()
    await page.getByText('2 files added').waitFor()
    const list = page.getByRole('list', { name: 'Files' })
    await eventually(async () => assert.equal(await list.getByRole('listitem').count(), 2))
    await assertNoOverflow(page)
    await shot(page, 'files-phone')
    const download = page.waitForEvent('download')
    await list.getByRole('link', { name: /very long name/ }).click()
    assert.match((await download).suggestedFilename(), /^order of a very long name .*\.pdf$/)
    await list.getByRole('button', { name: 'Delete plan.webp' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('plan.webp deleted').waitFor()
    await eventually(async () => assert.equal(await list.getByRole('listitem').count(), 1))
  })
  await withPage({ user: worker, path: `/sales/${order_id}` }, async (page) => {
    await page.getByRole('tab', { name: 'Shipments' }).waitFor()
    assert.equal(await page.getByRole('tab', { name: 'Files' }).count(), 0)
  })
})

test('a worker sees the picture and the files of an item, and adds files to a production', async () => {
  const { company, owner, table } = await workshop()
  const item = { record: 'item', record_id: table }
  const thumbnail = png(8, 8).toString('base64')
  await accepted(owner, 'files/add', { ...item, picture: 1, name: 'P', content: jpeg.toString('base64'), thumbnail })
  await accepted(owner, 'files/add', { ...item, name: 'drawing', content: pdf.toString('base64') })
  const { production_id } = await accepted(owner, 'productions/add', { products: [{ id: table, amount: 1 }] })
  const worker = await given.user(company, 'worker')
  await withPage({ user: worker, path: `/products/${table}?tab=files` }, async (page) => {
    await page.getByRole('link', { name: 'drawing.pdf' }).waitFor()
    await page.getByRole('button', { name: 'Picture of' }).click()
    await page.getByRole('dialog').locator('img').waitFor()
    assert.equal(await page.getByRole('button', { name: /Add|Replace|Remove|Delete/ }).count(), 0)
    await page.goto(`/productions/${production_id}?tab=files`)
    await page.getByRole('button', { name: 'Add files' }).waitFor()
  })
})

const widthOf = (image: Locator): Promise<number> => image.evaluate((shown) => (shown as HTMLImageElement).naturalWidth)
