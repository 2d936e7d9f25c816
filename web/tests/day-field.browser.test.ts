// Day fields: typed in the user's locale, or chosen from a calendar that a screen reader can use.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { messages as german } from '../src/messages/de.ts'
import { assertAccessible, assertColoursAccessible, assertValue, shot, withPage } from './harness.ts'
import { saleOf, shop, sold } from './shop.ts'

const texts = german.sales

test('a day is typed as the locale writes it, and what is no day is not saved', async () => {
  const sales = await shop()
  const id = await sold(sales, { date_placed: '2026-02-03' })
  await withPage({ user: sales.owner, path: `/sales/${id}`, locale: 'de-DE' }, async (page) => {
    const date = page.getByRole('textbox', { name: texts.field.date_placed, exact: true })
    await assertValue(date, '03.02.2026')
    await date.fill('31.2.26')
    await page.keyboard.press('Control+Enter')
    await date.blur()
    await page.getByText(german.kit.day.wrong('31.12.2026')).waitFor()
    assert.equal((await saleOf(sales, id)).order.date_placed, '2026-02-03', 'nothing is saved')
    await date.fill('5.3.26')
    await page.keyboard.press('Tab')
    await assertValue(date, '05.03.2026')
    await page.keyboard.press('Control+Enter')
    await page.getByText(texts.saved('A-1001')).waitFor()
    assert.equal((await saleOf(sales, id)).order.date_placed, '2026-03-05')

    // Nor does a dialog go on with the day that was there before.
    await page.getByRole('button', { name: texts.act.ship, exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox', { name: texts.ask.day }).fill('32.3.26')
    await dialog.getByRole('button', { name: texts.act.ship, exact: true }).click()
    await dialog.getByText(german.kit.day.wrong('31.12.2026')).waitFor()
    assert.equal((await saleOf(sales, id)).order.status, 0)
    await dialog.getByRole('textbox', { name: texts.ask.day }).fill('6.3.26')
    await dialog.getByRole('button', { name: texts.act.ship, exact: true }).click()
    await page.getByText(texts.done.state('A-1001', german.states.statuses.sale.shipped)).first().waitFor()
    assert.equal((await saleOf(sales, id)).order.date_shipped, '2026-03-06')
  })
})

test('the calendar is in the user’s language, works by keyboard, and axe finds nothing', async () => {
  const sales = await shop()
  const id = await sold(sales, { date_placed: '2026-03-05' })
  await withPage({ user: sales.owner, path: `/sales/${id}`, locale: 'de-DE' }, async (page) => {
    await page.getByRole('button', { name: german.kit.day.open('Datum') }).press('Enter')
    await page.getByText('März 2026').waitFor()
    assert.deepEqual(await page.getByRole('dialog').locator('thead th').allTextContents(), [
      'Mo',
      'Di',
      'Mi',
      'Do',
      'Fr',
      'Sa',
      'So',
    ])
    await assertAccessible(page)
    await shot(page, 'calendar')
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.waitForFunction(() => document.documentElement.dataset['mantineColorScheme'] === 'dark')
    await assertColoursAccessible(page)
    await page.getByRole('button', { name: 'Donnerstag, 5. März 2026' }).focus()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Enter')
    const date = page.getByRole('textbox', { name: texts.field.date_placed, exact: true })
    await assertValue(date, '06.03.2026')
    await page.waitForFunction(() => document.activeElement?.getAttribute('aria-label') === 'Datum: Kalender öffnen')
  })
})

test('a list is filtered by typed days', async () => {
  const sales = await shop()
  await sold(sales, { date_placed: '2026-02-03' })
  await sold(sales, { num: '1002', date_placed: '2026-03-05' })
  await withPage({ user: sales.owner, path: '/sales' }, async (page) => {
    await page.getByRole('link', { name: 'A-1001' }).waitFor()
    await page.getByRole('button', { name: 'Filter' }).click()
    await page.getByRole('textbox', { name: 'Date from' }).fill('1/3/2026')
    await page.getByRole('link', { name: 'A-1001' }).waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'A-1002' }).waitFor()
    await page.waitForURL(/date_from=2026-03-01/)
    await assertAccessible(page)
  })
})
