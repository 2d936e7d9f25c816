// Rolling restarts: two servers behind haproxy, configured as in the operators guide, each stopped and restarted in turn at
// 200 requests a second. No request may fail, and every acknowledged sale must be stored.

import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Server, startServer } from '../../server/test/harness/app.ts'
import type { Campaign, Options, Outcome } from '../campaign.ts'
import { withService } from '../scratch-service.ts'
import { openLoop, percentile } from './open-loop.ts'
import { makeShops, type Shop } from './shops.ts'

const perSecond = 200
const checkMs = 250
/** Longer than the interval between two health checks plus the time of one. */
const stopDelayMs = 3_000

/** The same as in docs/guides/operators.md. */
export const proxyConfig = (ports: { own: number; stats: number; servers: readonly number[] }): string => `global
  maxconn 4000

defaults
  mode http
  timeout connect 2s
  timeout client 30s
  timeout server 30s
  timeout check 2s
  option redispatch
  retries 3
  retry-on conn-failure 503

frontend public
  bind 127.0.0.1:${ports.own}
  default_backend kontor

backend kontor
  option httpchk GET /readyz
  default-server check inter ${checkMs}ms fall 1 rise 1
${ports.servers.map((port, at) => `  server s${at + 1} 127.0.0.1:${port}`).join('\n')}

frontend stats
  bind 127.0.0.1:${ports.stats}
  stats enable
  stats uri /
`

async function run(options: Options): Promise<Outcome> {
  try {
    execFileSync('haproxy', ['-v'], { stdio: 'ignore' })
  } catch {
    return { counts: {}, found: [], skipped: 'there is no haproxy' }
  }
  return await withService({ servers: 1 }, async (service) => {
    const shops = await makeShops(8)
    const [own = 0, stats = 0, ...ports] = await freePorts(4)
    const env = { DATABASE_URL: service.databaseUrl, STOP_DELAY_MS: String(stopDelayMs), LOG_LEVEL: 'info' }
    const start = (port: number): Promise<Server> => startServer({ ...env, PORT: String(port) })
    const servers = await Promise.all(ports.map(start))
    const folder = mkdtempSync(join(tmpdir(), 'kontor-rolling-'))
    const file = join(folder, 'haproxy.cfg')
    writeFileSync(file, proxyConfig({ own, stats, servers: ports }))
    const proxy = spawn('haproxy', ['-db', '-f', file], { stdio: 'ignore' })
    try {
      await allUp(stats)
      const before = await salesOf(service.sql)
      let isOver = false
      const loaded = openLoop({
        urls: [`http://127.0.0.1:${own}`],
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
        await allUp(stats)
        if (n % 5 === 4) options.say(`${n + 1} restarts`)
      }
      await sleep(1_000)
      isOver = true
      const heard = await loaded
      const answered = [...heard.byStatus.values()].reduce((sum, one) => sum + one, 0)
      const good = heard.byStatus.get(200) ?? 0
      const failed = answered - good + heard.lost + heard.unsent
      const acknowledged = heard.tookMs.get('add')?.length ?? 0
      const written = (await salesOf(service.sql)) - before
      const found: string[] = []
      if (failed > 0) {
        const statuses = [...heard.byStatus].map(([status, times]) => `${status}: ${times}`).join(', ')
        found.push(`${failed} requests failed: ${statuses}, no answer: ${heard.lost}, not sent: ${heard.unsent}`)
      }
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
      await ended(proxy)
      await Promise.all(servers.map((server) => server.stop()))
      rmSync(folder, { recursive: true })
    }
  })
}

/** Every fourth adds a sale, the others read or change one. */
function requestOf(shops: readonly Shop[]) {
  return (number: number) => {
    const shop = shops[number % shops.length] as Shop
    const adds = number % 4 === 0
    const at = adds ? 1 : [0, 3, 5, 9][Math.floor(number / 4) % 4]
    return { bytes: shop.bytes[at as number] as Buffer, of: adds ? 'add' : 'other' }
  }
}

async function salesOf(sql: (text: string) => Promise<{ n: number }[]>): Promise<number> {
  return (await sql('select count(*)::int as n from sales'))[0]?.n ?? 0
}

async function freePorts(count: number): Promise<number[]> {
  const held = await Promise.all(
    Array.from({ length: count }, async () => {
      const server = createServer()
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      return server
    }),
  )
  const ports = held.map((server) => (server.address() as AddressInfo).port)
  await Promise.all(held.map((server) => new Promise((resolve) => server.close(resolve))))
  return ports
}

/** Until the proxy forwards requests to both again. */
async function allUp(statsPort: number): Promise<void> {
  for (let tries = 0; tries < 600; tries++) {
    const text = await fetch(`http://127.0.0.1:${statsPort}/;csv`).then(
      (response) => response.text(),
      () => '',
    )
    const states = [...text.matchAll(/^kontor,s\d+,.*$/gm)].map(([line]) => line.split(',')[17])
    if (states.length > 0 && states.every((state) => state === 'UP')) return
    await sleep(50)
  }
  throw new Error('the proxy does not use both servers')
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  const exit = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  await exit
}

export const rolling: Campaign = {
  name: 'rolling',
  about:
    'Two servers behind haproxy, restarted in turn under 200 requests a second: no request fails, and every acknowledged sale is stored.',
  short: { runs: 3 },
  long: { runs: 20 },
  run,
}
