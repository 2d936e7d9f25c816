// Every screen with demo data, in light and dark, on a desktop and a phone: axe-core finds no serious or critical violation, no page
// scrolls sideways, and all requests go to the service itself.

import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { assertListFits, type DemoScreens, demoScreens } from './demo-screens.ts'
import { routes } from './every-screen.ts'
import { assertAccessible, assertColoursAccessible, assertNoOverflow } from './harness.ts'

let demo: DemoScreens
before(async () => {
  demo = await demoScreens()
})

test('the list of screens covers every route', () => {
  const seen = new Set(demo.screens.map(({ route }) => route))
  assert.ok(routes().length > 40, `only ${routes().length} routes were read`)
  assert.deepEqual(
    // The page that switches the company is left at once.
    routes().filter((route) => !seen.has(route) && route !== 'switch-company'),
    [],
  )
})

test('every screen is accessible in light and dark, and none scrolls sideways', async () => {
  await demo.checkEach({ width: 1440 }, async (page) => {
    await assertNoOverflow(page)
    await assertListFits(page)
    await assertAccessible(page)
    await page.emulateMedia({ colorScheme: 'dark' })
    // Wait until colour transitions have ended.
    await page.waitForFunction(() => document.documentElement.dataset['mantineColorScheme'] === 'dark')
    await page.waitForFunction(() => document.getAnimations().length === 0)
    await assertColoursAccessible(page)
    await page.emulateMedia({ colorScheme: 'light' })
  })
})

test('every screen fits a phone, and the main ones are accessible there', async () => {
  const main = ['/', '/sales?cut=all', '/stock', '/productions', '/products', '/settings']
  await demo.checkEach({ width: 390, height: 844 }, async (page) => {
    await assertNoOverflow(page)
    await assertListFits(page)
    const { pathname, search } = new URL(page.url())
    if (main.includes(pathname + search)) await assertAccessible(page)
  })
})
