// Processes of a measurement: the server, and the processor time and memory of processes, read from /proc.

import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { withClient } from './postgres.ts'
import { type Source, thisSource } from './source.ts'

const startMs = 60_000

export type Server = {
  readonly url: string
  readonly pid: number
  readonly output: () => string
  /** The URL of a method such as `orders/add`, from the server's OpenAPI document. */
  readonly address: (method: string) => string
  readonly stop: () => Promise<void>
}

export async function startServer(
  databaseUrl: string,
  options: { source?: Source; node?: readonly string[]; env?: Record<string, string> } = {},
): Promise<Server> {
  const child = spawn(process.execPath, [...(options.node ?? []), 'server/cli.ts', 'serve'], {
    cwd: (options.source ?? thisSource()).root,
    env: {
      ...process.env,
      DATABASE_URL: databaseUrl,
      HOST: '127.0.0.1',
      PORT: '0',
      METRICS_PORT: '0',
      LOG_LEVEL: 'info',
      ...options.env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const keep = (chunk: Buffer) => {
    output = (output + chunk.toString()).slice(-200_000)
  }
  child.stdout.on('data', keep)
  child.stderr.on('data', keep)
  try {
    const url = await listening(child, () => output)
    await backfilled(databaseUrl)
    const document = (await (await fetch(`${url}/openapi.json`)).json()) as { paths: Record<string, unknown> }
    const paths = Object.keys(document.paths)
    return {
      url,
      pid: child.pid ?? 0,
      output: () => output,
      address: (method) => {
        const path = paths.find((one) => one.includes(`/${method}`))
        if (path === undefined) throw new Error(`the server has no method ${method}`)
        return path
      },
      stop: () => stopped(child),
    }
  } catch (error) {
    child.kill('SIGKILL')
    throw error
  }
}

/** A starting server looks for rows that a backfill has not seen, which would be measured too. */
async function backfilled(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const { rows } = await client.query(`select to_regclass('backfills') is not null as has_backfills`)
    if (rows[0]?.has_backfills !== true) return
    while ((await client.query('select from backfills where finished_at is null')).rowCount !== 0) await sleep(100)
  } finally {
    await client.end()
  }
}

async function listening(child: ChildProcess, output: () => string): Promise<string> {
  return await new Promise((resolve, reject) => {
    const give = (error: Error) => {
      clearTimeout(timer)
      reject(error)
    }
    const timer = setTimeout(() => give(new Error(`the server did not start:\n${output()}`)), startMs)
    child.once('exit', (code) => give(new Error(`the server ended with ${code}:\n${output()}`)))
    child.stdout?.on('data', () => {
      const line = output()
        .split('\n')
        .find((one) => one.includes('"msg":"listening"'))
      if (line === undefined) return
      clearTimeout(timer)
      resolve(JSON.parse(line).address)
    })
  })
}

async function stopped(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exit = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  await exit
}

/** Constant on Linux. */
const ticksPerSecond = 100

/** Processor time of a process so far, in µs; undefined when it has ended. */
function cpuMicros(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return ((Number(fields[11]) + Number(fields[12])) / ticksPerSecond) * 1_000_000
  } catch {
    return undefined
  }
}

/** The peak memory of a process since `forgetPeak`, in bytes. */
export function peakMemory(pid: number): number {
  const [, kilobytes] = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kilobytes) * 1024
}

export const forgetPeak = (pid: number): void => writeFileSync(`/proc/${pid}/clear_refs`, '5')

/** Total and used processor time of the whole machine so far, in µs. */
function machineMicros(): { all: number; busy: number } {
  const ticks = (readFileSync('/proc/stat', 'utf8').split('\n', 1)[0] ?? '').split(/\s+/).slice(1, 9).map(Number)
  const all = ticks.reduce((sum, value) => sum + value, 0)
  const [, , , idle = 0, waiting = 0] = ticks
  return { all: (all / ticksPerSecond) * 1_000_000, busy: ((all - idle - waiting) / ticksPerSecond) * 1_000_000 }
}

/** Waits for a second in which the machine is hardly used, while the benchmark is idle; true when there was one in time. */
export async function waitForQuiet(most: number, untilMs: number): Promise<boolean> {
  for (;;) {
    const before = machineMicros()
    await sleep(1_000)
    const after = machineMicros()
    if ((after.busy - before.busy) / (after.all - before.all) <= most) return true
    if (performance.now() > untilMs) return false
    await sleep(2_000)
  }
}

export type Used = {
  /** µs of the backends together, and of one process. */
  readonly postgres: number
  readonly of: (pid: number) => number
  /** The share of the machine that everything else used. */
  readonly foreign: number
}

/** Measures processes while something runs: those that existed before, and backends that start and end in the meantime. */
export class CpuWatch {
  readonly #database: string
  readonly #first = new Map<number, number>()
  readonly #last = new Map<number, number>()
  readonly #own: number[]
  #backends: number[] = []
  #timer: NodeJS.Timeout | undefined
  #machine = { all: 0, busy: 0 }

  /** `own` are listed by process id, everything that serves `database` is added up. */
  constructor(database: string, own: readonly number[]) {
    this.#database = database
    this.#own = [...own]
  }

  async start(): Promise<void> {
    await this.#findBackends()
    this.#read()
    this.#machine = machineMicros()
    this.#timer = setInterval(() => this.#read(), 100)
  }

  /** A process that was started in the meantime: all its time counts. */
  add(pid: number): void {
    this.#own.push(pid)
    this.#first.set(pid, 0)
  }

  /** Finds backends that were started in the meantime: all their time counts. */
  async look(): Promise<void> {
    const before = new Set(this.#backends)
    await this.#findBackends()
    for (const pid of this.#backends) if (!before.has(pid)) this.#first.set(pid, 0)
  }

  /** Starts counting; processes not found by now are not counted at all. */
  restart(): void {
    this.#read()
    for (const [pid, used] of this.#last) this.#first.set(pid, used)
    this.#machine = machineMicros()
  }

  stop(): Used {
    clearInterval(this.#timer)
    this.#read()
    const used = (pid: number): number => (this.#last.get(pid) ?? 0) - (this.#first.get(pid) ?? 0)
    const now = machineMicros()
    const ours = [...this.#own, ...this.#backends].reduce((sum, pid) => sum + used(pid), 0)
    return {
      postgres: this.#backends.reduce((sum, pid) => sum + used(pid), 0),
      of: used,
      foreign: Math.max(0, (now.busy - this.#machine.busy - ours) / (now.all - this.#machine.all)),
    }
  }

  async #findBackends(): Promise<void> {
    const rows = await withClient(undefined, async (client) => {
      const found = await client.query('select pid from pg_stat_activity where datname = $1 and backend_type = $2', [
        this.#database,
        'client backend',
      ])
      return found.rows
    })
    this.#backends = [...new Set([...this.#backends, ...rows.map((row) => Number(row.pid))])]
  }

  #read(): void {
    for (const pid of [...this.#own, ...this.#backends]) {
      const used = cpuMicros(pid)
      if (used === undefined) continue
      if (!this.#first.has(pid)) this.#first.set(pid, used)
      this.#last.set(pid, used)
    }
  }
}
