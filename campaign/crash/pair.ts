// Two PostgreSQL servers with synchronous replication, and a haproxy in front that forwards to whichever is the primary.

import { execFileSync, spawn } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { freePort } from '../../demo/ports.ts'
import { postgresProgram, postgresUser } from '../../server/test/harness/postgres-programs.ts'
import { killQuietly } from '../../server/test/harness/processes.ts'
import { tracked } from './children.ts'
import { Postgres, type Settings } from './postgres.ts'

const replication: Settings = {
  wal_level: 'replica',
  hot_standby: 'on',
  // Acknowledged commits are on two disks; without the other server nothing is acknowledged.
  synchronous_standby_names: "'*'",
  wal_keep_size: '256MB',
}

const silentMs = 400

export class Pair {
  readonly #folder: string
  readonly #undo: AsyncDisposableStack
  readonly #frontendPort: number
  #primary: Postgres
  #standby: Postgres

  private constructor(folder: string, undo: AsyncDisposableStack, frontendPort: number, servers: [Postgres, Postgres]) {
    this.#folder = folder
    this.#undo = undo
    this.#frontendPort = frontendPort
    this.#primary = servers[0]
    this.#standby = servers[1]
  }

  static async open(folder: string): Promise<Pair> {
    await using undo = new AsyncDisposableStack()
    const primary = await Postgres.make(folder, { settings: replication, dataFolder: `${folder}/one` })
    const standby = await Postgres.at(folder, `${folder}/two`)
    undo.defer(() => primary.killAll())
    undo.defer(() => standby.killAll())
    await primary.start()
    const frontendPort = await freePort()
    const healthPorts = [await startHealthServer(primary, undo), await startHealthServer(standby, undo)]
    await startHaproxy(folder, frontendPort, [primary, standby], healthPorts, undo)
    const pair = new Pair(folder, undo.move(), frontendPort, [primary, standby])
    await pair.rejoin()
    return pair
  }

  /** The address for the service. */
  url(): string {
    return `postgres://postgres@127.0.0.1:${this.#frontendPort}/kontor`
  }

  get primary(): Postgres {
    return this.#primary
  }

  /** Makes the other server a copy of the primary. Resolves when every commit waits for it. */
  async rejoin(): Promise<void> {
    const { dataFolder } = this.#standby
    rmSync(dataFolder, { recursive: true, force: true })
    const from = ['-h', '127.0.0.1', '-p', String(this.#primary.port), '-U', 'postgres']
    execFileSync(postgresProgram('pg_basebackup'), [...from, '-D', dataFolder, '-R', '-c', 'fast', '-X', 'stream'], {
      ...postgresUser(),
      stdio: 'pipe',
      cwd: this.#folder,
    })
    this.#standby.set({ port: String(this.#standby.port) })
    await this.#standby.start()
    const inSync = `select from pg_stat_replication where sync_state = 'sync' and state = 'streaming'`
    for (let waited = 0; (await this.#primary.query(inSync)).length === 0; waited++) {
      if (waited > 600) throw new Error('the standby did not catch up')
      await sleep(50)
    }
  }

  /** Kills the primary, with its disk, and promotes the standby. Resolves when it is the primary. */
  async failOver(): Promise<void> {
    const [lost, heir] = [this.#primary, this.#standby]
    // Shortly before, the standby stops receiving, as on a connection that fails before the server does. On one machine it is otherwise as
    // fast as the primary's own disk, and an acknowledgement that did not wait for it would not be detected.
    const senders = (await lost.query('select pid from pg_stat_replication')) as { pid: number }[]
    for (const { pid } of senders) killQuietly(pid, 'SIGSTOP')
    await sleep(silentMs)
    await lost.killAll()
    rmSync(lost.dataFolder, { recursive: true, force: true })
    await heir.query('select pg_promote(true, 30)')
    this.#primary = heir
    this.#standby = lost
  }

  async close(): Promise<void> {
    await this.#undo.disposeAsync()
  }
}

/** The health check with which haproxy finds the primary: it queries the server itself. */
async function startHealthServer(postgres: Postgres, undo: AsyncDisposableStack): Promise<number> {
  let client: pg.Client | undefined
  const isPrimary = async (): Promise<boolean> => {
    try {
      if (client === undefined) {
        const opened = new pg.Client({ connectionString: postgres.url('postgres'), connectionTimeoutMillis: 500 })
        const forget = () => {
          if (client === opened) client = undefined
        }
        opened.on('error', forget).on('end', forget)
        await opened.connect()
        client = opened
      }
      const { rows } = await client.query('select pg_is_in_recovery() as follows')
      return rows[0].follows === false
    } catch {
      return false
    }
  }
  let asked: Promise<boolean> = Promise.resolve(false)
  const health = createServer((_request, response) => {
    asked = asked.then(isPrimary)
    void asked.then((leads) => response.writeHead(leads ? 200 : 503).end())
  })
  await new Promise<void>((resolve) => health.listen(0, '127.0.0.1', resolve))
  undo.defer(async () => {
    health.closeAllConnections()
    health.close()
    await client?.end().catch(() => {})
  })
  return (health.address() as AddressInfo).port
}

async function startHaproxy(
  folder: string,
  frontendPort: number,
  servers: readonly Postgres[],
  healthPorts: readonly number[],
  undo: AsyncDisposableStack,
): Promise<void> {
  const lines = servers.map(
    ({ port }, at) => `  server s${at} 127.0.0.1:${port} check addr 127.0.0.1 port ${healthPorts[at]}`,
  )
  const file = `${folder}/haproxy.cfg`
  writeFileSync(
    file,
    `defaults
  mode tcp
  timeout connect 1s
  timeout client 1h
  timeout server 1h
listen primary
  bind 127.0.0.1:${frontendPort}
  option httpchk
  default-server inter 100ms fall 1 rise 1 on-marked-down shutdown-sessions
${lines.join('\n')}
`,
  )
  const haproxy = tracked(spawn('haproxy', ['-db', '-f', file], { stdio: ['ignore', 'ignore', 'pipe'] }))
  let said = ''
  haproxy.stderr.on('data', (text: Buffer) => {
    said = `${said}${text}`.slice(-2_000)
  })
  undo.defer(() => void haproxy.kill('SIGKILL'))
  await sleep(500)
  if (haproxy.exitCode !== null) throw new Error(`haproxy ended: ${said}`)
}
