// Scanning with the camera: a fake camera shows real codes, which are read as on a phone. Long because every place
// that scans and every problem of a camera has its test.

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { Page } from 'playwright-core'
import { url } from '../../server/test/harness/app.ts'
import { turnOn } from './audits-steps.ts'
import { type DrawnCode, writeVideo } from './code-video.ts'
import { assertAccessible, assertNoOverflow, assertValue, eventually, shot, withPage } from './harness.ts'
import { shop, sold } from './shop.ts'

const folder = mkdtempSync(join(tmpdir(), 'kontor-scan-'))
after(() => rmSync(folder, { recursive: true, force: true }))

let videos = 0
const videoOf = (...codes: DrawnCode[]): string => {
  videos += 1
  const path = join(folder, `${videos}.y4m`)
  writeVideo(path, codes)
  return path
}

/** The barcode of the shop's table. */
const tableCode: DrawnCode = { bcid: 'ean13', text: '4006381333931' }

const scanButton = (page: Page) => page.getByRole('button', { name: 'Scan with the camera' })
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Scan a code' })

/** Waits until the camera has shown so many more seconds. */
async function seenFor(page: Page, seconds: number): Promise<void> {
  const video = dialog(page).locator('video')
  const timeOf = (): Promise<number> => video.evaluate((one) => (one as HTMLVideoElement).currentTime)
  const from = await timeOf()
  await eventually(async () => assert.ok((await timeOf()) >= from + seconds, 'no new pictures'))
}

/** Keeps the streams that the page opens, to see whether it stops them. */
async function recordStreams(page: Page): Promise<() => Promise<string[]>> {
  await page.addInitScript(() => {
    const { mediaDevices } = navigator
    const open = mediaDevices.getUserMedia.bind(mediaDevices)
    const tracks: MediaStreamTrack[] = []
    Object.assign(globalThis, { tracks })
    mediaDevices.getUserMedia = async (constraints) => {
      const stream = await open(constraints)
      tracks.push(...stream.getTracks())
      return stream
    }
  })
  return () =>
    page.evaluate(() => (globalThis as unknown as { tracks: MediaStreamTrack[] }).tracks.map((one) => one.readyState))
}

test('a count sheet jumps to the scanned item, or adds one with each scan, and the camera is stopped', async () => {
  const its = await shop()
  await withPage({ user: its.owner, width: 390, height: 844, camera: videoOf(tableCode) }, async (page) => {
    const tracks = await recordStreams(page)
    await page.goto(`/audits/count?storage_id=${its.company.productsStorageId}`)
    await scanButton(page).waitFor()
    await shot(page, 'scan-sheet-phone')
    await scanButton(page).click()
    await dialog(page).waitFor({ state: 'hidden' })
    const field = page.getByLabel('Counted: Oak table')
    await field.and(page.locator(':focus')).waitFor()
    assert.deepEqual(await tracks(), ['ended'])

    await turnOn(page, 'Each scan adds one')
    for (const total of [1, 2]) {
      await scanButton(page).click()
      await dialog(page).getByText(`Oak table: ${total} pcs`).waitFor()
      // It is still in view and not counted again.
      await seenFor(page, 2)
      await dialog(page).getByText(`Oak table: ${total} pcs`).waitFor()
      if (total === 1) {
        await assertAccessible(page)
        await assertNoOverflow(page)
        await shot(page, 'scan-count-phone')
      }
      await page.getByRole('button', { name: 'Done' }).click()
      await dialog(page).waitFor({ state: 'hidden' })
    }
    await assertValue(field, '2')
    assert.deepEqual(await tracks(), ['ended', 'ended', 'ended'])
  })
})

test('a sale gets a line for each scanned code of every format, and one more when it is scanned again', async () => {
  const its = await shop()
  const codes: DrawnCode[] = [
    tableCode,
    { bcid: 'code128', text: 'CHAIR' },
    { bcid: 'ean8', text: '96385074' },
    { bcid: 'upca', text: '036000291452' },
    { bcid: 'upce', text: '01234565' },
    { bcid: 'qrcode', text: 'SHELF-QR' },
  ]
  const more = { 'Shelf 8': '96385074', 'Shelf A': '036000291452', 'Shelf E': '01234565', 'Shelf Q': 'SHELF-QR' }
  for (const [name, code] of Object.entries(more)) {
    const reply = await its.owner.call('products/add', { name, sku: name, price: 10, barcodes: [code] })
    assert.equal(reply.status, 200, reply.text)
  }
  await withPage({ user: its.owner, path: '/sales/new', camera: videoOf(...codes) }, async (page) => {
    await scanButton(page).click()
    const names = ['Oak table', 'Walnut chair', ...Object.keys(more)]
    for (const name of names) await page.getByLabel(`Quantity: ${name}`).waitFor({ state: 'attached' })
    // The video starts again.
    await eventually(async () =>
      assert.ok(Number(await page.getByLabel('Quantity: Oak table').inputValue()) >= 2, 'scanned once'),
    )
    await assertAccessible(page)
    await shot(page, 'scan-lines')
    await page.getByRole('button', { name: 'Done' }).click()
    assert.equal(await page.getByLabel(/^Quantity: /).count(), names.length)
    const amount = Number(await page.getByLabel('Quantity: Oak table').inputValue())
    await assertValue(page.getByLabel('Total: Oak table'), `${amount * 120}.00`)
  })
})

test('the lines of purchases, productions, transfers and write-offs are scanned, too, on a phone', async () => {
  const its = await shop()
  const options = { user: its.owner, width: 390, height: 844, camera: videoOf(tableCode) }
  await withPage(options, async (page) => {
    for (const path of ['/purchases/new', '/productions/new', '/transfers/new', '/write-offs/new']) {
      await page.goto(path)
      await scanButton(page).first().click()
      await dialog(page).getByText('Oak table: 1 pcs').waitFor()
      await assertNoOverflow(page)
      await page.getByRole('button', { name: 'Done' }).click()
      await assertValue(page.getByLabel('Quantity: Oak table'), '1')
      await assertNoOverflow(page)
    }
    await shot(page, 'scan-line-phone')
    await page.getByRole('button', { name: 'Search' }).click()
    await scanButton(page)
      .and(page.getByRole('dialog', { name: 'Search' }).getByRole('button'))
      .waitFor()
    await assertNoOverflow(page)
    await shot(page, 'scan-search-phone')
  })
})

test('the search opens the scanned item; nothing of the scanner is loaded before, and nothing from elsewhere', async () => {
  const its = await shop()
  await withPage({ user: its.owner, path: '/stock', camera: videoOf(tableCode) }, async (page) => {
    await page.getByRole('heading', { name: 'Stock' }).waitFor()
    const requested: string[] = []
    page.context().on('request', (request) => requested.push(request.url()))
    const ofScanner = () => requested.filter((one) => /\/(scanner|scan-worker|zxing_reader)-[^/]+$/.test(one))
    await page.keyboard.press('Control+k')
    await scanButton(page).waitFor()
    await assertAccessible(page)
    await shot(page, 'scan-search')
    assert.deepEqual(ofScanner(), [])
    await scanButton(page).click()
    await page.waitForURL(new RegExp(`/products/${its.table.id}$`))
    await dialog(page).waitFor({ state: 'hidden' })
    assert.ok(
      ofScanner().some((one) => one.endsWith('.wasm')),
      requested.join('\n'),
    )
    assert.deepEqual(
      requested.filter((one) => !one.startsWith(`${url()}/`)),
      [],
    )
  })
})

test('a code that no item has is named, and can be searched for', async () => {
  const its = await shop()
  const camera = videoOf({ bcid: 'code128', text: 'NOBODY-7' })
  await withPage({ user: its.owner, path: '/sales/new', camera }, async (page) => {
    await scanButton(page).click()
    await page.getByRole('alert').getByText('No item has the code NOBODY-7.').waitFor()
    await assertAccessible(page)
    await shot(page, 'scan-unknown')
    await page.getByRole('button', { name: 'Search for it' }).click()
    await assertValue(page.getByLabel('Add a line: name, SKU or barcode'), 'NOBODY-7')
    await page.getByRole('option', { name: 'Create “NOBODY-7”' }).waitFor()
  })
  // In the search, the number of a sale is found as well.
  const sale = await sold(its, { num: 'NOBODY-7' })
  await withPage({ user: its.owner, path: '/stock', camera }, async (page) => {
    await page.getByRole('heading', { name: 'Stock' }).waitFor()
    await page.keyboard.press('Control+k')
    await scanButton(page).click()
    await page.locator('[data-action][data-selected]').filter({ hasText: 'NOBODY-7' }).waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(new RegExp(`/sales/${sale}$`))
  })
})

test('without permission the dialog says how to get it, and another attempt works', async () => {
  const its = await shop()
  const options = { user: its.owner, width: 390, height: 844, path: '/sales/new', camera: videoOf(tableCode) }
  await withPage({ ...options, refusesCamera: true }, async (page) => {
    await scanButton(page).click()
    const alert = dialog(page).getByRole('alert')
    await alert.getByText('Allow it for this page in the browser settings').waitFor()
    await assertAccessible(page)
    await assertNoOverflow(page)
    await shot(page, 'scan-refused-phone')
    await page.context().grantPermissions(['camera'])
    await alert.getByRole('button', { name: 'Try again' }).click()
    await page.getByLabel('Quantity: Oak table').waitFor({ state: 'attached' })
  })
})

test('without a camera there is no button on a desktop, and on a phone the dialog says so', async () => {
  const its = await shop()
  await withPage({ user: its.owner, path: '/sales/new' }, async (page) => {
    await page.getByLabel('Add a line: name, SKU or barcode').waitFor()
    assert.equal(await scanButton(page).count(), 0)
  })
  await withPage({ user: its.owner, path: '/sales/new', width: 390 }, async (page) => {
    await scanButton(page).click()
    await dialog(page).getByRole('alert').getByText('No camera was found on this device.').waitFor()
    await page.getByRole('button', { name: 'Close' }).last().click()
    await dialog(page).waitFor({ state: 'hidden' })
  })
})

test('over plain HTTP the dialog says that the camera needs a secure page', async () => {
  const its = await shop()
  await withPage({ user: its.owner, width: 390 }, async (page) => {
    // As browsers show a page of another machine over plain HTTP; the tests themselves run on a loopback address.
    await page.addInitScript(() => {
      Object.defineProperty(window, 'isSecureContext', { value: false })
      Object.defineProperty(navigator, 'mediaDevices', { value: undefined })
    })
    await page.goto('/sales/new')
    await scanButton(page).click()
    await dialog(page).getByRole('alert').getByText('an address that starts with https://').waitFor()
    assert.equal(await dialog(page).getByRole('button', { name: 'Try again' }).count(), 0)
  })
})

for (const isWorking of [true, false])
  test(`the browser's own detector is used, ${isWorking ? 'and nothing else is loaded' : 'unless it fails'}`, async () => {
    const its = await shop()
    await withPage({ user: its.owner, camera: videoOf(tableCode) }, async (page) => {
      // Chromium has one on Android and macOS only.
      await page.addInitScript((works) => {
        class BarcodeDetector {
          static getSupportedFormats = async () => ['code_128', 'ean_13', 'ean_8', 'upc_a', 'upc_e', 'qr_code', 'aztec']
          async detect({ width, height }: ImageData) {
            if (!works) throw new DOMException('Barcode detection service unavailable.', 'NotSupportedError')
            return [{ rawValue: 'CHAIR', boundingBox: new DOMRect(0, 0, width, height) }]
          }
        }
        Object.assign(globalThis, { BarcodeDetector })
      }, isWorking)
      const requested: string[] = []
      page.context().on('request', (request) => requested.push(request.url()))
      await page.goto('/sales/new')
      await scanButton(page).click()
      const name = isWorking ? 'Walnut chair' : 'Oak table'
      await page.getByLabel(`Quantity: ${name}`).waitFor({ state: 'attached' })
      assert.equal(
        requested.some((one) => one.endsWith('.wasm')),
        !isWorking,
      )
    })
  })
