// The SQL of a kind of request, written down while the real server serves it: the same request twice, with other values, for two companies.
// What differs between the two is what pgbench has to vary; what does not is kept.

import type { Company, Databases } from './load.ts'
import { withClient } from './postgres.ts'
import { type Server, startServer } from './processes.ts'
import type { Ask, Kind } from './scenarios.ts'
import { drawAll, type Values } from './variables.ts'
import { type Flight, type Tap, tapWire } from './wire.ts'

/** What one variable was in the two recordings. */
export type Mark = {
  readonly name: string
  readonly formula: string
  readonly pair: Pair<string>
  readonly sql?: string
}
export type Pair<T> = readonly [T, T]

/** One request of a kind: its flights in both recordings, and the variables to look for in them. */
export type Recorded = {
  readonly ask: string
  readonly flights: Pair<readonly Flight[]>
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

  /** On the copy that pgbench will work on: whatever is written there, no server reads it afterwards. */
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

  /** The settings that the server's sessions have: known once it has served something. */
  get sessionOptions(): string {
    const options = this.#tap.options()
    if (!options.includes('plan_cache_mode'))
      throw new Error(`no session of the server was seen, only one with ${options}`)
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
      const taken: { flights: readonly Flight[]; clock: Clock }[] = []
      for (const at of [0, 1] as const) {
        const ask = asks[at][turn]
        if (ask === undefined) throw new Error(`${kind.name} asks differently from draw to draw`)
        const clock = await this.#setClock(companies[at].id)
        taken.push({ flights: await this.#flightsOf(companies[at], ask), clock })
      }
      const [one, other] = taken as unknown as Pair<{ flights: readonly Flight[]; clock: Clock }>
      recorded.push({
        ask: asks[0][turn]?.method ?? '',
        flights: [one.flights, other.flights],
        marks: [
          ...kind.variables.map(({ name, formula }) => ({ name, formula, pair: pairOf(drawn, name) })),
          { name: 'key', formula: '', pair: keys, sql: 'sha256(int8send(:company::bigint))' },
          ...clockMarks(one.clock, other.clock, kind.movements ?? 0),
        ],
      })
    }
    return recorded
  }

  /** The list without limit: its COPY and what is sent before it. */
  async recordCopy(companyId: number): Promise<readonly string[]> {
    const company = this.#databases.companies.get(companyId)
    if (company === undefined) throw new Error('no such company')
    await this.#warmUp(company)
    const flights = await this.#flightsOf(company, { method: 'orders/get_list', body: {} })
    const texts = flights.flat().map(({ text }) => text)
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

  /** Numbers that stand out, and that no other recording took. */
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
    // The first request of a key looks up whose it is.
    await this.#ask(company, { method: 'orders/get_entry', body: { order_id: 1 } })
  }

  async #flightsOf(company: Company, ask: Ask): Promise<readonly Flight[]> {
    await this.#tap.flights()
    await this.#ask(company, ask)
    const flights = await this.#tap.flights()
    // The request log and upkeep go by timers, beside the requests.
    return flights.filter((flight) => !flight.some(({ text }) => /\brequest_log\b|\bpg_\w+\b/.test(text)))
  }

  async #ask(company: Company, { method, body }: Ask): Promise<void> {
    const response = await fetch(this.#server.url + this.#server.address(method), {
      method: 'POST',
      headers: { authorization: company.key, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (response.status !== 200)
      throw new Error(`${method} was answered with ${response.status}: ${await response.text()}`)
    // Thrown away as it comes: a million sales are longer than a string can be.
    for await (const _ of response.body ?? []);
  }
}

type Clock = { readonly seq: number; readonly sale: number; readonly customer: number; readonly movement: number }

/** Values of which no two are alike where the ranges allow it, for one and for another company. */
function drawTwice(kind: Kind): Pair<Values> {
  const fixed = new Set(kind.variables.filter(({ formula }) => isFixed(formula)).map(({ name }) => name))
  for (let attempt = 0; attempt < 10_000; attempt++) {
    const [one, other] = [drawAll(kind.variables), drawAll(kind.variables)]
    const differ = kind.variables.every(({ name }) => fixed.has(name) || one[name] !== other[name])
    const distinct = [one, other].every((values) => new Set(Object.values(values)).size === Object.keys(values).length)
    if (differ && distinct) return [one, other]
  }
  throw new Error(`the values of ${kind.name} cannot be told apart`)
}

const isFixed = (formula: string): boolean => {
  const [, from, to] = /^random\((\d+), (\d+)\)$/.exec(formula) ?? []
  return from !== undefined && from === to
}

const pairOf = (drawn: Pair<Values>, name: string): Pair<string> => [String(drawn[0][name]), String(drawn[1][name])]

/** The next ids of the clock. pgbench has a number of its own for each: no two transactions take the same, and they grow. */
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
