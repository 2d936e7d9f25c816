// The five paged lists: longer than a page, while records change, separated by company, and their errors.

import assert from 'node:assert/strict'
import { Kontor } from '../../clients/typescript/src/client.ts'
import { url } from '../test/harness/app.ts'
import { inLanes, postUntilAccepted } from '../test/harness/concurrent-calls.ts'
import { given } from '../test/harness/given.ts'
import {
  add,
  edit,
  ids,
  leastOf,
  list,
  names,
  noTexts,
  pagedSections,
  refuses,
  remove,
} from '../test/harness/record-calls.ts'
import { rule } from '../test/harness/rule.ts'

rule('lists.whole-list', async () => {
  const company = await given.company()
  for (const section of pagedSections) {
    const work = Array.from({ length: 110 }, (_, n) => ({
      ...leastOf(section),
      name: `Record ${(n * 7919) % 110}`,
    }))
    await inLanes(8, work, async (body) => {
      const reply = await postUntilAccepted(url(), company.key, `${section}/add`, body)
      assert.equal(reply.status, 200, reply.text)
    })
    const whole = await list(company, section, {}, 40)
    assert.deepEqual(
      names(whole),
      work.map((_, n) => `Record ${n}`),
    )
    assert.equal((await list(company, section, { search: 'record 10' }, 7)).length, 11)
  }
})

rule('lists.after-changes', async () => {
  const company = await given.company()
  for (const section of pagedSections) {
    const [a, b, c] = [
      await add(company, section, { name: 'A' }),
      await add(company, section, { name: 'B' }),
      await add(company, section, { name: 'C' }),
    ]
    await edit(company, section, a, { name: 'D' })
    assert.deepEqual(ids(await list(company, section, {}, 1)), [b, c, a])
    assert.deepEqual(ids(await list(company, section, { search: 'A' })), [])
    assert.deepEqual(ids(await list(company, section, { search: 'd' })), [a])
    await remove(company, section, c)
    for (const filters of [{}, { ids: [a, b, c] }, { updated_after: '2001-01-01T00:00:00Z' }])
      assert.deepEqual(ids(await list(company, section, filters)), [b, a])
    assert.deepEqual(ids(await list(company, section, { search: 'C' })), [])
  }
})

rule('lists.own-company', async () => {
  const [own, other] = [await given.company(), await given.company()]
  for (const section of pagedSections) {
    const mine = await add(own, section, { name: 'Mine' })
    const theirs = [mine, await add(other, section, { name: 'Theirs' }), await add(other, section, { name: 'Mine' })]
    assert.deepEqual(names(await list(own, section)), ['Mine'])
    assert.deepEqual(ids(await list(own, section, { ids: [...theirs, mine + 1, mine + 2] })), [mine])
    assert.deepEqual(await list(own, section, { search: 'Theirs' }), [])
  }
})

rule('lists.error.search', async () => {
  const company = await given.company()
  for (const section of pagedSections)
    for (const page of [{}, { limit: 5 }])
      for (const search of noTexts)
        await refuses(company, `${section}/get_list`, { search, ...page }, 'Invalid search value. Must be a string')
})

rule('lists.error.updated-after', async () => {
  const company = await given.company()
  const noTimes = ['yesterday', '', 0, 1773300000, true, [], {}, '2026-02-30T00:00:00Z', '2026-13-01T00:00:00Z', 'now']
  for (const section of pagedSections)
    for (const page of [{}, { limit: 5 }])
      for (const updated_after of [...noTimes, '2026-01-01T25:00:00Z', '12.03.2026 10:00', 'infinity']) {
        const reply = await company.call(`${section}/get_list`, { updated_after, ...page })
        assert.equal(reply.status, 400, `${JSON.stringify(updated_after)} → ${reply.text}`)
        assert.match(reply.body.error, /^Invalid updated_after value\. /)
      }
})

rule('lists.error.ids', async () => {
  const company = await given.company()
  for (const section of pagedSections)
    for (const page of [{}, { limit: 5 }])
      for (const value of [5, '5', {}, true])
        await refuses(company, `${section}/get_list`, { ids: value, ...page }, 'Ids is not an array')
})

rule('lists.error.limit', async () => {
  const company = await given.company()
  for (const section of pagedSections)
    for (const limit of [0, -1, 1001, 1.5, '', 'x', '1.0', true, [], {}])
      await refuses(company, `${section}/get_list`, { limit }, 'Invalid limit value. Must be between 1 and 1000')
})

rule('lists.error.offset', async () => {
  const company = await given.company()
  for (const section of pagedSections)
    for (const offset of [-1, 1.5, '', 'x', true, [], {}])
      await refuses(company, `${section}/get_list`, { limit: 1, offset }, 'Invalid offset value. Must be 0 or greater')
})

rule('lists.error.offset-without-limit', async () => {
  const company = await given.company()
  for (const section of pagedSections)
    for (const body of [{ offset: 0 }, { offset: 5, limit: null }])
      await refuses(company, `${section}/get_list`, body, 'Offset requires limit')
})

rule('lists.whole-list', 'as the client reads it', async () => {
  const company = await given.company()
  const kontor = new Kontor({ baseUrl: url(), apiKey: company.key })
  for (const name of ['Bolt 10', 'Bolt 9', 'Bolt 8', 'Nut']) await kontor.products.add({ name })
  const walked = []
  for await (const product of kontor.products.each({ search: 'bolt' }, { pageSize: 2 })) walked.push(product.name)
  assert.deepEqual(walked, ['Bolt 8', 'Bolt 9', 'Bolt 10'])
})
