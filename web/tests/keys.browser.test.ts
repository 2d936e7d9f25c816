// Keyboard shortcuts: pages opened by two keys, on Latin and Cyrillic keyboards, and the list of all shortcuts.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { given } from '../../server/test/harness/given.ts'
import { jumpKeys } from '../src/frame/jump-keys.ts'
import { messages as russian } from '../src/messages/ru.ts'
import { assertAccessible, assertNoOverflow, eventually, shot, withPage } from './harness.ts'
import { type Shop, shop, sold } from './shop.ts'

const addressOf = (page: Page): string => new URL(page.url()).pathname

async function assertOpens(page: Page, address: string): Promise<void> {
  await eventually(async () => assert.equal(addressOf(page), address))
  await page.getByRole('heading', { level: 1 }).first().waitFor()
}

/** A shop with two sales in its list. */
async function withSales(): Promise<Shop> {
  const its = await shop()
  await sold(its)
  await sold(its, { num: '1002' })
  return its
}

test('g and a letter open each page of the navigation', async () => {
  const { owner } = await withSales()
  await withPage({ user: owner, path: '/settings/units' }, async (page) => {
    await page.getByRole('heading', { level: 1 }).waitFor()
    for (const [address, letter] of Object.entries(jumpKeys)) {
      await page.keyboard.press('g')
      await page.keyboard.press(letter)
      await assertOpens(page, address)
    }
    const link = page.getByRole('navigation', { name: 'Main navigation' }).getByRole('link', { name: 'Sales' })
    assert.equal(await link.getAttribute('title'), 'Sales (g s)')
  })
})

test('the keys of a screen do not act as the second key, and nothing jumps while typing or in a dialog', async () => {
  const { owner } = await withSales()
  await withPage({ user: owner, path: '/sales' }, async (page) => {
    const { keyboard } = page
    await page.getByRole('link', { name: 'A-1001' }).waitFor()
    // Would be: a new sale.
    await keyboard.press('g')
    await keyboard.press('n')
    // Would be: the first row, and opening it for editing.
    await keyboard.press('g')
    await keyboard.press('j')
    await keyboard.press('e')
    assert.equal(addressOf(page), '/sales')
    // The sequence has ended, so that the keys belong to the screen again.
    await keyboard.press('j')
    await keyboard.press('Enter')
    await page.waitForURL(/\/sales\/\d+$/)
    await page.getByRole('heading', { name: /^Sale A-100/ }).waitFor()
    await keyboard.press('g')
    await keyboard.press('s')
    await page.getByRole('link', { name: 'A-1001' }).waitFor()
    await keyboard.press('/')
    await page.waitForFunction(() => document.activeElement?.tagName === 'INPUT')
    await keyboard.type('gh')
    assert.equal(await page.evaluate(() => (document.activeElement as HTMLInputElement).value), 'gh')
    await page.getByRole('heading', { name: 'Sales', level: 1 }).click()
    await keyboard.press('?')
    await page.getByRole('dialog').waitFor()
    await keyboard.press('g')
    await keyboard.press('h')
    await keyboard.press('?')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    assert.equal(addressOf(page), '/sales')
  })
})

/** Presses a key of a Russian keyboard. */
async function pressRussian(page: Page, key: string, code: string, isWithCtrl = false): Promise<void> {
  const session = await page.context().newCDPSession(page)
  const event = { key, code, modifiers: isWithCtrl ? 2 : 0 }
  await session.send('Input.dispatchKeyEvent', { type: 'keyDown', ...event })
  await session.send('Input.dispatchKeyEvent', { type: 'keyUp', ...event })
  await session.detach()
}

test('shortcuts work on a Russian keyboard, and their list is in Russian', async () => {
  const { owner } = await withSales()
  await withPage({ user: owner, path: '/', locale: 'ru-RU' }, async (page) => {
    await page.getByRole('heading', { level: 1 }).waitFor()
    await pressRussian(page, 'п', 'KeyG')
    await pressRussian(page, 'ы', 'KeyS')
    await assertOpens(page, '/sales')
    await page.getByRole('link', { name: 'A-1001' }).waitFor()
    await page.keyboard.press('?')
    const { frame } = russian
    const dialog = page.getByRole('dialog', { name: frame.keysTitle })
    for (const name of Object.values(frame.keyGroups)) await dialog.getByRole('heading', { name }).waitFor()
    await dialog.getByText(frame.nav.suppliers).waitFor()
    await dialog.getByText(frame.nav.toFix).waitFor()
    await shot(page, 'keys-ru')
    await assertNoOverflow(page)
    await assertAccessible(page)
    await page.keyboard.press('?')
    await dialog.waitFor({ state: 'detached' })
    await pressRussian(page, 'л', 'KeyK', true)
    const search = page.getByRole('combobox', { name: frame.search, exact: true })
    await search.waitFor()
    await page.keyboard.press('Escape')
    await search.waitFor({ state: 'detached' })
    await pressRussian(page, 'т', 'KeyN')
    await page.waitForURL('**/sales/new')
  })
})

test('a worker has no key for what only managers see', async () => {
  const { company } = await shop()
  const worker = await given.user(company, 'worker')
  await withPage({ user: worker, path: '/stock' }, async (page) => {
    await page.getByRole('heading', { name: 'Stock', level: 1 }).waitFor()
    await page.keyboard.press('?')
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Suppliers').waitFor()
    assert.equal(await dialog.getByText('To fix').count(), 0)
    await page.keyboard.press('?')
    await dialog.waitFor({ state: 'detached' })
    await page.keyboard.press('g')
    await page.keyboard.press('t')
    assert.equal(addressOf(page), '/stock')
  })
})
