// Lists request their rows while the session is still being loaded, with the input that the screen then asks for: otherwise they would be requested twice.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually, holdRequests, pageLoaded, withPage } from './harness.ts'
import { shop } from './shop.ts'

const lists: Readonly<Record<string, string>> = {
  '/sales': 'orders/browse',
  '/sales?cut=all&q=oak&status=1&payment=0&date_from=2026-01-01&sort=total&page=2&per=100': 'orders/browse',
  '/quotes?cut=all': 'quotes/browse',
  '/purchases?cut=all&sort=total&dir=asc': 'purchases/browse',
  '/productions/list?q=oak': 'productions/browse',
  '/stock': 'stock/browse',
  '/stock?by=item&date=2026-01-01&type=materials&cut=low': 'stock/browse',
  '/transfers': 'transfers/browse',
  '/write-offs': 'writeoffs/browse',
  '/audits': 'audits/browse',
  '/products?cut=low': 'products/browse',
  '/materials': 'materials/browse',
  '/resources': 'resources/browse',
  '/customers?q=berta': 'customers/browse',
  '/suppliers?sort=total&dir=desc': 'suppliers/browse',
}

test('every list requests its rows once, together with the session', async () => {
  const { owner } = await shop()
  await withPage({ user: owner }, async (page) => {
    const requested: string[] = []
    page.on('request', (request) => {
      const input = request.postData() ?? ''
      // The counts in the navigation come from the same methods, and so do pictures and names of some rows.
      if (!/"limit":1[,}]|"ids":/.test(input)) requested.push(new URL(request.url()).pathname)
    })
    for (const [address, path] of Object.entries(lists)) {
      const of = () => requested.filter((one) => one === `/screens/${path}`).length
      requested.length = 0
      const release = await holdRequests(page, /\/screens\/session\/get$/)
      await page.goto(address)
      await eventually(async () => assert.equal(of(), 1, `${address} before the session`))
      release()
      await pageLoaded(page)
      assert.equal(of(), 1, address)
    }
  })
})
