// The whole list is streamed: the server's memory does not grow with it, however slowly it is read.

import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { startServer } from '../../testing/app.ts'
import { query } from '../../testing/database.ts'
import { type Company, given } from '../../testing/given.ts'
import { rule } from '../../testing/rule.ts'

const megabyte = 2 ** 20

/** The most memory the process ever held, in bytes. */
async function peakMemory(pid: number): Promise<number> {
  const kilobytes = /^VmHWM:\s+(\d+) kB$/m.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1]
  assert.ok(kilobytes !== undefined)
  return Number(kilobytes) * 1024
}

/** Copies of one sale with long notes, `early` of them on the first of March 2024 and `late` on the second. */
async function manySales(company: Company, early: number, late: number): Promise<void> {
  const order_id = await given.sale(company, { date_placed: '2024-03-01' })
  const columns = `num, num_key, status, payment, subtotal, delivery_price, discount, total, cost, amount, lines, source,
    products_storage_id, materials_storage_id, customer_id, created_at, updated_at`
  await query(
    company.id,
    `insert into sales (company_id, id, date_placed, notes, ${columns})
     select company_id, id + copy, date_placed + (copy >= $3)::int, repeat('x', 8000), ${columns}
     from sales, generate_series(1, $4::int) as copy
     where company_id = $1 and id = $2`,
    [company.id, order_id, early, early + late - 1],
  )
}

/** Reads a list with a pause after its first piece, and keeps nothing of it but its length and its end. */
async function readSlowly(company: Company, url: string, filter: object): Promise<{ bytes: number; end: string }> {
  const response = await fetch(`${url}/v1/orders/get_list.php`, {
    method: 'POST',
    headers: { authorization: company.key },
    body: JSON.stringify(filter),
  })
  assert.equal(response.status, 200)
  assert.ok(response.body !== null)
  let [bytes, end] = [0, '']
  for await (const piece of response.body) {
    if (bytes === 0) await wait(1000)
    bytes += piece.length
    end = (end + Buffer.from(piece.subarray(-40)).toString()).slice(-40)
  }
  return { bytes, end }
}

rule('orders/get_list.streamed', async () => {
  const company = await given.company()
  await manySales(company, 9_000, 12_000)
  const server = await startServer()
  try {
    // What a process takes for itself it has taken by the end of a long list; a longer one must then need no more.
    const short = await readSlowly(company, server.url, { date_to: '2024-03-01' })
    assert.match(short.end, /"total":9000\}$/)
    const before = await peakMemory(server.pid)
    const long = await readSlowly(company, server.url, {})
    assert.match(long.end, /"total":21000\}$/)
    assert.ok(long.bytes - short.bytes > 90 * megabyte, `${long.bytes} and ${short.bytes} bytes`)
    const growth = (await peakMemory(server.pid)) - before
    assert.ok(growth < 40 * megabyte, `memory grew by ${Math.round(growth / megabyte)} MiB`)
  } finally {
    await server.stop()
  }
})
