// A company with many concurrent requests gets its share of the database connections, and the rest remain for the others.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scratchDatabase } from './scratch.ts'

const scratch = scratchDatabase()

test('while a company’s slow requests use up its share, another company is served', async () => {
  await scratch.serve({ DATABASE_CONNECTIONS: '4' }, async (company, other) => {
    for (const one of [company, other]) assert.equal((await one.call('products/get_list', { limit: 1 })).status, 200)
    await scratch.sql(
      `create policy slow on units as restrictive for select using (company_id <> ${company.id} or pg_sleep(30) is not null)`,
    )
    try {
      const dear = Array.from({ length: 12 }, () => company.call('products/get_list', { limit: 1 }))
      let isOver = false
      const over = Promise.all(dear).then((replies) => {
        isOver = true
        return replies
      })
      let served = 0
      while (!isOver) {
        const reply = await other.call('products/get_list', { limit: 1 })
        assert.equal(reply.status, 200, `after ${served} requests ${reply.text}`)
        served++
      }
      assert.ok(served > 0, 'no request was served in that time')
      const replies = await over
      assert.ok(replies.every((reply) => reply.status === 503))
      // Two at a time had a connection, or one if the first request took long: they were started, and are counted. The others timed out waiting.
      const begun = replies.filter((reply) => reply.headers.has('ratelimit-remaining'))
      assert.ok(begun.length === 1 || begun.length === 2, `${begun.length} were started`)
      assert.equal(await company.used(), 1 + begun.length)
    } finally {
      await scratch.sql('drop policy slow on units')
    }
  })
})
