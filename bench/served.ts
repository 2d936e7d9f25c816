// The served side: wrk sends requests to the real server over HTTP, as a separate process, with the scenario's number of connections.

import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Company } from './load.ts'
import { CpuWatch, type Server } from './processes.ts'
import type { Kind, Scenario } from './scenarios.ts'
import { drawAll, drawn } from './variables.ts'

export type ServedSlice = {
  readonly requestsPerSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly serverMicros: number
  readonly postgresMicros: number
  readonly driverMicros: number
  /** Responses other than 200: on a busy machine the server occasionally responds that it is busy. */
  readonly refused: number
  readonly foreign: number
}

/** The maximum of refusals that is attributed to chance. */
const maxRefused = 0.01

const driver = fileURLToPath(new URL('drive.lua', import.meta.url))
/** A request that depends on another is sent long after that one's response, with this many others in between. */
const apart = 200

export class Served {
  readonly #server: Server
  readonly #database: string
  readonly #companies: ReadonlyMap<number, Company>
  readonly #folder = mkdtempSync(join(tmpdir(), 'kontor-bench-'))

  constructor(server: Server, database: string, companies: ReadonlyMap<number, Company>) {
    this.#server = server
    this.#database = database
    this.#companies = companies
  }

  close(): void {
    rmSync(this.#folder, { recursive: true })
  }

  /**
   * `expected` requests a second are prepared; more than that would repeat some, which not every kind allows. A slice in which
   * the server refused too many requests, because the machine was busy, is repeated.
   */
  async slice(scenario: Scenario, seconds: number, expected: number): Promise<ServedSlice> {
    for (let attempt = 1; ; attempt++) {
      const slice = await this.#slice(scenario, seconds, expected)
      if (slice.refused <= slice.requestsPerSecond * seconds * maxRefused) return slice
      if (attempt === 3) {
        const output = this.#server.output().slice(-3_000)
        throw new Error(`${scenario.name}: ${slice.refused} requests did not return 200\n${output}`)
      }
    }
  }

  async #slice(scenario: Scenario, seconds: number, expected: number): Promise<ServedSlice> {
    const once = scenario.kinds.some(({ kind }) => kind.once)
    const count = once ? Math.ceil(seconds * expected) : Math.min(Math.ceil(seconds * expected), 20_000)
    const file = join(this.#folder, 'requests')
    writeFileSync(file, this.#requests(scenario, count))
    const watch = new CpuWatch(this.#database, [this.#server.pid])
    await watch.start()
    const child = spawn(
      'wrk',
      [
        ...['--threads', '1', '--connections', String(scenario.connections), '--duration', `${seconds}s`],
        ...['--timeout', '10s', '--script', driver, this.#server.url, '--', file],
      ],
      { stdio: ['ignore', 'pipe', 'pipe'] },
    )
    watch.add(child.pid ?? 0)
    // The server closes connections that were idle during the slices of the other side, and opens new ones now.
    const looks = [200, 700].map((afterMs) => setTimeout(() => void watch.look(), afterMs))
    let output = ''
    child.stdout.on('data', (chunk) => {
      output += chunk
    })
    child.stderr.on('data', (chunk) => {
      output += chunk
    })
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once('error', reject)
      child.once('close', resolve)
    })
    for (const look of looks) clearTimeout(look)
    const used = watch.stop()
    const [, resultText] = /^RESULT (.*)$/m.exec(output) ?? []
    if (code !== 0 || resultText === undefined) throw new Error(`wrk ended with ${code}:\n${output}`)
    const result = JSON.parse(resultText)
    if (result.broken > 0) throw new Error(`${scenario.name}: connections broke: ${resultText}`)
    if (once && result.requests > count)
      throw new Error(`${scenario.name}: requests ran out: ${result.requests} of ${count}`)
    return {
      requestsPerSecond: (result.requests - result.failed) / (result.micros / 1_000_000),
      refused: result.failed,
      p50Ms: result.p50 / 1000,
      p99Ms: result.p99 / 1000,
      serverMicros: used.of(this.#server.pid) / result.requests,
      postgresMicros: used.postgres / result.requests,
      driverMicros: used.of(child.pid ?? 0) / result.requests,
      foreign: used.foreign,
    }
  }

  #requests({ kinds }: Scenario, count: number): string {
    const draw = weighted(kinds)
    const written: string[] = []
    const later = new Map<number, string[]>()
    while (written.length < count) {
      const due = later.get(written.length)?.shift()
      if (due !== undefined) {
        written.push(due)
        continue
      }
      const [first, ...rest] = this.#lines(draw())
      if (first === undefined) throw new Error('a kind without requests')
      for (const [step, line] of rest.entries()) {
        const when = written.length + (step + 1) * apart
        later.set(when, [...(later.get(when) ?? []), line])
      }
      written.push(first)
    }
    return `${written.join('\n')}\n`
  }

  #lines(kind: Kind): string[] {
    const values = drawAll(kind.variables)
    const company = this.#companies.get(drawn(values, 'company'))
    if (company === undefined) throw new Error('no such company')
    return kind
      .asks(values)
      .map(({ method, body }) => `${this.#server.address(method)}\t${company.key}\t${JSON.stringify(body)}`)
  }
}

function weighted(kinds: Scenario['kinds']): () => Kind {
  const total = kinds.reduce((sum, { weight }) => sum + weight, 0)
  return () => {
    let left = Math.random() * total
    for (const { kind, weight } of kinds) {
      left -= weight
      if (left < 0) return kind
    }
    throw new Error('nothing to choose from')
  }
}
