// The size of the first load: under 400 kB of compressed script for any first screen, and every other screen's script only
// when it is opened. The typeface is counted apart.

import assert from 'node:assert/strict'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import type { User } from '../../server/test/harness/given.ts'
import { eventually, holdRequests, pageLoaded, withPage } from './harness.ts'
import { shop, sold } from './shop.ts'

const maxBytes = 400_000

/** Names and compressed sizes of the files of a kind that a fresh browser loads for an address. */
async function filesOf(ending: '.js' | '.woff2', path: string, user?: User): Promise<Map<string, number>> {
  const fetched = new Map<string, number>()
  await withPage(user === undefined ? {} : { user }, async (page: Page) => {
    page.on('response', (response) => {
      const { pathname } = new URL(response.url())
      if (pathname.endsWith(ending)) fetched.set(pathname, Number(response.headers()['content-length'] ?? Number.NaN))
    })
    await page.goto(path)
    await pageLoaded(page)
    // The browser requests a typeface when it lays out text that needs it.
    await page.evaluate(async () => {
      await new Promise(requestAnimationFrame)
      await document.fonts.ready
    })
  })
  return fetched
}

const sum = (sizes: ReadonlyMap<string, number>): number => sizes.values().reduce((total, size) => total + size, 0)

test('any first screen needs less than 400 kB of compressed script', async (context) => {
  // With data to draw, so that the charts are loaded.
  const selling = await shop()
  const saleId = await sold(selling, { date_placed: new Date().toISOString().slice(0, 10) })
  const tooLarge: string[] = []
  for (const path of [
    '/sign-in',
    '/',
    '/sales',
    `/sales/${saleId}`,
    '/stock',
    `/products/${selling.table.id}`,
    '/settings',
  ]) {
    const fetched = await filesOf('.js', path, path === '/sign-in' ? undefined : selling.owner)
    assert.ok(fetched.size > 2, `${path} fetched ${[...fetched.keys()]}`)
    const bytes = sum(fetched)
    context.diagnostic(`${path}: ${Math.round(bytes / 1000)} kB in ${fetched.size} files`)
    if (!(bytes < maxBytes)) tooLarge.push(`${path} fetches ${bytes} bytes of script`)
  }
  assert.deepEqual(tooLarge, [])
})

test('the typeface is loaded only for the letters of a page, and is under 100 kB for English', async () => {
  const fetched = await filesOf('.woff2', '/sign-in')
  assert.deepEqual(
    [...fetched.keys()].map((name) => /inter-(.+)-wght/.exec(name)?.[1]),
    ['latin'],
  )
  assert.ok(sum(fetched) < 100_000, `${sum(fetched)} bytes`)
})

test('the script of a screen is loaded when the screen is opened, not before', async () => {
  const folder = process.env['WEB_DIR'] ?? join(import.meta.dirname, '..', 'dist')
  const page = readFileSync(join(folder, 'index.html'), 'utf8')
  const named = [...page.matchAll(/(?:src|href)="\/assets\/([^"]+\.js)"/g)].map(([, name = '']) => name)
  const all = readdirSync(join(folder, 'assets')).filter((name) => name.endsWith('.js'))
  const reached = new Set(named.flatMap((name) => [...reachable(folder, name)]))
  assert.ok(
    named.some((name) => name.startsWith('start-')),
    'index.html does not preload the screens',
  )
  assert.deepEqual(
    reached,
    new Set(named),
    'index.html names every script that it needs, so that all are fetched at once',
  )
  const bytes = [...reached].reduce((total, name) => total + compressed(join(folder, 'assets', name)), 0)
  assert.ok(bytes < maxBytes, `index.html needs ${bytes} bytes of compressed script`)
  const screens = all.filter((name) =>
    /^(sales-list|sale-card|board|dashboard|stock-list|reference|scanner)-/.test(name),
  )
  assert.equal(screens.length, 7, screens.join())
  assert.deepEqual(
    screens.filter((name) => reached.has(name)),
    [],
  )
})

test('what Home shows is requested while its script is loading', async () => {
  const { owner } = await shop()
  await withPage({ user: owner }, async (page) => {
    const requested: string[] = []
    page.on('request', (request) => requested.push(new URL(request.url()).pathname))
    const release = await holdRequests(page, /\/assets\/dashboard-[^/]+\.js$/)
    await page.goto('/')
    await eventually(async () => {
      for (const path of ['/screens/session/get', '/screens/dashboard/get']) assert.ok(requested.includes(path), path)
    })
    release()
    await pageLoaded(page)
    assert.equal(requested.filter((path) => path === '/screens/dashboard/get').length, 1)
  })
})

test('a list that was open before is shown at once, and refreshed', async () => {
  const selling = await shop()
  await sold(selling, { num: 'A-77' })
  await withPage({ user: selling.owner, path: '/sales' }, async (page) => {
    const row = page.getByRole('link', { name: 'A-77' }).first()
    await row.waitFor()
    await page.getByRole('link', { name: 'Stock' }).first().click()
    await page.getByRole('heading', { name: 'Stock', level: 1 }).waitFor()
    let wasRequested = false
    await page.route('**/screens/orders/browse', async (route) => {
      // The count in the navigation comes from the same method.
      wasRequested ||= !route.request().postData()?.includes('"limit":1,')
    })
    await sold(selling, { num: 'A-78' })
    await page.getByRole('link', { name: 'Sales' }).first().click()
    await row.waitFor()
    await eventually(async () => assert.ok(wasRequested))
    assert.equal(await page.locator('.mantine-Skeleton-root').count(), 0)
  })
})

/** The static imports of a script, transitively. `import(…)` is excluded. */
function reachable(folder: string, name: string, seen = new Set<string>()): Set<string> {
  if (seen.has(name)) return seen
  seen.add(name)
  const text = readFileSync(join(folder, 'assets', name), 'utf8')
  for (const [, to = ''] of text.matchAll(/\b(?:from|import)\s*["'`]\.\/([^"'`]+\.js)["'`]/g))
    reachable(folder, to, seen)
  return seen
}

/** Small files have no compressed version. */
const compressed = (path: string): number => {
  const twin = statSync(`${path}.gz`, { throwIfNoEntry: false }) ?? statSync(path)
  return twin.size
}
