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

/** Copies of one sale, each with this many characters of notes. */
async function manySales(company: Company, count: number, notes: number): Promise<void> {
  const order_id = await given.sale(company, {})
  const columns = `num, num_key, status, payment, date_placed, subtotal, delivery_price, discount, total, cost, amount, lines,
    source, products_storage_id, materials_storage_id, customer_id, created_at, updated_at`
  await query(
    company.id,
    `insert into sales (company_id, id, notes, ${columns})
     select company_id, id + copy, repeat('x', $3), ${columns} from sales, generate_series(1, $4::int) as copy
     where company_id = $1 and id = $2`,
    [company.id, order_id, notes, count - 1],
  )
}

/** Reads the list with a pause after the first piece, and keeps nothing of it but its length and its end. */
async function readSlowly(company: Company, url: string): Promise<{ bytes: number; end: string }> {
  const headers = { authorization: company.key }
  const response = await fetch(`${url}/v1/orders/get_list.php`, { method: 'POST', headers, body: '{}' })
  assert.equal(response.status, 200)
  assert.ok(response.body !== null)
  let [bytes, end] = [0, '']
  for await (const piece of response.body) {
    if (bytes === 0) await wait(2000)
    bytes += piece.length
    end = (end + Buffer.from(piece.subarray(-40)).toString()).slice(-40)
  }
  return { bytes, end }
}

rule('orders/get_list.streamed', async () => {
  const [small, large] = [await given.company(), await given.company()]
  await manySales(small, 100, 8000)
  await manySales(large, 20_000, 8000)
  const server = await startServer()
  try {
    await readSlowly(small, server.url)
    const before = await peakMemory(server.pid)
    const { bytes, end } = await readSlowly(large, server.url)
    assert.ok(bytes > 160 * megabyte, `${bytes} bytes`)
    assert.match(end, /"total":20000\}$/)
    const growth = (await peakMemory(server.pid)) - before
    assert.ok(growth < 64 * megabyte, `memory grew by ${Math.round(growth / megabyte)} MiB over ${bytes} bytes`)
  } finally {
    await server.stop()
  }
})
