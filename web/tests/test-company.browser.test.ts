// The test company: an owner makes it, opens it, sees on every page that it is a test, and goes back.

import { test } from 'node:test'
import { given } from '../../server/test/harness/given.ts'
import { assertAccessible, assertNoOverflow, shot, withPage } from './harness.ts'

for (const size of ['desktop', 'phone'] as const)
  test(`an owner makes a test company, opens it and goes back: ${size}`, async () => {
    const company = await given.company({ name: 'Oak Workshop' })
    await given.sale(company)
    const owner = await given.user(company)
    await withPage(
      { user: owner, path: '/settings/test-company', width: size === 'phone' ? 390 : 1440 },
      async (page) => {
        await page.getByText('There is no test company yet.').waitFor()
        await assertAccessible(page)
        await shot(page, `test-company-none-${size}`)
        await page.getByRole('button', { name: 'Create test company' }).click()
        // Servers that other tests start open the backfills again, for which a copy waits.
        await page.getByText(/^Copied /).waitFor({ timeout: 180_000 })
        await assertAccessible(page)
        await assertNoOverflow(page)
        await shot(page, `test-company-${size}`)
        await page.getByRole('button', { name: 'Open test company' }).click()
        const notice = page.getByText('This is a test company. Changes here do not affect your company.')
        await notice.waitFor()
        await page.goto(new URL('/sales', page.url()).href)
        await notice.waitFor()
        await assertAccessible(page)
        await assertNoOverflow(page)
        await shot(page, `test-company-opened-${size}`)
        await page.getByRole('link', { name: 'Back to your company' }).click()
        await notice.waitFor({ state: 'detached' })
      },
    )
  })
