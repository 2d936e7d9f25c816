// The main screens are accessible, and the content security policy allows only the service itself. accessibility.browser.test.ts looks at every screen.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { url } from '../../server/test/harness/app.ts'
import { assertAccessible, assertNoOverflow, pageLoaded, withPage } from './harness.ts'
import { accepted, bought, workshop } from './workshop.ts'

test('the main screens are accessible, and none scrolls sideways', async () => {
  const place = await workshop()
  await bought(place, 16)
  const products = [{ id: place.table, amount: 1, total: 249 }]
  const { order_id: sale } = await accepted(place.owner, 'orders/add', {
    num: '1',
    customer_name: 'Berta Blum',
    products,
  })
  const paths = [
    '/',
    '/sales?cut=all',
    `/sales/${sale}`,
    '/purchases',
    '/productions',
    '/stock',
    '/products',
    '/settings',
  ]
  await withPage({ user: place.owner }, async (page) => {
    for (const path of paths) {
      await page.goto(path)
      await pageLoaded(page)
      await assertNoOverflow(page)
      await assertAccessible(page)
    }
  })
})

test('the page has no inline script or style, and its content security policy allows only the service itself', async () => {
  const response = await fetch(url())
  const policy = new Map(
    (response.headers.get('content-security-policy') ?? '').split('; ').map((part) => {
      const [name = '', ...sources] = part.split(' ')
      return [name, sources.join(' ')]
    }),
  )
  assert.equal(policy.get('script-src') ?? policy.get('default-src'), "'self'")
  for (const [name, sources] of policy) {
    assert.doesNotMatch(sources, /unsafe-eval|https?:|\*/, name)
    if (name !== 'style-src') assert.doesNotMatch(sources, /unsafe-inline/, name)
  }
  const html = await response.text()
  for (const [tag, source] of html.matchAll(/<script\b[^>]*>([\s\S]*?)<\/script>/g)) {
    assert.equal(source, '', tag)
    assert.match(tag, /\bsrc="\/assets\//)
  }
  assert.doesNotMatch(html, /<style\b|\son\w+=|style="/)
  for (const [, address = ''] of html.matchAll(/(?:src|href)="([^"]+)"/g))
    assert.match(address, /^\/(assets\/|manifest\.webmanifest$|apple-touch-icon\.png$)/)
})
