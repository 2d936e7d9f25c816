// The whole list is streamed: the memory of the server does not grow with it, however slowly the client reads.

import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { startServer } from '../../test/harness/app.ts'
import { type Company, given } from '../../test/harness/given.ts'
import { longSales } from '../../test/harness/long-sales.ts'
import { rule } from '../../test/harness/rule.ts'

const megabyte = 2 ** 20

/** The peak memory of the process, in bytes. */
async function peakMemory(pid: number): Promise<number> {
  const kilobytes = /^VmHWM:\s+(\d+) kB$/m.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1]
  assert.ok(kilobytes !== undefined)
  return Number(kilobytes) * 1024
}

/** Reads a list with a pause after its first chunk, and keeps only its length and its end. */
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
  await longSales(company, 9_000, 12_000)
  const server = await startServer()
  try {
    // After one long list the process has allocated its working memory; a longer list must not need more.
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
