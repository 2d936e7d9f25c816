// One service behind a proxy that fails as specified: runs a case and reports every violation.

import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { methodPath } from '../../server/platform/http/paths.ts'
import type { Fault, FaultyLine, Kind } from './faulty-line.ts'
import { answerWithinMs } from './oracle.ts'
import { ask, type Service } from './service.ts'
import type { Company } from './stage.ts'

export const verbs = ['add', 'edit', 'delete', 'update_status', 'update_payment'] as const
/** A list without a limit uses a separate code path. */
export const reads = ['get_entry', 'get_list'] as const
type Verb = (typeof verbs | typeof reads)[number]
export type Case = { readonly verb: Verb; readonly keyed: boolean; readonly fault: Omit<Fault, 'company'> }

/** From the response on: as many concurrent reads as there are connections succeed. */
const poolWithinMs = 1_000
/** A connection that goes silent after its last message looks healthy until it is used and times out. */
const silentPoolWithinMs = 7_000
/** A write of the same company waits longer when PostgreSQL has not yet detected that the client is gone. */
const companyWithinMs: Readonly<Record<Kind, number>> = {
  closed: 1_000,
  reset: 1_000,
  'cut in a message': 1_000,
  delayed: 1_000,
  silent: 12_000,
}
/** Of one service. */
export const connections = 2

/** Timeouts are separate: a single one may be due to the machine. */
export type Played = { found: string[]; late: string[]; struck: boolean; status: number; freeMs: number }
type Answer = { status: number; text: string; request: string; tookMs: number }

/** One service behind its own proxy, with a company to write in and another to check with. */
export class Lane {
  readonly #line: FaultyLine
  readonly #service: Service
  readonly #database: pg.Pool
  readonly company: Company
  readonly #other: Company
  #last = 0

  constructor(line: FaultyLine, service: Service, database: pg.Pool, company: Company, other: Company) {
    this.#line = line
    this.#service = service
    this.#database = database
    this.company = company
    this.#other = other
  }

  /** A body that changes something, whatever the state of the sale. */
  async #bodyOf(verb: Verb): Promise<object> {
    const unique = `n-${++this.#last}`
    const lines = {
      products: [
        { id: 1, amount: 2, total: 20 },
        { id: 2, amount: 1, total: 5 },
      ],
    }
    if (verb === 'add') return { num: unique, customer_name: `Customer ${unique}`, ...lines }
    const { rows } = await this.#database.query(
      'select id::float8 as id, status, payment from sales where company_id = $1 order by id desc limit 1',
      [this.company.id],
    )
    const [sale] = rows
    if (verb === 'get_list') return {}
    if (verb === 'get_entry') return { order_id: sale.id }
    if (verb === 'delete') return { order_id: await this.#addSale(unique) }
    if (verb === 'edit') return { order_id: sale.id, notes: unique, ...lines, delivery_price: this.#last % 50 }
    if (verb === 'update_status') return { order_id: sale.id, status: sale.status === 3 ? 0 : 3 }
    return { order_id: sale.id, status: (sale.payment + 1) % 3 }
  }

  async #addSale(num: string): Promise<number> {
    const sale = { num: `made-${num}`, customer_name: 'Given', products: [{ id: 1, amount: 1, total: 10 }] }
    for (let attempt = 1; ; attempt++) {
      const { status, text } = await ask(this.#service.url, this.company.key, 'orders/add', sale)
      if (status === 200) return JSON.parse(text).order_id
      if (status !== 503 || attempt === 20) throw new Error(`a sale to work on was not created: ${status} ${text}`)
      await sleep(50)
    }
  }

  async prepare(): Promise<void> {
    for (const name of ['One', 'Two'])
      await ask(this.#service.url, this.company.key, 'products/add', { name, sku: name })
    await this.#addSale('first')
    await ask(this.#service.url, this.#other.key, 'orders/get_list', { limit: 1 })
  }

  /** The number of messages of the method in each direction on a new connection. */
  async count(verb: Verb, keyed: boolean) {
    for (let attempt = 1; ; attempt++) {
      const body = await this.#bodyOf(verb)
      await this.#line.drop()
      const watched = this.#line.watch(this.company.id)
      const { status, text } = await this.#send(`orders/${verb}`, body, keyed ? `count-${++this.#last}` : undefined)
      this.#line.unwatch(this.company.id)
      if (status === 200) return watched.passed
      // The service may not have detected yet that its connections were closed.
      if (attempt === 5) throw new Error(`orders/${verb} without a fault: ${status} ${text}`)
    }
  }

  async #send(path: string, body: object, key: string | undefined): Promise<Answer> {
    const began = performance.now()
    try {
      const response = await fetch(this.#service.url + methodPath(path), {
        method: 'POST',
        headers: { Authorization: this.company.key, ...(key === undefined ? {} : { 'Idempotency-Key': key }) },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(30_000),
      })
      const tookMs = performance.now() - began
      // A whole list that cannot continue is aborted: its status was already sent.
      const text = await response.text().catch(() => 'broken off')
      return { status: response.status, text, request: response.headers.get('x-request-id') ?? '', tookMs }
    } catch (error) {
      return { status: 0, text: String(error), request: '', tookMs: performance.now() - began }
    }
  }

  async #eventsSince(seq: number): Promise<{ method: string; request_id: string }[]> {
    const sql = 'select method, request_id from events where company_id = $1 and seq > $2 and action is null'
    return (await this.#database.query(sql, [this.company.id, seq])).rows
  }

  async #seq(): Promise<number> {
    const sql = 'select seq::float8 as seq from company_clock where company_id = $1'
    return (await this.#database.query(sql, [this.company.id])).rows[0].seq
  }

  /** Runs one case and returns its violations. */
  async play({ verb, keyed, fault }: Case): Promise<Played> {
    const body = await this.#bodyOf(verb)
    const seq = await this.#seq()
    await this.#line.drop()
    const key = keyed ? `key-${++this.#last}` : undefined
    const watched = this.#line.watch(this.company.id, { ...fault, company: this.company.id })
    const answer = await this.#send(`orders/${verb}`, body, key)
    this.#line.unwatch(this.company.id)
    const pool = await this.#pool()
    const poolMs = fault.kind === 'silent' && answer.status === 200 ? silentPoolWithinMs : poolWithinMs
    const [found, late]: [string[], string[]] = [[], []]
    // On a busy machine, only the time that the fault adds compared to new connections counts.
    if (pool > poolMs && pool - (await this.#dropped()) > poolMs)
      late.push(`the pool was whole after ${Math.round(pool)} ms`)
    if (answer.tookMs > answerWithinMs) late.push(`answered after ${Math.round(answer.tookMs)} ms`)
    if (![200, 500, 503].includes(answer.status)) found.push(`answered ${answer.status} ${answer.text}`)
    if (fault.kind === 'delayed' && answer.status !== 200) found.push(`late, and answered ${answer.status}`)
    if (verb === 'get_entry' || verb === 'get_list')
      return { found, late, struck: watched.struck, status: answer.status, freeMs: 0 }
    const free = await this.#free(key === undefined ? undefined : { path: `orders/${verb}`, body, key })
    const freeMs = companyWithinMs[fault.kind]
    if (free.tookMs > freeMs && free.tookMs - (await this.#dropped()) > freeMs)
      late.push(`the company could write again after ${Math.round(free.tookMs)} ms`)
    const events = (await this.#eventsSince(seq)).filter(({ method }) => method === `orders/${verb}`)
    const least = answer.status === 200 || keyed ? 1 : 0
    const most = answer.status === 503 && !keyed ? 0 : 1
    if (events.length < least) found.push(`answered ${answer.status}, and is not there`)
    if (events.length > most) found.push(`answered ${answer.status}, and is there ${events.length} times`)
    if (answer.status === 200 && events[0]?.request_id !== answer.request) found.push('there, but as another request')
    return { found, late, struck: watched.struck, status: answer.status, freeMs: free.tookMs }
  }

  /** Until as many concurrent reads as there are connections, and a whole list, succeed. */
  async #pool(): Promise<number> {
    const began = performance.now()
    for (;;) {
      const asked = [...Array<object>(connections).fill({ limit: 1 }), {}].map((body) =>
        ask(this.#service.url, this.#other.key, 'orders/get_list', body),
      )
      const whole = (await Promise.all(asked)).every(({ status }) => status === 200)
      const passed = performance.now() - began
      if (whole || passed > 20_000) return passed
      await sleep(10)
    }
  }

  /** The same with new connections and no fault. */
  async #dropped(): Promise<number> {
    await this.#line.drop()
    return await this.#pool()
  }

  /** Until the company's next write succeeds: the same request with its key, or any other. */
  async #free(again: { path: string; body: object; key: string } | undefined): Promise<{ tookMs: number }> {
    const began = performance.now()
    for (;;) {
      const { path, body, key } = again ?? {
        path: 'customers/add',
        body: { name: `Free ${++this.#last}` },
        key: undefined,
      }
      const { status } = await this.#send(path, body, key)
      const passed = performance.now() - began
      if (status === 200 || passed > 60_000) return { tookMs: passed }
      await sleep(10)
    }
  }

  async close(): Promise<void> {
    await this.#service.stop()
    await this.#line.close()
  }
}
