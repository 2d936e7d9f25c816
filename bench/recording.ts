// The SQL of a kind of request, recorded while the real server serves it: the same request twice, with different values, for two companies.
// Differences between the two become variables of pgbench; everything else is kept.

import type { Company, Databases } from './load.ts'
import { withClient } from './postgres.ts'
import { type Server, startServer } from './processes.ts'
import type { Ask, Kind } from './scenarios.ts'
import { drawAll, type Values } from './variables.ts'
import { type RoundTrip, type Tap, tapWire } from './wire.ts'

/** The values of one variable in the two recordings. */
export type Mark = {
  readonly name: string
  readonly formula: string
  readonly pair: Pair<string>
  readonly sql?: string
}
export type Pair<T> = readonly [T, T]

/** One request of a kind: its round trips in both recordings, and the variables to find in them. */
export type Recorded = {
  readonly ask: string
  readonly roundTrips: Pair<readonly RoundTrip[]>
  readonly marks: readonly Mark[]
}

export class Recorder {
  readonly #databases: Databases
  readonly #tap: Tap
  readonly #server: Server
  #clockBase = 70_000_000_000

  private constructor(databases: Databases, tap: Tap, server: Server) {
    this.#databases = databases
    this.#tap = tap
    this.#server = server
  }

  /** On the copy that pgbench will use: no server reads what is written there. */
  static async start(databases: Databases): Promise<Recorder> {
    const tap = await tapWire(databases.bare)
    try {
      return new Recorder(databases, tap, await startServer(tap.url, { env: { DATABASE_CONNECTIONS: '2' } }))
    } catch (error) {
      await tap.close()
      throw error
    }
  }

  async stop(): Promise<void> {
    await this.#server.stop()
    await this.#tap.close()
  }

  /** The settings of the server's sessions: known once it has served a request. */
  get sessionOptions(): string {
    const options = this.#tap.options()
    if (!options.includes('plan_cache_mode'))
      throw new Error(`no session of the server was recorded, only one with ${options}`)
    return options
  }

  async record(kind: Kind): Promise<Recorded[]> {
    const drawn = drawTwice(kind)
    const companies = drawn.map((values) => this.#company(values)) as unknown as Pair<Company>
    const keys = (await Promise.all(companies.map((company) => this.#keyHash(company)))) as unknown as Pair<string>
    const asks = drawn.map((values) => kind.asks(values)) as unknown as Pair<readonly Ask[]>
    for (const at of [0, 1] as const) await this.#warmUp(companies[at])
    const recorded: Recorded[] = []
    for (const turn of asks[0].keys()) {
      const taken: { roundTrips: readonly RoundTrip[]; clock: Clock }[] = []
      for (const at of [0, 1] as const) {
        const ask = asks[at][turn]
        if (ask === undefined) throw new Error(`${kind.name} sends different requests from draw to draw`)
        const clock = await this.#setClock(companies[at].id)
        taken.push({ roundTrips: await this.#roundTripsOf(companies[at], ask), clock })
      }
      const [one, other] = taken as unknown as Pair<{ roundTrips: readonly RoundTrip[]; clock: Clock }>
      recorded.push({
        ask: asks[0][turn]?.method ?? '',
        roundTrips: [one.roundTrips, other.roundTrips],
        marks: [
          ...kind.variables.map(({ name, formula }) => ({ name, formula, pair: pairOf(drawn, name) })),
          { name: 'key', formula: '', pair: keys, sql: 'sha256(int8send(:company::bigint))' },
          ...clockMarks(one.clock, other.clock, kind.movements ?? 0),
        ],
      })
    }
    return recorded
  }

  /** The list without limit: its COPY and the statements before it. */
  async recordCopy(companyId: number): Promise<readonly string[]> {
    const company = this.#databases.companies.get(companyId)
    if (company === undefined) throw new Error('no such company')
    await this.#warmUp(company)
    const roundTrips = await this.#roundTripsOf(company, { method: 'orders/get_list', body: {} })
    const texts = roundTrips.flat().map(({ text }) => text)
    const copy = texts.findIndex((text) => text.startsWith('copy '))
    if (copy < 1) throw new Error(`the whole list was not copied: ${texts.join(' | ')}`)
    return texts.slice(copy - 1, copy + 1)
  }

  #company(values: Values): Company {
    const company = this.#databases.companies.get(Number(values['company']))
    if (company === undefined) throw new Error('no such company')
    return company
  }

  async #keyHash({ id }: Company): Promise<string> {
    return await withClient(this.#databases.bare, async (client) => {
      const { rows } = await client.query(
        `select '\\x' || encode(key_hash, 'hex') as hash from api_keys where company_id = $1 and hint <> 'bench'`,
        [id],
      )
      return rows[0].hash
    })
  }

  /** Conspicuous numbers that no other recording used. */
  async #setClock(companyId: number): Promise<Clock> {
    this.#clockBase += 1_000_000
    const clock = {
      seq: this.#clockBase,
      sale: this.#clockBase + 100_000,
      customer: this.#clockBase + 200_000,
      movement: this.#clockBase + 300_000,
    }
    await withClient(this.#databases.bare, (client) =>
      client.query(
        `update company_clock set seq = $2, last_sale_id = $3, last_customer_id = $4, last_movement_id = $5 where company_id = $1`,
        [companyId, clock.seq, clock.sale, clock.customer, clock.movement],
      ),
    )
    return clock
  }

  async #warmUp(company: Company): Promise<void> {
    // The first request with a key looks up its company.
    await this.#ask(company, { method: 'orders/get_entry', body: { order_id: 1 } })
  }

  async #roundTripsOf(company: Company, ask: Ask): Promise<readonly RoundTrip[]> {
    await this.#tap.roundTrips()
    await this.#ask(company, ask)
    const roundTrips = await this.#tap.roundTrips()
    // The request log and upkeep run on timers, off the request path.
    return roundTrips.filter((roundTrip) => !roundTrip.some(({ text }) => /\brequest_log\b|\bpg_\w+\b/.test(text)))
  }

  async #ask(company: Company, { method, body }: Ask): Promise<void> {
    const response = await fetch(this.#server.url + this.#server.address(method), {
      method: 'POST',
      headers: { authorization: company.key, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (response.status !== 200) throw new Error(`${method} returned ${response.status}: ${await response.text()}`)
    // Discarded as it arrives: a million sales exceed the maximum length of a string.
    for await (const _ of response.body ?? []);
  }
}

type Clock = { readonly seq: number; readonly sale: number; readonly customer: number; readonly movement: number }

/** Values that are all different where the ranges allow it, for one and for another company. */
function drawTwice(kind: Kind): Pair<Values> {
  const fixed = new Set(kind.variables.filter(({ formula }) => isFixed(formula)).map(({ name }) => name))
  for (let attempt = 0; attempt < 10_000; attempt++) {
    const [one, other] = [drawAll(kind.variables), drawAll(kind.variables)]
    const differ = kind.variables.every(({ name }) => fixed.has(name) || one[name] !== other[name])
    const distinct = [one, other].every((values) => new Set(Object.values(values)).size === Object.keys(values).length)
    if (differ && distinct) return [one, other]
  }
  throw new Error(`the values of ${kind.name} cannot be distinguished`)
}

const isFixed = (formula: string): boolean => {
  const [, from, to] = /^random\((\d+), (\d+)\)$/.exec(formula) ?? []
  return from !== undefined && from === to
}

const pairOf = (drawn: Pair<Values>, name: string): Pair<string> => [String(drawn[0][name]), String(drawn[1][name])]

/** The next ids of the clock. pgbench has a counter for each: no two transactions use the same, and they increase. */
function clockMarks(one: Clock, other: Clock, movements: number): Mark[] {
  const mark = (name: string, formula: string, counter: keyof Clock, step: number): Mark => ({
    name,
    formula,
    pair: [String(one[counter] + step), String(other[counter] + step)],
  })
  return [
    mark('seq', ':fresh', 'seq', 1),
    mark('new_sale', ':fresh', 'sale', 1),
    mark('last_sale', ':fresh', 'sale', 0),
    mark('new_customer', ':fresh', 'customer', 1),
    mark('last_customer', ':fresh', 'customer', 0),
    mark('last_movement', ':fresh * 64', 'movement', 0),
    ...Array.from({ length: movements }, (_, at) =>
      mark(`movement_${at + 1}`, `:fresh * 64 + ${at + 1}`, 'movement', at + 1),
    ),
  ]
}
