// One run: both copies of the data, the server, the recordings of it, and alternating slices on both sides.

import { Bare, type BareSlice } from './bare.ts'
import { copyWorld, type Databases, dropDatabases, kontor } from './load.ts'
import { differentPlans } from './plans.ts'
import { databaseUrl } from './postgres.ts'
import { forgetPeak, peakMemory, type Server, startServer, waitForQuiet } from './processes.ts'
import { Recorder } from './recording.ts'
import type { Kind, Scenario } from './scenarios.ts'
import { type Script, scriptOf } from './script.ts'
import { Served, type ServedSlice } from './served.ts'
import { thisSource } from './source.ts'
import { type WholeSlice, wholeList } from './whole-list.ts'
import type { World } from './world.ts'

export type Round<S = ServedSlice, B = BareSlice> = {
  readonly served: S
  readonly bare: B
  /** The lean script, for the scenarios it corresponds to. */
  readonly lean?: B
}
export type Measured = {
  readonly scenario: string
  readonly title: string
  readonly rounds: readonly Round[]
  readonly peakBytes: number
}
export type MeasuredList = Omit<Measured, 'rounds'> & {
  readonly rounds: readonly Round<WholeSlice, BareSlice & { seconds: number }>[]
}

/** Requests per second that are prepared for the first, unmeasured slice. */
export const atMostPerSecond = 8_000
/** After a checkpoint the first change of each page writes the whole page to the log: a slice must not begin before most pages have been changed. */
const warmUps = { writes: 15, reads: 3 }

export const warmUpOf = ({ kinds }: Scenario): number =>
  kinds.some(({ kind }) => kind.movements !== undefined) ? warmUps.writes : warmUps.reads

/** A round in which others used more of the machine than this is repeated, at most as often as there are rounds. */
export const maxForeign = 0.15

const disturbed = ({ served, bare }: Round): number => Math.max(served.foreign, bare.foreign)
const quiet = (rounds: readonly Round[]): Round[] => rounds.filter((round) => disturbed(round) <= maxForeign)
const quietest = (rounds: readonly Round[], count: number): Round[] =>
  rounds.toSorted((a, b) => disturbed(a) - disturbed(b)).slice(0, count)

const percent = (share: number): string => `${Math.round(share * 100)} %`

export class Bench {
  readonly #world: World
  readonly #databases: Databases
  readonly #server: Server
  readonly #recorder: Recorder
  readonly #served: Served
  readonly #bare: Bare
  readonly #say: (line: string) => void
  readonly #scripts = new Map<Kind, Script>()
  /** Until then, rounds wait for other processes on the machine to finish. */
  #patientUntilMs = 0

  private constructor(
    world: World,
    databases: Databases,
    server: Server,
    recorder: Recorder,
    say: (line: string) => void,
  ) {
    this.#world = world
    this.#databases = databases
    this.#server = server
    this.#recorder = recorder
    this.#served = new Served(server, databases.served, databases.companies)
    this.#bare = new Bare(databases.bare, () => recorder.sessionOptions)
    this.#say = say
  }

  static async open(world: World, say: (line: string) => void, node: readonly string[] = []): Promise<Bench> {
    const databases = await copyWorld(world)
    const server = await startServer(databaseUrl(databases.served), { node })
    try {
      const recorder = await Recorder.start(databases)
      return new Bench(world, databases, server, recorder, say)
    } catch (error) {
      await server.stop()
      throw error
    }
  }

  get databases(): Databases {
    return this.#databases
  }

  get recorder(): Recorder {
    return this.#recorder
  }

  /** Stops the server, so that its profile is written. */
  async close(): Promise<void> {
    await this.#server.stop()
    await this.#recorder.stop()
    this.#served.close()
    this.#bare.close()
    await dropDatabases([this.#databases.served, this.#databases.bare])
  }

  waitForQuietUntil(patientUntilMs: number): void {
    this.#patientUntilMs = patientUntilMs
  }

  async #quietMachine(): Promise<void> {
    if (performance.now() < this.#patientUntilMs) await waitForQuiet(maxForeign, this.#patientUntilMs)
  }

  /** The requests left the data consistent. */
  async audit(): Promise<string> {
    return await kontor(thisSource(), this.#databases.served, 'audit')
  }

  async measure(
    scenario: Scenario,
    rounds: number,
    seconds: number,
    warmUpSeconds = warmUpOf(scenario),
  ): Promise<Measured> {
    const scripts = this.#scriptsOf(scenario)
    const warm = await this.#served.slice(scenario, warmUpSeconds, atMostPerSecond)
    await this.#bare.slice(scenario, scripts, warmUpSeconds)
    forgetPeak(this.#server.pid)
    const measured: Round[] = []
    while (measured.length < rounds || (measured.length < 2 * rounds && quiet(measured).length < rounds)) {
      await this.#quietMachine()
      const served = await this.#served.slice(scenario, seconds, Math.ceil(warm.requestsPerSecond * 3))
      const bare = await this.#bare.slice(scenario, scripts, seconds)
      const lean = scenario.isLean ? await this.#bare.lean(this.#world, scenario.bareConnections, seconds) : undefined
      measured.push({ served, bare, ...(lean === undefined ? {} : { lean }) })
      this.#say(
        `${scenario.name} ${measured.length}: ${served.requestsPerSecond.toFixed(0)}/s, server ${served.serverMicros.toFixed(0)} µs, PostgreSQL ${served.postgresMicros.toFixed(0)} µs; bare ${bare.requestsPerSecond.toFixed(0)}/s${lean === undefined ? '' : `, lean ${lean.requestsPerSecond.toFixed(0)}/s`}; others ${percent(served.foreign)} and ${percent(bare.foreign)}`,
      )
    }
    const kept = quietest(measured, rounds)
    return { scenario: scenario.name, title: scenario.title, rounds: kept, peakBytes: peakMemory(this.#server.pid) }
  }

  /** Only the served side, for a profile. */
  async serve(scenario: Scenario, seconds: number): Promise<ServedSlice> {
    await this.#served.slice(scenario, warmUpOf(scenario), atMostPerSecond)
    return await this.#served.slice(scenario, seconds, atMostPerSecond)
  }

  /** Two scenarios in turn, on both sides: the cost of one relative to the other. */
  async compare(
    few: Scenario,
    many: Scenario,
    rounds: number,
    seconds: number,
  ): Promise<{ few: Round; many: Round }[]> {
    const scripts = { few: this.#scriptsOf(few), many: this.#scriptsOf(many) }
    const round = async (scenario: Scenario, of: 'few' | 'many', length: number): Promise<Round> => ({
      served: await this.#served.slice(scenario, length, 4_000),
      bare: await this.#bare.slice(scenario, scripts[of], length),
    })
    await round(few, 'few', 1)
    await round(many, 'many', 1)
    const compared: { few: Round; many: Round }[] = []
    for (let at = 0; at < rounds; at++) {
      await this.#quietMachine()
      compared.push({ few: await round(few, 'few', seconds), many: await round(many, 'many', seconds) })
      const [one, other] = [compared.at(-1)?.few.served, compared.at(-1)?.many.served]
      this.#say(`${few.title}: ${one?.p50Ms.toFixed(2)} ms, ${many.title}: ${other?.p50Ms.toFixed(2)} ms`)
    }
    return compared
  }

  /** On a server that has served nothing else: its memory is part of the measurement. */
  async measureWholeList(companyId: number, title: string, rounds: number): Promise<MeasuredList> {
    const server = await startServer(databaseUrl(this.#databases.served))
    try {
      return await this.#measureWholeList(server, companyId, title, rounds)
    } finally {
      await server.stop()
    }
  }

  async #measureWholeList(server: Server, companyId: number, title: string, rounds: number): Promise<MeasuredList> {
    const company = this.#databases.companies.get(companyId)
    if (company === undefined) throw new Error('no such company')
    const texts = await this.#recorder.recordCopy(companyId)
    const serve = () => wholeList(server, this.#databases.served, company)
    await serve()
    await this.#bare.copy(texts)
    const measured: MeasuredList['rounds'][number][] = []
    for (let round = 0; round < rounds; round++) {
      await this.#quietMachine()
      const served = await serve()
      const bare = await this.#bare.copy(texts)
      measured.push({ served, bare })
      this.#say(
        `all ${round + 1}/${rounds}: ${served.seconds.toFixed(2)} s, bare ${bare.seconds.toFixed(2)} s, ${(bare.seconds / served.seconds).toFixed(2)}`,
      )
    }
    return { scenario: 'all', title, rounds: measured, peakBytes: peakMemory(server.pid) }
  }

  /** Before pgbench has written anything: it writes the recorded data of one sale to all of them, which no server could use. */
  async record(scenarios: readonly Scenario[]): Promise<void> {
    if (scenarios.some(({ isLean }) => isLean)) await this.#bare.prepareLean()
    for (const { kind } of scenarios.flatMap((scenario) => scenario.kinds)) {
      if (this.#scripts.has(kind)) continue
      const script = scriptOf(kind.name, await this.#recorder.record(kind))
      this.#scripts.set(kind, script)
      const different = await differentPlans(this.#databases.bare, this.#recorder.sessionOptions, script)
      if (different.length > 0) throw new Error(`pgbench would do other work than the server: ${different.join('\n')}`)
    }
  }

  #scriptsOf(scenario: Scenario): ReadonlyMap<string, Script> {
    return new Map(
      scenario.kinds.map(({ kind }) => {
        const script = this.#scripts.get(kind)
        if (script === undefined) throw new Error(`${kind.name} was not recorded`)
        return [kind.name, script]
      }),
    )
  }

  get world(): World {
    return this.#world
  }
}
