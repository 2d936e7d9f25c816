// Memory of the service and of its PostgreSQL backends, sampled during an attack, and the queries still running afterwards.

import { setTimeout as sleep } from 'node:timers/promises'
import { memoryMb } from '../memory.ts'
import type { Service } from '../scratch-service.ts'

export type Peak = { readonly serviceMb: number; readonly backendMb: number }

const sampleMs = 100

/** The highest figures while `work` runs. Of a backend only its private memory counts, not the shared buffers. */
export async function peakDuring<T>(
  { servers, sql }: Service,
  work: () => Promise<T>,
): Promise<{ result: T; peak: Peak }> {
  let [serviceMb, backendMb, isOver] = [0, 0, false]
  const sample = async (): Promise<void> => {
    while (!isOver) {
      for (const { pid } of servers) serviceMb = Math.max(serviceMb, memoryMb(pid, 'VmRSS'))
      const backends: { pid: number }[] = await sql(
        `select pid from pg_stat_activity where datname = current_database() and application_name = 'kontor'`,
      )
      for (const { pid } of backends) backendMb = Math.max(backendMb, memoryMb(pid, 'RssAnon'))
      await sleep(sampleMs)
    }
  }
  const sampling = sample()
  try {
    const result = await work()
    return { result, peak: { serviceMb: Math.round(serviceMb), backendMb: Math.round(backendMb) } }
  } finally {
    isOver = true
    await sampling
  }
}

/** Queries that the service's backends are still running some seconds after all clients have disconnected. */
export async function leftRunning({ sql }: Service, withinMs: number): Promise<string[]> {
  const untilMs = performance.now() + withinMs
  for (;;) {
    const rows: { query: string; seconds: number }[] = await sql(
      `select left(query, 100) as query, extract(epoch from now() - query_start)::int as seconds from pg_stat_activity
       where datname = current_database() and application_name = 'kontor' and state = 'active' and query_start < now() - interval '1 second'`,
    )
    if (rows.length === 0) return []
    if (performance.now() > untilMs) return rows.map(({ query, seconds }) => `for ${seconds} s: ${query}`)
    await sleep(100)
  }
}
