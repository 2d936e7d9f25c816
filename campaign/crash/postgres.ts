// A PostgreSQL cluster of the campaign: created in a folder, started, killed, restarted.

import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { appendFileSync, chownSync, closeSync, openSync, readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { freePort } from '../../demo/ports.ts'
import { postgresProgram, postgresUser } from '../../server/test/harness/postgres-programs.ts'
import { isAlive, killQuietly } from '../../server/test/harness/processes.ts'
import { tracked } from './children.ts'

export type Settings = Readonly<Record<string, string>>

const always: Settings = {
  listen_addresses: "'127.0.0.1'",
  // The default, stated because every guarantee below depends on it when the power fails.
  fsync: 'on',
  synchronous_commit: 'on',
  max_connections: '80',
  shared_buffers: '32MB',
  // So that checkpoints also occur during the runs.
  checkpoint_timeout: '30s',
  log_line_prefix: "'%m [%p] %q%u@%d '",
}

export class Postgres {
  readonly dataFolder: string
  readonly port: number
  readonly logFile: string
  readonly #folder: string
  #process: ChildProcess | undefined

  private constructor(folder: string, dataFolder: string, port: number) {
    this.#folder = folder
    this.dataFolder = dataFolder
    this.port = port
    this.logFile = `${folder}/postgres-${port}.log`
  }

  /** Creates the cluster. `folder` contains the sockets and the log, and is kept whatever happens to the data. */
  static async make(
    folder: string,
    options: { settings?: Settings; dataFolder?: string; initdb?: readonly string[] } = {},
  ): Promise<Postgres> {
    const made = await Postgres.at(folder, options.dataFolder)
    const flags = ['-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', '-N', ...(options.initdb ?? [])]
    execFileSync(postgresProgram('initdb'), ['-D', made.dataFolder, ...flags], {
      ...postgresUser(),
      stdio: 'pipe',
      cwd: folder,
    })
    made.set({ ...always, port: String(made.port), unix_socket_directories: `'${folder}'`, ...options.settings })
    return made
  }

  /** A cluster with existing files: from a backup or another server. */
  static async at(folder: string, dataFolder = `${folder}/data`): Promise<Postgres> {
    return new Postgres(folder, dataFolder, await freePort())
  }

  set(settings: Settings): void {
    const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}\n`)
    appendFileSync(`${this.dataFolder}/postgresql.conf`, lines.join(''))
  }

  url(database = 'kontor'): string {
    return `postgres://postgres@127.0.0.1:${this.port}/${database}`
  }

  get pid(): number {
    return this.#process?.pid ?? 0
  }

  get running(): boolean {
    return this.#process !== undefined && this.#process.exitCode === null && this.#process.signalCode === null
  }

  /** Starts it without waiting for connections. */
  launch(): void {
    const log = openSync(this.logFile, 'a')
    const { uid, gid } = postgresUser()
    if (uid !== undefined && gid !== undefined) chownSync(this.logFile, uid, gid)
    this.#process = tracked(
      spawn(postgresProgram('postgres'), ['-D', this.dataFolder], {
        ...postgresUser(),
        cwd: this.#folder,
        stdio: ['ignore', log, log],
      }),
    )
    closeSync(log)
  }

  /** Resolves when it accepts a connection, with the time. Restarts it whenever it ends, as an init system would. */
  async start(withinMs = 60_000): Promise<number> {
    const giveUpAt = Date.now() + withinMs
    while (Date.now() < giveUpAt) {
      if (!this.running) this.launch()
      if (await this.answers()) return Date.now()
      await sleep(10)
    }
    throw new Error(`PostgreSQL did not start:\n${readFileSync(this.logFile, 'utf8').slice(-2_000)}`)
  }

  async answers(): Promise<boolean> {
    const client = new pg.Client({ connectionString: this.url('postgres'), connectionTimeoutMillis: 2_000 })
    client.on('error', () => {})
    try {
      await client.connect()
      await client.query('select 1')
      return true
    } catch {
      return false
    } finally {
      await client.end().catch(() => {})
    }
  }

  /** As a superuser, on a separate connection. */
  // biome-ignore lint/suspicious/noExplicitAny: rows of every shape
  async query(sql: string, database = 'postgres'): Promise<any[]> {
    const client = new pg.Client({ connectionString: this.url(database) })
    client.on('error', () => {})
    await client.connect()
    try {
      return (await client.query(sql)).rows ?? []
    } finally {
      await client.end().catch(() => {})
    }
  }

  /** Backends and auxiliary processes of the postmaster. */
  children(): number[] {
    try {
      const text = readFileSync(`/proc/${this.pid}/task/${this.pid}/children`, 'utf8')
      return text.trim() === '' ? [] : text.trim().split(' ').map(Number)
    } catch {
      return []
    }
  }

  /** kill -9 of the postmaster; waits until its children have noticed and ended. */
  async killPostmaster(): Promise<void> {
    const children = this.children()
    await this.#ended('SIGKILL')
    await gone(children, 10_000)
  }

  /** kill -9 of all processes at once, as when a machine stops. */
  async killAll(): Promise<void> {
    const children = this.children()
    const ended = this.#ended('SIGKILL')
    for (const pid of children) killQuietly(pid, 'SIGKILL')
    await ended
    await gone(children, 10_000)
  }

  async stop(mode: 'fast' | 'immediate' = 'fast'): Promise<void> {
    const children = this.children()
    await this.#ended(mode === 'fast' ? 'SIGINT' : 'SIGQUIT')
    await gone(children, 30_000)
  }

  async #ended(signal: NodeJS.Signals): Promise<void> {
    const child = this.#process
    if (child === undefined || !this.running) return
    const exit = new Promise((resolve) => child.once('exit', resolve))
    child.kill(signal)
    await exit
  }
}

async function gone(pids: readonly number[], withinMs: number): Promise<void> {
  const giveUpAt = Date.now() + withinMs
  while (pids.some((pid) => isAlive(pid))) {
    if (Date.now() > giveUpAt) throw new Error(`processes ${pids.filter(isAlive).join(', ')} did not end`)
    await sleep(5)
  }
}

export const isEmpty = (folder: string): boolean => readdirSync(folder).length === 0
