// Lists of any length: a page at a high offset takes the time of the first one, totals are exact everywhere, and the whole list is streamed
// without the server's memory growing with it. LONG_LIST_SALES sets the size; `npm run long-list` uses a million.

import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { after, before, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { methodPath } from '../../platform/http/paths.ts'
import { type Server, startServer } from '../harness/app.ts'
import { post } from '../harness/concurrent-calls.ts'
import { broken, query } from '../harness/database.ts'
import type { Company } from '../harness/given.ts'
import { loadSales } from '../harness/many-sales.ts'
import { measured } from '../harness/measured.ts'

const sales = Number(process.env['LONG_LIST_SALES'] ?? 200_000)
const days = 400
const lastDay = '2024-12-31'
const onOneDay = sales / 10
const maxAddedMemory = 40 * 1024 * 1024

let server: Server
before(async () => {
  server = await startServer()
})
after(async () => {
  await server?.stop()
})

type Page = { readonly orders: readonly { readonly id: number }[]; readonly total: number }

async function page(company: Company, body: object): Promise<Page> {
  const reply = await post(server.url, company.key, 'orders/get_list', body)
  assert.equal(reply.status, 200, reply.text.slice(0, 500))
  return reply.body
}

async function loaded(t: TestContext, list: Parameters<typeof loadSales>[0]): Promise<Company> {
  const startedMs = performance.now()
  const company = await loadSales(list)
  t.diagnostic(`${list.sales} sales over ${list.days} days loaded in ${seconds(startedMs)}`)
  return company
}

const seconds = (sinceMs: number): string => `${((performance.now() - sinceMs) / 1_000).toFixed(1)} s`

/** The list in its specified order, read directly from the database: date descending, number in natural order, id. */
async function idsInOrder(company: Company): Promise<readonly number[]> {
  const [row] = await query(
    company.id,
    `select array_agg(id::int order by date_placed desc, substring(num from 3)::int, id) as ids from sales where company_id = $1`,
    [company.id],
  )
  return row.ids
}

/** Medians of alternating measurements of two requests, so that variations of the machine affect both. */
async function mediansOf(company: Company, asked: object, rounds: number): Promise<{ first: number; other: number }> {
  const times = { first: [] as number[], asked: [] as number[] }
  for (let round = 0; round < rounds; round++) {
    for (const [which, body] of [
      ['first', {}],
      ['asked', asked],
    ] as const) {
      const startedMs = performance.now()
      const { orders } = await page(company, { limit: 100, ...body })
      // The first rounds prepare statements and warm up caches.
      if (round >= 3) times[which].push(performance.now() - startedMs)
      if (orders.length !== ('num' in body ? 1 : 100)) throw new Error(`${orders.length} sales`)
    }
  }
  return { first: median(times.first), other: median(times.asked) }
}

const assertSameTime = (t: TestContext, company: Company, asked: object, name: string, rounds = 33): Promise<void> =>
  measured(t, async () => {
    const { first, other } = await mediansOf(company, asked, rounds)
    t.diagnostic(
      `a page of 100: ${first.toFixed(2)} ms, ${name}: ${other.toFixed(2)} ms (${(other / first).toFixed(2)} ×)`,
    )
    assert.ok(other <= 2 * first, `${name}: ${other} ms against ${first} ms`)
  })

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

async function assertPages(company: Company, ids: readonly number[]): Promise<void> {
  const offsets = [0, 1, 99, 100, 499, 500, 501, 999, 1_000, 1_001, 0.31, 0.5, 0.77, 0.9].map((at) =>
    at > 0 && at < 1 ? Math.floor(ids.length * at) : at,
  )
  for (const offset of [...offsets, ids.length - 100, ids.length - 1, ids.length, ids.length + 1, 2 ** 53 - 1]) {
    const { orders, total } = await page(company, { limit: 100, offset })
    assert.equal(total, ids.length, `total at offset ${offset}`)
    assert.deepEqual(
      orders.map(({ id }) => id),
      ids.slice(offset, offset + 100),
      `the page at offset ${offset}`,
    )
  }
}

let spread: { readonly company: Company; readonly ids: readonly number[] }

test('sales spread over 400 days: any page in the time of the first, exact totals', async (t) => {
  const company = await loaded(t, { sales, days, lastDay })
  const ids = await idsInOrder(company)
  assert.equal(ids.length, sales)
  spread = { company, ids }
  await assertPages(company, ids)
  await assertSameTime(t, company, { offset: sales * 0.9 }, `at offset ${sales * 0.9}`)

  const perDay = sales / days
  const hundred = { date_from: '2024-01-01', date_to: '2024-04-09', limit: 1, offset: perDay * 90 }
  const { orders, total } = await page(company, hundred)
  assert.equal(total, perDay * 100, 'the total of a hundred days')
  assert.equal(orders[0]?.id, ids[perDay * (266 + 90)], 'the position of a page among them')
})

test('a page of filtered sales takes at most twice as long as a page of all', async (t) => {
  const { company, ids } = spread
  // A later time of the change for 200 sales, as if they had been edited: what a caller finds that asks every few minutes.
  const changed = await query(
    company.id,
    `update sales set updated_at = updated_at + interval '1 hour' where company_id = $1 and id % ${sales / 200} = 0
     returning to_char(updated_at - interval '1 minute', 'YYYY-MM-DD"T"HH24:MI:SSOF":00"') as since`,
    [company.id],
  )
  assert.equal(changed.length, 200)
  const asked = {
    'one status': { status: 3 },
    'one payment': { payment: 0 },
    both: { status: 0, payment: 2 },
    'one status of a month': { status: 1, date_from: '2024-12-01' },
    'one status at a high offset': { status: 3, offset: sales * 0.2 },
    'one payment at a high offset': { payment: 2, offset: sales * 0.3 },
    '100 ids': { ids: ids.filter((_, at) => at % (sales / 100) === 0) },
    'a number': { num: 'A-4711' },
    '200 changed sales': { updated_after: changed[0].since },
  }
  for (const [name, body] of Object.entries(asked)) await assertSameTime(t, company, body, name, 15)
  assert.equal((await page(company, { status: 3, limit: 1 })).total, sales / 4)
  assert.equal((await page(company, { updated_after: changed[0].since, limit: 1 })).total, 200)
  const startedMs = performance.now()
  const { total } = await page(company, { search: 'customer 19', limit: 100 })
  t.diagnostic(`the search, which reads all sales: ${seconds(startedMs)}`)
  assert.equal(total, sales / 20)
})

test('the loaded sales keep every invariant, so the numbers above are those of a real company', async (t) => {
  const startedMs = performance.now()
  assert.deepEqual(await broken(spread.company.id), [])
  t.diagnostic(`audited in ${seconds(startedMs)}`)
})

test('the list without limit streams the rows of the pages with less than 40 MiB of additional memory', async (t) => {
  await assertStreams(t, spread.company, spread.ids)
})

test('sales of a single day: any page in the time of the first, exact totals', async (t) => {
  const company = await loaded(t, { sales: onOneDay, days: 1, lastDay })
  const ids = await idsInOrder(company)
  assert.equal(ids.length, onOneDay)
  await assertPages(company, ids)
  await assertSameTime(t, company, { offset: onOneDay * 0.9 }, `at offset ${onOneDay * 0.9}`)

  // Sales that the server itself adds and deletes there keep the order and the counts.
  const body = { customer_id: 1, date_placed: lastDay, products: [{ id: 1, amount: 1, total: 1 }] }
  const middle = Math.floor(onOneDay / 2)
  const added = await post(server.url, company.key, 'orders/add', { num: `${middle}`, ...body })
  assert.equal(added.status, 200, added.text)
  const grown = await page(company, { limit: 3, offset: middle })
  assert.equal(grown.total, onOneDay + 1)
  assert.deepEqual(
    grown.orders.map(({ id }) => id),
    [ids[middle], added.body.order_id, ids[middle + 1]],
  )
  const deleted = await post(server.url, company.key, 'orders/delete', { order_id: added.body.order_id })
  assert.equal(deleted.status, 200, deleted.text)
  await assertPages(company, ids)
  assert.deepEqual(await broken(company.id), [])
})

async function assertStreams(t: TestContext, company: Company, ids: readonly number[]): Promise<void> {
  const own = await startServer()
  try {
    const atRest = memory(own.pid).now
    // Resets the peak of the start, when the source was read; only the list counts.
    writeFileSync(`/proc/${own.pid}/clear_refs`, '5')
    const startedMs = performance.now()
    const response = await fetch(own.url + methodPath('orders/get_list'), {
      method: 'POST',
      headers: { authorization: company.key },
      body: '{}',
    })
    assert.equal(response.status, 200)
    const streamed = await readList(response)
    const { peak } = memory(own.pid)
    t.diagnostic(
      `${streamed.ids.length} sales streamed in ${seconds(startedMs)}, ${mebibytes(streamed.bytes)}; the server's memory ${mebibytes(atRest)} at rest, ${mebibytes(peak)} at most`,
    )
    assert.equal(streamed.total, ids.length, 'total is the number of rows')
    assert.deepEqual(streamed.ids, ids, 'the rows are those of the pages, in their order')
    assert.ok(peak - atRest < maxAddedMemory, `${mebibytes(peak - atRest)} of additional memory`)
    assert.ok(streamed.bytes > peak || ids.length < 500_000, 'the list is larger than the memory it took')
  } finally {
    await own.stop()
  }
}

/** Reads a list as it arrives, keeping only the ids; pauses in between, like a slow reader. */
async function readList(response: Response): Promise<{ ids: number[]; total: number; bytes: number }> {
  const ids: number[] = []
  const decoder = new TextDecoder()
  let [rest, bytes, paused] = ['', 0, false]
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length
    rest += decoder.decode(chunk, { stream: true })
    // Up to the last row that has begun, which may continue in the next chunk.
    const begun = rest.lastIndexOf('{"id":')
    if (begun > 0) {
      for (const match of rest.slice(0, begun).matchAll(/\{"id":(\d+),"num":/g)) ids.push(Number(match[1]))
      rest = rest.slice(begun)
    }
    if (!paused && ids.length > 1_000) {
      paused = true
      await sleep(1_500)
    }
  }
  for (const match of rest.matchAll(/\{"id":(\d+),"num":/g)) ids.push(Number(match[1]))
  const total = /\],"total":(\d+)\}$/.exec(rest)?.[1]
  assert.ok(total !== undefined, `the list ends with its total, not with ${rest.slice(-100)}`)
  return { ids, total: Number(total), bytes }
}

/** Resident memory of a process, now and at its peak since the last reset, as counted by Linux. */
function memory(pid: number): { now: number; peak: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const read = (name: string): number => {
    const kibibytes = new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]
    assert.ok(kibibytes !== undefined, `${name} of process ${pid}`)
    return Number(kibibytes) * 1024
  }
  return { now: read('VmRSS'), peak: read('VmHWM') }
}

const mebibytes = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(1)} MiB`
