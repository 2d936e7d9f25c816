// How long the screens with the data of the demo take to open and to respond: Home over a slow mobile connection, the sales list in a fresh browser, clicks and keys.
// On an idle machine (KONTOR_CALM=1) the documented bounds apply, on a busy one three times as much.

import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { makeCompany } from '../../demo/company.ts'
import { databaseUrl } from '../../server/test/harness/database.ts'
import { given, type User } from '../../server/test/harness/given.ts'
import { measured } from '../../server/test/harness/measured.ts'
import { pageLoaded, withPage } from './harness.ts'

const times = process.env['KONTOR_CALM'] === '1' ? 1 : 3

let user: User
before(async () => {
  const { companyId } = await makeCompany(databaseUrl(), 21, () => {})
  user = await given.user({ id: companyId }, 'owner')
})

/** Fast 3G as in the developer tools of Chromium. */
async function onFast3G(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 562.5,
    downloadThroughput: 180_000,
    uploadThroughput: 84_375,
  })
}

/** The time from the navigation until the largest text or picture of the page was painted. */
const largestPaint = (page: Page): Promise<number> =>
  page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        new PerformanceObserver((list) => resolve(list.getEntries().at(-1)?.startTime ?? Number.NaN)).observe({
          type: 'largest-contentful-paint',
          buffered: true,
        })
      }),
  )

test('Home is shown within 1.5 s over fast 3G once the browser has its files', async (t) => {
  await measured(t, async () => {
    await withPage({ user }, async (page) => {
      await onFast3G(page)
      await page.goto('/')
      await pageLoaded(page)
      const first = await largestPaint(page)
      await page.goto('/')
      await pageLoaded(page)
      const again = await largestPaint(page)
      t.diagnostic(`largest paint after ${Math.round(first)} ms in a fresh browser, then ${Math.round(again)} ms`)
      assert.ok(again < 1_500 * times, `${again} ms`)
    })
  })
})

test('the sales list is usable within 1.5 s in a fresh browser', async (t) => {
  await measured(t, async () => {
    // The browser itself has started.
    await withPage({ path: '/sign-in' }, pageLoaded)
    await withPage({ user }, async (page) => {
      const from = performance.now()
      await page.goto('/sales')
      await page.getByRole('row').nth(5).waitFor()
      const shown = performance.now() - from
      t.diagnostic(`rows after ${Math.round(shown)} ms`)
      assert.ok(shown < 1_500 * times, `${shown} ms`)
    })
  })
})

type Recorded = { durations: number[] }

/** Records the time between each input and the paint that shows its effect; shorter ones than 16 ms are not reported by the browser. */
const recordInteractions = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const durations: number[] = []
    Object.assign(globalThis, { durations })
    new PerformanceObserver((list) => durations.push(...list.getEntries().map(({ duration }) => duration))).observe({
      type: 'event',
      durationThreshold: 16,
    } as PerformanceObserverInit)
  })

const recordedInteractions = (page: Page): Promise<number[]> =>
  page.evaluate(() => (globalThis as unknown as Recorded).durations)

/** The number of lines of a very long sale. */
const manyLines = 500

async function longSale(): Promise<number> {
  const { products } = (await user.call('products/browse', { limit: 1 })).body
  const lines = Array.from({ length: manyLines }, () => ({ id: products[0].id, amount: 1, total: 10 }))
  const reply = await user.call('orders/add', { num: 'LONG', customer_name: 'Berta Blum', products: lines })
  assert.equal(reply.status, 200, reply.text)
  return reply.body.order_id
}

test(`a sale of ${manyLines} lines opens within 1.5 s, answers keys within 100 ms, and is saved within a second`, async (t) => {
  const id = await longSale()
  let quantity = 1_234_567
  await measured(t, async () => {
    await withPage({ user, path: '/sales' }, async (page) => {
      await pageLoaded(page)
      const opening = performance.now()
      await page.goto(`/sales/${id}`)
      const amount = page.locator('input[name="amount"]').first()
      await amount.waitFor()
      const openMs = performance.now() - opening
      await pageLoaded(page)
      await recordInteractions(page)
      await amount.focus()
      await page.keyboard.press('Control+a')
      for (const key of String(quantity++)) await page.keyboard.press(key)
      await page.getByRole('button', { name: 'Save', exact: true }).waitFor()
      const keys = await recordedInteractions(page)
      const longest = Math.max(0, ...keys)
      const saving = performance.now()
      await page.keyboard.press('Control+Enter')
      await page.getByRole('button', { name: 'Save', exact: true }).waitFor({ state: 'detached' })
      const saveMs = performance.now() - saving
      const figures = `opened after ${Math.round(openMs)} ms, keys up to ${longest} ms, saved after ${Math.round(saveMs)} ms`
      t.diagnostic(figures)
      assert.ok(keys.length > 0, 'the browser reports no input')
      assert.ok(openMs < 1_500 * times && longest <= 100 * times && saveMs < 1_000 * times, figures)
    })
  })
})

const interactions: Readonly<Record<string, (page: Page) => Promise<void>>> = {
  'search opens': async (page) => {
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog').waitFor()
  },
  'another list opens': async (page) => {
    await page.getByRole('link', { name: 'Stock' }).first().click()
    await page.getByRole('heading', { name: 'Stock', level: 1 }).waitFor()
  },
  'the next row is selected': async (page) => {
    for (let row = 0; row < 5; row++) await page.keyboard.press('j')
  },
  'a sale opens': async (page) => {
    await page.getByRole('row').nth(2).getByRole('link').first().click()
    await page.getByRole('tab').first().waitFor()
  },
}

test('a click or a key is answered within 100 ms', async (t) => {
  await measured(t, async () => {
    const slow: string[] = []
    let recorded = 0
    for (const [what, act] of Object.entries(interactions)) {
      await withPage({ user, path: '/sales' }, async (page) => {
        await pageLoaded(page)
        await recordInteractions(page)
        await act(page)
        await pageLoaded(page)
        const durations = await recordedInteractions(page)
        recorded += durations.length
        const longest = Math.max(0, ...durations)
        t.diagnostic(`${what}: ${longest} ms`)
        if (longest > 100 * times) slow.push(`${what}: ${longest} ms`)
      })
    }
    assert.ok(recorded > 0, 'the browser reports no input')
    assert.deepEqual(slow, [])
  })
})
