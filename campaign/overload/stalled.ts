// Readers of whole lists that stop reading: they are disconnected after a while, use no memory in the meantime, and do not affect others.

import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { bounds } from '../../server/platform/process/config.ts'
import type { Server } from '../../server/test/harness/app.ts'
import { post } from '../../server/test/harness/concurrent-calls.ts'
import type { Company } from '../../server/test/harness/given.ts'
import { memoryMb } from '../memory.ts'
import type { Service } from '../scratch-service.ts'
import { postBytes } from './shops.ts'

export type Stalled = { readonly grewMb: number; readonly heldSeconds: number; readonly found: readonly string[] }

const maxGrowthMb = 60

export async function stalledReaders(
  { sql }: Service,
  server: Server,
  big: readonly Company[],
  other: Company,
): Promise<Stalled> {
  const found: string[] = []
  /** Lists that the database is still producing: a paused reader does not notice the end of its connection. */
  const streaming = async (): Promise<number> => {
    const active = `select count(*)::int as n from pg_stat_activity
      where datname = current_database() and state = 'active' and query ilike 'copy (%'`
    return (await sql(active))[0].n
  }
  const before = memoryMb(server.pid, 'VmRSS')
  const began = performance.now()
  // One reader for each: a company reads one long list at a time.
  const readers = big.map((company) => stalledReader(server.url, company.key))
  await sleep(1_500)
  if ((await streaming()) !== big.length) found.push('an endless list was over at once: its reader did not stall')
  let highest = before
  for (let n = 0; n < 30; n++) {
    const started = performance.now()
    const reply = await post(server.url, other.key, 'orders/get_list', { limit: 10 })
    if (reply.status !== 200) found.push(`beside a stalled reader a list was answered ${reply.status}`)
    if (performance.now() - started > 2_000) found.push('beside a stalled reader a list took more than 2 s')
    highest = Math.max(highest, memoryMb(server.pid, 'VmRSS'))
    await sleep(100)
  }
  const limitMs = bounds.readerWindowMs + 5_000
  while ((await streaming()) > 0 && performance.now() - began < limitMs) await sleep(250)
  const heldSeconds = (performance.now() - began) / 1_000
  if ((await streaming()) > 0) found.push(`a stalled reader was not given up within ${limitMs} ms`)
  const grewMb = highest - before
  if (grewMb > maxGrowthMb) found.push(`stalled readers took ${Math.round(grewMb)} MB`)
  // Their slots are free again, although they have not disconnected.
  const after = await post(server.url, other.key, 'orders/get_list', {})
  if (after.status !== 200) found.push(`after the stalled readers an endless list was answered ${after.status}`)
  for (const reader of readers) reader.destroy()
  return { grewMb, heldSeconds, found }
}

/** Reads the first bytes and then nothing more. */
function stalledReader(url: string, key: string): Socket {
  const { hostname, port } = new URL(url)
  const socket = connect({ host: hostname, port: Number(port) })
  socket.on('error', () => {})
  socket.once('data', () => socket.pause())
  socket.write(postBytes(key, 'orders/get_list', {}))
  return socket
}
