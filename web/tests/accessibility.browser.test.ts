// Every screen with demo data, in light and dark, on a desktop and a phone: axe-core finds no serious or critical violation, no page
// scrolls sideways, and all requests go to the service itself.

import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { makeCompany } from '../../demo/company.ts'
import { url } from '../../server/test/harness/app.ts'
import { databaseUrl } from '../../server/test/harness/database.ts'
import { given, type User } from '../../server/test/harness/given.ts'
import { everyScreen, routes, type Screen } from './every-screen.ts'
import { assertAccessible, assertColoursAccessible, assertNoOverflow, pageLoaded, withPage } from './harness.ts'

let user: User
let screens: readonly Screen[]
before(async () => {
  const { companyId } = await makeCompany(databaseUrl(), 21, () => {})
  user = await given.user({ id: companyId }, 'owner')
  screens = await everyScreen(async (path, body) => {
    const reply = await user.call(path, body)
    assert.equal(reply.status, 200, `${path}: ${reply.text}`)
    return reply.body
  })
})

/** Opens each screen in one shared page, and collects the failures of all of them. */
async function checkEach(
  options: object,
  subset: readonly Screen[],
  check: (page: Page) => Promise<void>,
): Promise<void> {
  const failures: string[] = []
  for (const isOutside of [true, false]) {
    const group = subset.filter((screen) => (screen.isOutside ?? false) === isOutside)
    if (group.length === 0) continue
    await withPage({ ...options, ...(isOutside ? {} : { user }) }, async (page) => {
      const foreignRequests: string[] = []
      page.on('request', (request) => {
        if (new URL(request.url()).origin !== url()) foreignRequests.push(request.url())
      })
      for (const { name, path } of group) {
        try {
          await page.goto(path)
          await pageLoaded(page)
          await check(page)
        } catch (error) {
          failures.push(`${name}: ${error instanceof Error ? error.message : error}`)
        }
      }
      assert.deepEqual(foreignRequests, [], 'requests to another server')
    })
  }
  assert.deepEqual(failures, [])
}

/** A list does not scroll sideways inside its container either: its last column is fully visible. */
async function assertListFits(page: Page): Promise<void> {
  const wide = await page.evaluate(() =>
    [...document.querySelectorAll('.mantine-datatable .mantine-ScrollArea-viewport')].map((box) => [
      box.scrollWidth,
      box.clientWidth,
    ]),
  )
  for (const [content = 0, box = 0] of wide) assert.ok(content <= box, `a list of ${content} px in a box of ${box} px`)
}

test('the list of screens covers every route', () => {
  const seen = new Set(screens.map(({ route }) => route))
  assert.ok(routes().length > 40, `only ${routes().length} routes were read`)
  assert.deepEqual(
    routes().filter((route) => !seen.has(route)),
    [],
  )
})

test('every screen is accessible in light and dark, and none scrolls sideways', async () => {
  await checkEach({ width: 1440 }, screens, async (page) => {
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
  await checkEach({ width: 390, height: 844 }, screens, async (page) => {
    await assertNoOverflow(page)
    await assertListFits(page)
    const { pathname, search } = new URL(page.url())
    if (main.includes(pathname + search)) await assertAccessible(page)
  })
})
