// Every client follows the feed from where it stopped, and reads a list that is larger than the memory it has.

import assert from 'node:assert/strict'
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { url } from '../server/test/harness/app.ts'
import { query } from '../server/test/harness/database.ts'
import { type Company, given } from '../server/test/harness/given.ts'
import { loadSales } from '../server/test/harness/many-sales.ts'
import { httpAnswer, unreliableLine } from '../server/test/harness/unreliable-line.ts'
import { until } from '../server/test/harness/until.ts'

const run = promisify(execFile)

/** The program of each client, and the same with less memory than the list of the test has bytes. */
const programs = {
  TypeScript: [
    [process.execPath, 'typescript/reading.ts'],
    [process.execPath, '--max-old-space-size=24', 'typescript/reading.ts'],
  ],
  PHP: [
    ['php', 'php/reading.php'],
    ['php', '-d', 'memory_limit=6M', 'php/reading.php'],
  ],
  Python: [
    ['python3', 'python/reading.py'],
    ['env', 'MEMORY_MIB=12', 'python3', 'python/reading.py'],
  ],
} as const

const envOf = (company: Company, own: Readonly<Record<string, string>>) => ({
  ...process.env,
  PYTHONDONTWRITEBYTECODE: '1',
  KONTOR_URL: url(),
  KONTOR_KEY: company.key,
  LONGEST_PAUSE_SECONDS: '0.05',
  ...own,
})

type Position = { readonly after: number; readonly epoch?: string }
type Line = readonly [type: string, id: number, position: Position]

/** A program that follows the feed until it is stopped. */
class Follower {
  readonly #child: ChildProcess
  #printed = ''

  constructor([program, ...options]: readonly string[], company: Company, position: Position, own = {}) {
    this.#child = spawn(program ?? '', [...options, 'follow'], {
      cwd: import.meta.dirname,
      env: envOf(company, { POSITION: JSON.stringify(position), ...own }),
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    this.#child.stdout?.on('data', (bytes: Buffer) => {
      this.#printed += bytes.toString()
    })
  }

  get lines(): readonly Line[] {
    const whole = this.#printed.slice(0, this.#printed.lastIndexOf('\n') + 1).split('\n')
    return whole.filter((line) => line !== '').map((line) => JSON.parse(line))
  }

  /** Its lines, when there are so many. */
  async waitFor(count: number): Promise<readonly Line[]> {
    await until(() => this.lines.length >= count, { what: () => this.#printed })
    return this.lines
  }

  async ended(): Promise<void> {
    await until(() => this.#child.exitCode !== null || this.#child.signalCode !== null)
  }

  async kill(): Promise<void> {
    this.#child.kill('SIGKILL')
    await this.ended()
  }
}

const unit = async (company: Company, name: string): Promise<number> =>
  (await company.call('units/add', { name })).body.unit_id

for (const [name, [program, withLittleMemory]] of Object.entries(programs)) {
  test(`the ${name} client follows the feed: after it was killed it continues at the position that it stored, and it can be stopped while it waits`, async () => {
    const company = await given.company()
    const last = (await company.call('events/get_list', {})).body.next
    const first = new Follower(program, company, { after: 0 })
    const begun = await first.waitFor(last)
    assert.deepEqual(
      begun.map(([, , { after }]) => after),
      Array.from({ length: last }, (_, at) => at + 1),
    )
    // Nothing happens for a while, so it waits.
    const id = await unit(company, 'box')
    const [type, changed, position] = (await first.waitFor(last + 1)).at(-1) ?? assert.fail('no event arrived')
    assert.deepEqual([type, changed], ['unit.created', id])
    await first.kill()

    await unit(company, 'crate')
    await company.call('units/delete', { unit_id: id })
    // The pauses are a minute long now: it is stopped during one of them.
    const second = new Follower(program, company, position, { LONGEST_PAUSE_SECONDS: '60' })
    await second.ended()
    const [created, deleted, ...rest] = second.lines
    assert.deepEqual(
      [created?.[0], created?.[1], deleted?.[0], deleted?.[1]],
      ['unit.created', id + 1, 'unit.deleted', id],
    )
    assert.deepEqual(rest, ['stopped'])
    assert.equal(deleted?.[2].after, position.after + 2)
  })

  test(`the ${name} client does not follow a feed whose history has ended, and waits for a server that cannot be reached`, async (context) => {
    const company = await given.company()
    const other = new Follower(program, company, { after: 1, epoch: 'another' })
    assert.deepEqual(await other.waitFor(1), [['feed_restarted', 409]])
    const beyond = new Follower(program, company, { after: 1_000 })
    assert.deepEqual(await beyond.waitFor(1), [['feed_restarted', 409]])

    const busy = httpAnswer('503 Service Unavailable', '{"success":false,"error":"Busy"}')
    const line = await unreliableLine(context, url(), ['cut before the answer', { answer: busy }])
    const patient = new Follower(program, company, { after: 0 }, { KONTOR_URL: line.url })
    await patient.waitFor(3)
    // While it waits, the history of the company ends.
    await query(company.id, 'update company_clock set epoch = gen_random_uuid() where company_id = $1', [company.id])
    assert.deepEqual((await patient.waitFor(4)).at(-1), ['feed_restarted', 409])
    await Promise.all([other, beyond, patient].map((one) => one.ended()))
  })

  test(`the ${name} client reads a long list with less memory than it has bytes, and a broken connection is an error`, async (context) => {
    const company = await longCompany()
    const listOf = async ([command, ...options]: readonly string[], own: Readonly<Record<string, string>>) => {
      const done = run(command ?? '', [...options, 'stream'], { cwd: import.meta.dirname, env: envOf(company, own) })
      return JSON.parse((await done).stdout)
    }
    assert.deepEqual(await listOf(withLittleMemory, {}), [sales, sales * 15])
    const line = await unreliableLine(context, url(), ['cut within the answer'])
    assert.deepEqual(await listOf(program, { KONTOR_URL: line.url }), [0, true])
    const withinHeaders = await unreliableLine(context, url(), [{ answer: 'HTTP/1.1 200 OK\r\nX-Request-Id: 1' }])
    assert.deepEqual(await listOf(program, { KONTOR_URL: withinHeaders.url }), [0, true])
  })
}

const sales = 40_000
let loaded: Promise<Company> | undefined
/** With sales of 14 and one line each: 50 MB of JSON. */
const longCompany = (): Promise<Company> => {
  loaded ??= loadSales({ sales, days: 300, lastDay: '2026-01-31' })
  return loaded
}
