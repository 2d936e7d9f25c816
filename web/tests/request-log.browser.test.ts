// Gaps of the request log: requests that were answered and not logged are shown at their place in time.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { query } from '../../server/test/harness/database.ts'
import { type Company, given } from '../../server/test/harness/given.ts'
import { assertAccessible, assertColoursAccessible, assertNoOverflow, eventually, shot, withPage } from './harness.ts'

const gapText =
  '12 requests were not logged between 12/03/2026, 10:02:11 and 10:02:14 because the server was overloaded.'

/** Requests at these seconds after 10:02, and gaps between them. */
async function insertLog(
  company: Company,
  seconds: readonly number[],
  gaps: readonly [from: number, to: number, n: number][],
) {
  const at = (second: number): Date => new Date(Date.UTC(2026, 2, 12, 10, 2, second))
  for (const second of seconds)
    await query(
      company.id,
      `insert into request_log (company_id, at, request_id, method, status, duration_ms, request, answer) values ($1, $2, $3, $4, 200, 4, '', '')`,
      [company.id, at(second), `req_${second}`, `orders/get_entry`],
    )
  for (const [from, to, requests] of gaps)
    await query(
      company.id,
      `insert into request_log_gaps (company_id, first_at, first_request_id, last_at, requests, reason) values ($1, $2, 'req_gap', $3, $4, 'full')`,
      [company.id, at(from), at(to), requests],
    )
}

test('the request log shows where requests are missing, also on a phone and without any row', async () => {
  const company = await given.company()
  const owner = await given.user(company, 'owner')
  await insertLog(company, [5, 10, 16, 20], [[11, 14, 12]])
  for (const width of [1440, 390]) {
    await withPage({ user: owner, path: '/settings/requests', width }, async (page) => {
      const line = page.getByRole('row').filter({ hasText: gapText })
      await line.waitFor()
      await eventually(async () => {
        const rows = await page.getByRole('table').getByRole('row').allInnerTexts()
        assert.deepEqual(
          rows.map((text) => text.includes('not logged')),
          [false, false, false, true, false, false],
          'after the head and the two newer requests',
        )
      })
      await assertNoOverflow(page)
      await assertAccessible(page)
      const box = await line.getByRole('note').boundingBox()
      assert.ok(box !== null && box.x >= 0 && box.x + box.width <= width, 'the whole sentence is visible')
      await shot(page, `request-log-gap-${width}`)
    })
  }
  await withPage({ user: owner, path: '/settings/requests?outcome=failed' }, async (page) => {
    await page.getByText(gapText).waitFor()
    await assertAccessible(page)
  })
})

test('gaps of the request log before the first and after the last row are at the ends', async () => {
  const company = await given.company()
  const owner = await given.user(company, 'owner')
  await insertLog(
    company,
    [10, 20],
    [
      [1, 1, 1],
      [30, 40, 1_234],
    ],
  )
  await withPage({ user: owner, path: '/settings/requests', scheme: 'dark' }, async (page) => {
    await page
      .getByText('1 request was not logged at 12/03/2026, 10:02:01 because the server was overloaded.')
      .waitFor()
    await eventually(async () => {
      const rows = await page.getByRole('table').getByRole('row').allInnerTexts()
      assert.deepEqual(
        rows.map((text) => /^\S+ requests? w/.exec(text)?.[0]),
        [undefined, '1,234 requests w', undefined, undefined, '1 request w'],
      )
    })
    await assertColoursAccessible(page)
  })
})
