// haproxy in front of several servers, configured as in the operators guide.

import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../demo/ports.ts'
import { tracked } from '../crash/children.ts'

const checkMs = 250

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
  default-server check inter ${checkMs}ms fall 2 rise 1
${ports.servers.map((port, at) => `  server s${at + 1} 127.0.0.1:${port}`).join('\n')}

frontend stats
  bind 127.0.0.1:${ports.stats}
  stats enable
  stats uri /
`

export type LoadBalancer = {
  readonly url: string
  /** Where the servers have to listen. */
  readonly ports: readonly number[]
  /** Resolves when requests are forwarded to all servers. */
  allUp(): Promise<void>
  stop(): Promise<void>
}

export async function startProxy(servers: number): Promise<LoadBalancer> {
  const own = await freePort()
  const stats = await freePort()
  const ports: number[] = []
  while (ports.length < servers) ports.push(await freePort())
  const folder = mkdtempSync(join(tmpdir(), 'kontor-proxy-'))
  const file = join(folder, 'haproxy.cfg')
  writeFileSync(file, proxyConfig({ own, stats, servers: ports }))
  const child = tracked(spawn('haproxy', ['-db', '-f', file], { stdio: 'ignore' }))
  return {
    url: `http://127.0.0.1:${own}`,
    ports,
    allUp: () => allUp(stats),
    stop: async () => {
      if (child.exitCode === null) {
        const exit = new Promise((resolve) => child.once('exit', resolve))
        child.kill('SIGTERM')
        await exit
      }
      rmSync(folder, { recursive: true })
    },
  }
}

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
  throw new Error('the proxy does not use all servers')
}
