// Numbers typed and pasted into fields in different locales: none is divided by a thousand.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { messages as german } from '../src/messages/de.ts'
import { messages as english } from '../src/messages/en.ts'
import { assertAccessible, assertValue, openEditor, shot, withPage } from './harness.ts'
import { saleOf, shop, sold } from './shop.ts'
import { accepted, workshop } from './workshop.ts'

const field = (page: Page, label: string): Locator => page.getByRole('textbox', { name: label, exact: true })

async function paste(page: Page, label: string, text: string): Promise<void> {
  await field(page, label).click()
  await field(page, label).press('ControlOrMeta+a')
  await page.keyboard.insertText(text)
}

async function type(page: Page, label: string, text: string): Promise<void> {
  await field(page, label).press('ControlOrMeta+a')
  await page.keyboard.type(text)
}

/** The typed price, the text in the field after leaving it, and the saved price. */
const prices = {
  'en-US': [
    ['1,234.50', '1,234.50', 1234.5],
    ['1,234', '1,234.00', 1234],
    ['1.234,50', '1,234.50', 1234.5],
    ['12.5', '12.50', 12.5],
    ['13,5', '13.50', 13.5],
  ],
  'de-DE': [
    ['1.234,50', '1.234,50', 1234.5],
    ['1.234', '1.234,00', 1234],
    ['1,234.50', '1.234,50', 1234.5],
    ['12,5', '12,50', 12.5],
    ['13.5', '13,50', 13.5],
  ],
} as const
const unclear = { 'en-US': '1.234', 'de-DE': '1,234' } as const
const choices = { 'en-US': ['1,234.00', '1.23'], 'de-DE': ['1.234,00', '1,23'] } as const

for (const locale of ['en-US', 'de-DE'] as const) {
  const texts = locale === 'de-DE' ? german : english
  const priceOf = (name: string): string => `${texts.kit.lines.price}: ${name}`

  test(`the price of a product is what was typed (${locale})`, async () => {
    const { owner, table } = await shop()
    const product = async () => (await owner.call('products/get_entry', { product_id: table.id })).body.product
    await withPage({ user: owner, path: `/products/${table.id}`, locale }, async (page) => {
      const price = page.getByLabel(texts.catalog.kinds.product.price)
      const save = page.getByRole('button', { name: texts.kit.card.save, exact: true })
      for (const put of [type, paste])
        for (const [typed, shown, saved] of prices[locale]) {
          await openEditor(page, texts.kit.card.edit)
          await put(page, texts.catalog.kinds.product.price, '7')
          await put(page, texts.catalog.kinds.product.price, typed)
          await page.getByLabel(texts.sales.field.notes).focus()
          await assertValue(price, shown, typed)
          await save.click()
          await save.waitFor({ state: 'detached' })
          assert.equal((await product()).price, saved, typed)
        }
      // An ambiguous number raises a question, and is not saved before it is answered.
      await openEditor(page, texts.kit.card.edit)
      await type(page, texts.catalog.kinds.product.price, unclear[locale])
      const [thousand, one] = choices[locale]
      await page.getByText(`${texts.kit.number.didYouMean} ${thousand} ${texts.kit.number.or} ${one}?`).waitFor()
      await assertAccessible(page)
      await shot(page, `number-question-${locale}`)
      await page.getByLabel(texts.sales.field.notes).fill('Something else')
      await page.keyboard.press('Control+Enter')
      assert.equal(
        await price.evaluate((field) => field === document.activeElement),
        true,
        'the question has the focus',
      )
      assert.equal((await product()).notes, '')
      await page.getByRole('button', { name: thousand, exact: true }).click()
      await save.click()
      await save.waitFor({ state: 'detached' })
      assert.equal((await product()).price, 1234)
      await page.reload()
      await openEditor(page, texts.kit.card.edit)
      await assertValue(price, thousand)
      await price.focus()
      const plain = thousand.replace(/[.,](?=\d{3})/, '')
      await assertValue(price, plain, 'no thousands separators while typing')
    })
  })

  test(`the price, quantity and total of a sale's line are what was typed (${locale})`, async () => {
    const its = await shop()
    const id = await sold(its)
    await withPage({ user: its.owner, path: `/sales/${id}`, locale }, async (page) => {
      const save = page.getByRole('button', { name: texts.kit.card.save, exact: true })
      const price = page.getByLabel(priceOf('Oak table'))
      for (const put of [type, paste])
        for (const [typed, shown, saved] of prices[locale]) {
          await put(page, priceOf('Oak table'), '7')
          await put(page, priceOf('Oak table'), typed)
          await page.getByLabel(texts.sales.field.notes).focus()
          await assertValue(price, shown, typed)
          await save.click()
          await save.waitFor({ state: 'detached' })
          assert.equal((await saleOf(its, id)).lines[0].total, saved * 3, typed)
        }
      await type(page, priceOf('Oak table'), unclear[locale])
      if (locale === 'en-US') {
        // With the decimal point of the locale and four decimals, it is clear what is meant.
        await page.getByLabel(texts.sales.field.notes).focus()
        await assertValue(price, '1.234')
        await assertValue(page.getByLabel(`${texts.kit.lines.total}: Oak table`), '3.70')
      } else {
        await page.getByText(`${texts.kit.number.didYouMean} 1.234,00 ${texts.kit.number.or} 1,234?`).waitFor()
        await shot(page, `number-question-line-${locale}`)
        // By keyboard: Tab or Enter moves to the answers.
        await page.keyboard.press('Enter')
        await page.keyboard.press('Enter')
        await page.getByText(texts.kit.number.didYouMean).waitFor({ state: 'detached' })
        await page.keyboard.press('Control+Enter')
        await save.waitFor({ state: 'detached' })
        assert.equal((await saleOf(its, id)).lines[0].total, 3702)
      }
      await type(page, texts.sales.field.delivery_price, '2 x')
      await page.getByLabel(texts.sales.field.notes).focus()
      await page.getByText(texts.kit.number.wrong(locale === 'de-DE' ? '1.234,50' : '1,234.50')).waitFor()
    })
  })
}

test('a price is not rounded silently: fractions of a cent in a line are kept, elsewhere they are questioned', async () => {
  const its = await shop()
  const id = await sold(its, { products: [{ sku: 'CHAIR', amount: 1000, total: 40 }] })
  await withPage({ user: its.owner, path: `/sales/${id}` }, async (page) => {
    await type(page, 'Price: Walnut chair', '0.0135')
    await page.keyboard.press('Tab')
    await assertValue(page.getByLabel('Price: Walnut chair'), '0.0135')
    await assertValue(page.getByLabel('Total: Walnut chair'), '13.50')
    await page.keyboard.press('Control+Enter')
    await page.getByText('Sale A-1001 saved').waitFor()
    assert.equal((await saleOf(its, id)).lines[0].total, 13.5)
    await page.reload()
    await assertValue(page.getByLabel('Price: Walnut chair'), '0.0135')
    await type(page, 'Delivery', '0.125')
    await page.getByText('Enter at most 2 decimal places. Use 0.13?').waitFor()
    await page.keyboard.press('Control+Enter')
    await assertValue(page.getByLabel('Delivery', { exact: true }), '0.125', 'the text stays as it was typed')
    await page.getByRole('button', { name: '0.13', exact: true }).click()
    await assertValue(page.getByLabel('Delivery', { exact: true }), '0.13')
  })
})

test('two pasted cells of a spreadsheet are not joined to one number', async () => {
  const { owner, table } = await shop()
  await withPage({ user: owner, path: `/products/${table.id}` }, async (page) => {
    await openEditor(page)
    const price = page.getByLabel('Sale price')
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    for (const [cells, shown] of [
      ['1\t234', '1 / 234'],
      ['1\r\n234\r\n', '1 / 234'],
      ['1,234.50\r\n', '1,234.50'],
    ] as const) {
      await page.evaluate((copied) => navigator.clipboard.writeText(copied), cells)
      await price.press('ControlOrMeta+a')
      await page.keyboard.press('ControlOrMeta+v')
      await page.getByLabel('Notes').focus()
      await assertValue(price, shown)
    }
  })
})

test('counts and received quantities are also parsed by the locale', async () => {
  const its = await workshop()
  const { purchase_id: purchase } = await accepted(its.owner, 'purchases/add', {
    supplier_name: 'Sawmill',
    materials: [{ id: its.board, amount: 2000, total: 9 }],
    status: 1,
  })
  await withPage({ user: its.owner, path: `/purchases/${purchase}`, locale: 'de-DE' }, async (page) => {
    await page.getByRole('button', { name: german.purchases.receivePart }).click()
    const now = page.getByRole('dialog').getByRole('textbox', { name: `${german.purchases.part.now}: Oak board` })
    await now.fill('1,234')
    await page.getByText('Meinten Sie 1.234 oder 1,234?').waitFor()
    await page.keyboard.press('Control+Enter')
    assert.equal((await accepted(its.owner, 'purchases/get_card', { purchase_id: purchase })).receipts.length, 0)
    await page.getByRole('button', { name: '1.234', exact: true }).click()
    await page.keyboard.press('Control+Enter')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    const { receipts } = await accepted(its.owner, 'purchases/get_card', { purchase_id: purchase })
    assert.equal(receipts[0].lines[0].amount, 1234)
  })
  const path = `/audits/count?storage_id=${its.company.materialsStorageId}`
  await withPage({ user: its.owner, path, locale: 'de-DE', width: 390, height: 844 }, async (page) => {
    await page.getByLabel(german.audits.sheet.field('Oak board')).fill('1,234')
    await page.getByText('Meinten Sie 1.234 oder 1,234?').waitFor()
    await shot(page, 'number-question-count')
    await page.getByRole('button', { name: '1,234', exact: true }).click()
    await page.waitForURL(/\/audits\/count\/\d+$/)
    const id = Number(page.url().split('/').at(-1))
    await page.getByText(german.audits.sheet.saved, { exact: true }).first().waitFor()
    const { audit } = await accepted(its.owner, 'audits/get_card', { audit_id: id })
    assert.equal(audit.materials[0].counted, 1.234)
  })
})
