// Rolling restarts: two servers behind haproxy, configured as in the operators guide, each stopped and restarted in turn at
// 200 requests a second. No request may fail, and every acknowledged sale must be stored.

import { setTimeout as sleep } from 'node:timers/promises'
import { type Server, startServer } from '../../server/test/harness/app.ts'
import { hasProgram } from '../../server/test/harness/postgres-programs.ts'
import type { Campaign, Options, Outcome } from '../campaign.ts'
import { withService } from '../scratch-service.ts'
import { type Loaded, openLoop, percentile } from './open-loop.ts'
import { startProxy } from './proxy.ts'
import { makeShops, type Shop } from './shops.ts'

const perSecond = 200
/** Longer than the interval between two health checks plus the time of one. */
const stopDelayMs = 3_000

async function run(options: Options): Promise<Outcome> {
  if (!hasProgram('haproxy')) return { counts: {}, found: [], skipped: 'there is no haproxy' }
  return await withService({ servers: 1 }, async (service) => {
    const shops = await makeShops(8)
    const env = { DATABASE_URL: service.databaseUrl, STOP_DELAY_MS: String(stopDelayMs), LOG_LEVEL: 'info' }
    const start = (port: number): Promise<Server> => startServer({ ...env, PORT: String(port) })
    const proxy = await startProxy(2)
    const { ports } = proxy
    const servers = await Promise.all(ports.map(start))
    try {
      await proxy.allUp()
      const before = await salesOf(service.sql)
      let isOver = false
      const loaded = openLoop({
        urls: [proxy.url],
        perSecond,
        seconds: 3_600,
        patienceMs: 10_000,
        maxSockets: 400,
        request: requestOf(shops),
        isEnough: () => isOver,
      })
      await sleep(1_000)
      for (let n = 0; n < options.runs; n++) {
        const at = n % ports.length
        await servers[at]?.stop()
        servers[at] = await start(ports[at] as number)
        await proxy.allUp()
        if (n % 5 === 4) options.say(`${n + 1} restarts`)
      }
      await sleep(1_000)
      isOver = true
      const heard = await loaded
      const { answered, failed, found } = failuresOf(heard)
      const acknowledged = heard.tookMs.get('add')?.length ?? 0
      const written = (await salesOf(service.sql)) - before
      if (written !== acknowledged) found.push(`${acknowledged} sales were acknowledged and ${written} are there`)
      return {
        counts: {
          'rolling restarts': options.runs,
          requests: answered,
          'failed requests': failed,
          'sales acknowledged and there': acknowledged,
          'p99, ms': Math.round(percentile([...heard.tookMs.values()].flat(), 99)),
        },
        found,
      }
    } finally {
      await proxy.stop()
      await Promise.all(servers.map((server) => server.stop()))
    }
  })
}

/** Every response that is not 200 is a failure, and so is none. */
export function failuresOf(heard: Loaded): { answered: number; failed: number; found: string[] } {
  const answered = [...heard.byStatus.values()].reduce((sum, one) => sum + one, 0)
  const failed = answered - (heard.byStatus.get(200) ?? 0) + heard.lost + heard.unsent
  const statuses = [...heard.byStatus].map(([status, times]) => `${status}: ${times}`).join(', ')
  const text = `${failed} requests failed: ${statuses}, no answer: ${heard.lost}, not sent: ${heard.unsent}`
  return { answered, failed, found: failed > 0 ? [text] : [] }
}

/** Every fourth adds a sale, the others read or change one. */
export function requestOf(shops: readonly Pick<Shop, 'bytes'>[]) {
  return (number: number) => {
    const shop = shops[number % shops.length] as Pick<Shop, 'bytes'>
    const adds = number % 4 === 0
    const at = adds ? 1 : [0, 3, 5, 9][Math.floor(number / 4) % 4]
    return { bytes: shop.bytes[at as number] as Buffer, of: adds ? 'add' : 'other' }
  }
}

async function salesOf(sql: (text: string) => Promise<{ n: number }[]>): Promise<number> {
  return (await sql('select count(*)::int as n from sales'))[0]?.n ?? 0
}

export const rolling: Campaign = {
  name: 'rolling',
  about:
    'Two servers behind haproxy, restarted in turn under 200 requests a second: no request fails, and every acknowledged sale is stored.',
  short: { runs: 3 },
  long: { runs: 20 },
  run,
}
