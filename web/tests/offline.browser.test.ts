// Navigation without a connection, and after a new version was installed.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually, withPage } from './harness.ts'
import { shop } from './shop.ts'

test('a screen that cannot be loaded opens when the connection is back', async () => {
  const { owner } = await shop()
  await withPage({ user: owner, path: '/sales' }, async (page) => {
    await page.getByRole('heading', { name: 'Sales' }).waitFor()
    await page.context().setOffline(true)
    await page.getByRole('link', { name: 'Contacts' }).click()
    await page.getByText('You are offline. The page opens as soon as the connection is back.').waitFor()
    await page.getByRole('heading', { name: 'Sales' }).waitFor()
    await page.context().setOffline(false)
    await page.getByRole('heading', { name: 'Customers' }).waitFor()
    await page.getByText('You are offline.').waitFor({ state: 'detached' })
  })
})

test('a screen whose file is gone is opened by loading the page once', async () => {
  const { owner } = await shop()
  await withPage({ user: owner, path: '/sales' }, async (page) => {
    await page.getByRole('heading', { name: 'Sales' }).waitFor()
    await page.evaluate(() => Object.assign(window, { isOldPage: true }))
    // The files of the former version are not there any more; those of the page loaded anew are.
    let isOld = true
    await page.route(/customers-list.*\.js/, (route) => (isOld ? route.fulfill({ status: 404 }) : route.continue()))
    page.on('request', (request) => {
      if (request.isNavigationRequest()) isOld = false
    })
    await page.getByRole('link', { name: 'Contacts' }).click()
    await page.getByRole('heading', { name: 'Customers' }).waitFor()
    await eventually(async () => assert.equal(await page.evaluate(() => 'isOldPage' in window), false))
  })
})
