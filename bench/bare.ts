// The bare side: pgbench with the recorded statements or with the lean script, or psql with the recorded COPY, on a separate copy of the database.

import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { libpqEnvironment, withClient } from './postgres.ts'
import { CpuWatch } from './processes.ts'
import type { Scenario } from './scenarios.ts'
import type { Script } from './script.ts'
import { firstSpread, type World } from './world.ts'

export type BareSlice = {
  readonly requestsPerSecond: number
  readonly postgresMicros: number
  readonly driverMicros: number
  /** The share of the machine that was used by other processes. */
  readonly foreign: number
}

/** The default number of connections of a server process. */
const defaultConnections = 8

/** At the start of a slice new connections fill their caches and prepare their statements, which the server did long before. */
const leadSeconds = 1

export class Bare {
  readonly #database: string
  readonly #options: () => string
  readonly #folder = mkdtempSync(join(tmpdir(), 'kontor-bench-'))

  constructor(database: string, options: () => string) {
    this.#database = database
    this.#options = options
  }

  close(): void {
    rmSync(this.#folder, { recursive: true })
  }

  /** The scripts of all kinds of a scenario, each repeated by its weight. */
  async slice(scenario: Scenario, scripts: ReadonlyMap<string, Script>, seconds: number): Promise<BareSlice> {
    const files: string[] = []
    const constants: Record<string, string> = {}
    for (const { kind, weight } of scenario.kinds) {
      const script = scripts.get(kind.name)
      if (script === undefined) throw new Error(`${kind.name} was not recorded`)
      const path = join(this.#folder, `${scenario.name}-${kind.name}.sql`)
      writeFileSync(path, script.text)
      files.push('--file', `${path}@${weight}`)
      Object.assign(constants, script.constants)
    }
    const connections = scenario.bareConnections ?? defaultConnections
    return await this.#pgbench(files, constants, connections, seconds, asksPerTransaction(scenario))
  }

  /** Creates the tables of the lean script. */
  async prepareLean(): Promise<void> {
    const sql = readFileSync(new URL('lean.sql', import.meta.url), 'utf8')
    await withClient(this.#database, async (client) => {
      await client.query(sql)
      await client.query('vacuum (analyze)')
    })
  }

  /** The lean script: the same in every version of the server. */
  async lean(world: World, connections: number | undefined, seconds: number): Promise<BareSlice> {
    const constants = {
      first_company: String(firstSpread),
      last_company: String(firstSpread + world.spread - 1),
      width: String(Math.floor(world.products / 3)),
      customers: String(world.customers),
    }
    const file = fileURLToPath(new URL('lean.pgbench', import.meta.url))
    return await this.#pgbench(['--file', file], constants, connections ?? defaultConnections, seconds, 1)
  }

  async #pgbench(
    files: readonly string[],
    constants: Readonly<Record<string, string>>,
    connections: number,
    seconds: number,
    perTransaction: number,
  ): Promise<BareSlice> {
    const args = [
      ...['--client', String(connections), '--jobs', '1', '--time', String(leadSeconds + seconds)],
      ...['--progress', String(leadSeconds), '--no-vacuum', '--protocol', 'prepared'],
      ...files,
      // Ids of this slice: unique, and larger than those of earlier slices.
      ...Object.entries({ ...constants, base: String(Date.now() * 100), turn: '0' }).flatMap(([name, value]) => [
        '--define',
        `${name}=${value}`,
      ]),
    ]
    const { output, watched } = await this.#run('pgbench', args, (output) => output.includes('progress:'))
    const figure = (pattern: RegExp): number => Number(pattern.exec(output)?.[1] ?? Number.NaN)
    const all = { done: figure(/actually processed: (\d+)/), rate: figure(/^tps = ([\d.]+)/m) }
    const lead = { seconds: figure(/progress: ([\d.]+) s/), rate: figure(/progress: [\d.]+ s, ([\d.]+) tps/) }
    const done = all.done - lead.seconds * lead.rate
    const rate = done / (all.done / all.rate - lead.seconds)
    if (!(rate > 0) || figure(/failed transactions: (\d+)/) > 0 || /abort/.test(output)) {
      throw new Error(`pgbench failed:\n${output}`)
    }
    return {
      requestsPerSecond: rate * perTransaction,
      postgresMicros: watched.postgres / (done * perTransaction),
      driverMicros: watched.driver / (done * perTransaction),
      foreign: watched.foreign,
    }
  }

  /** The recorded COPY, read to its end and discarded. */
  async copy(texts: readonly string[]): Promise<BareSlice & { readonly seconds: number }> {
    const startedMs = performance.now()
    const path = join(this.#folder, 'copy.sql')
    writeFileSync(path, `${texts.map((text) => text.trim()).join(';\n')};\ncommit;\n`)
    const out = ['--quiet', '--no-psqlrc', '--set', 'ON_ERROR_STOP=1', '--output', '/dev/null', '--file', path]
    const { watched } = await this.#run('psql', out, () => false)
    const seconds = (performance.now() - startedMs) / 1000
    return {
      seconds,
      requestsPerSecond: 1 / seconds,
      postgresMicros: watched.postgres,
      driverMicros: watched.driver,
      foreign: watched.foreign,
    }
  }

  /**
   * Runs a PostgreSQL program. Its backends are searched for when it has had time to open them, and again for late ones; time used
   * before `begins` finds its marker in the output is not counted.
   */
  async #run(program: string, args: readonly string[], begins: (output: string) => boolean) {
    const watch = new CpuWatch(this.#database, [])
    await watch.start()
    const child = spawn(program, [...args], {
      env: libpqEnvironment(this.#database, this.#options()),
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    watch.add(child.pid ?? 0)
    let output = ''
    let begun = false
    const read = (chunk: Buffer) => {
      output += chunk
      if (begun || !begins(output)) return
      begun = true
      watch.restart()
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    let looking: Promise<void> = Promise.resolve()
    const looks = [150, 600].map((afterMs) =>
      setTimeout(() => {
        looking = looking.then(() => watch.look())
      }, afterMs),
    )
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once('error', reject)
      child.once('close', resolve)
    })
    for (const look of looks) clearTimeout(look)
    await looking
    const used = watch.stop()
    if (code !== 0) throw new Error(`${program} ended with ${code}:\n${output}`)
    return { output, watched: { postgres: used.postgres, driver: used.of(child.pid ?? 0), foreign: used.foreign } }
  }
}

/** Some kinds consist of several requests. */
export function asksPerTransaction({ kinds }: Scenario): number {
  const asked = kinds.reduce((sum, { kind, weight }) => sum + weight * kind.asks(anyValues(kind.variables)).length, 0)
  return asked / kinds.reduce((sum, { weight }) => sum + weight, 0)
}

const anyValues = (variables: readonly { name: string }[]): Record<string, number> =>
  Object.fromEntries(variables.map(({ name }) => [name, 1]))
