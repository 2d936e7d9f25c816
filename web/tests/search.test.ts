// Global search by keyboard alone: type, Enter.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { given } from '../../server/test/harness/given.ts'
import { assertAccessible, eventually, pageLoaded, shot, withPage } from './harness.ts'
import { shop, sold } from './shop.ts'

async function find(page: Page, typed: string): Promise<void> {
  await page.keyboard.press('Control+k')
  const field = page.getByRole('combobox', { name: 'Search', exact: true })
  await field.and(page.locator(':focus')).waitFor()
  await page.keyboard.type(typed)
  assert.equal(await field.inputValue(), typed)
}

test('Ctrl+K, text, Enter: the first result opens, even when Enter is pressed before the response arrives', async () => {
  const its = await shop()
  const sale = await sold(its)
  await sold(its, { num: '2002' })
  await withPage({ user: its.owner, path: '/stock' }, async (page) => {
    await page.getByRole('heading', { name: 'Stock' }).waitFor()
    // At once, during the request: Enter waits for the results of the typed text.
    await find(page, 'A-1001')
    await page.keyboard.press('Enter')
    await page.waitForURL(new RegExp(`/sales/${sale}$`))
    // Wait for the result, then open it; arrows move on from the first.
    await find(page, 'oak')
    const chosen = page.locator('[data-action][data-selected]')
    await chosen.filter({ hasText: 'Oak' }).waitFor()
    await assertAccessible(page)
    await shot(page, 'search-first-hit')
    // A screen reader hears the selected result.
    const option = page.getByRole('listbox').getByRole('option', { selected: true })
    await option.filter({ hasText: 'Oak' }).waitFor()
    const field = page.getByRole('combobox', { name: 'Search', exact: true })
    assert.equal(await field.getAttribute('aria-activedescendant'), await option.getAttribute('id'))
    const [first, second] = await page.locator('[data-action]').allInnerTexts()
    await eventually(async () => assert.equal(await chosen.innerText(), first))
    await page.keyboard.press('ArrowDown')
    await eventually(async () => assert.equal(await chosen.innerText(), second))
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/(products|materials)\/\d+$/)
    await find(page, 'nothing is called like this')
    await page.getByText('No results.').waitFor()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Escape')
  })
})

test('Enter does not open a result of the text typed before', async () => {
  const { owner } = await shop()
  await withPage({ user: owner, path: '/stock' }, async (page) => {
    await page.getByRole('heading', { name: 'Stock' }).waitFor()
    await find(page, 'oak')
    const chosen = page.locator('[data-action][data-selected]')
    await chosen.filter({ hasText: 'Oak' }).waitFor()
    const { promise: entered, resolve: release } = Promise.withResolvers<void>()
    await page.route('**/search/get_list', async (route) => {
      await entered
      await route.continue()
    })
    await page.keyboard.press('Control+a')
    await page.keyboard.type('supplier new')
    assert.equal(await chosen.count(), 0, 'no earlier result is selected while the search is under way')
    await page.keyboard.press('Enter')
    release()
    await page.waitForURL(/\/(suppliers\/new|products\/\d+)$/)
    assert.match(page.url(), /\/suppliers\/new$/)
  })
})

test('commands and pages are found by typing', async () => {
  const { owner, company } = await shop()
  const to: [typed: string, address: RegExp][] = [
    ['new purchase', /\/purchases\/new$/],
    ['new sale', /\/sales\/new$/],
    ['new product', /\/products\/new$/],
    ['new prod', /\/(products|productions)\/new$/],
    ['supplier new', /\/suppliers\/new$/],
    ['go to transfers', /\/transfers$/],
    ['settings units', /\/settings\/units$/],
  ]
  await withPage({ user: owner, path: '/stock' }, async (page) => {
    await page.getByRole('heading', { name: 'Stock' }).waitFor()
    for (const [typed, address] of to) {
      await find(page, typed)
      await page.keyboard.press('Enter')
      await page.waitForURL(address).catch((error: unknown) => {
        throw new Error(`${typed}: ${page.url()}`, { cause: error })
      })
      await page.getByRole('combobox', { name: 'Search', exact: true }).waitFor({ state: 'detached' })
      // A new page focuses its first field.
      await pageLoaded(page)
    }
  })
  const worker = await given.user(company, 'worker')
  await withPage({ user: worker, path: '/stock' }, async (page) => {
    await page.getByRole('heading', { name: 'Stock' }).waitFor()
    await find(page, 'new purchase')
    await page.getByText('No results.').waitFor()
  })
})
