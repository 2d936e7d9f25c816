// A client that keeps a copy of a company's records and stock levels by following the feed, as docs/guides/integrators.md describes. It is stopped
// at random places; the copy and the numbers it has stored are what remains.

import { methodPath } from '../../server/platform/http/paths.ts'

type Body = Readonly<Record<string, unknown>>
type Event = { readonly type: string; readonly record: string; readonly id: number }

/** Records that the histories change: the section, and the fields of the record's own. Other fields show other records, such as the name of the customer. */
const shown: Readonly<Record<string, { readonly section: string; readonly fields: readonly string[] }>> = {
  order: {
    section: 'orders',
    fields: ['num', 'status', 'payment', 'notes', 'total', 'lines', 'production', 'production_num', 'customer_id'],
  },
  production: { section: 'productions', fields: ['num', 'status', 'notes', 'lines', 'order_id', 'updated_at'] },
  customer: { section: 'customers', fields: ['name', 'phone', 'updated_at'] },
  product: { section: 'products', fields: ['name', 'price', 'updated_at'] },
  unit: { section: 'units', fields: ['name', 'updated_at'] },
  storage: { section: 'storages', fields: ['name', 'default_products', 'default_materials'] },
}
/** Sections without get_entry: their lists are short. */
const listed = ['unit', 'storage']

export class Stopped extends Error {}

export class Copy {
  readonly #url: string
  readonly #key: string
  readonly #random: () => number
  /** What a real client would have on disk. */
  readonly records = new Map<string, string>()
  readonly levels = new Map<string, string>()
  #next = 0
  #nextLevels = 0
  #epoch: unknown
  stops = 0
  pages = 0

  constructor(url: string, key: string, random: () => number) {
    this.#url = url
    this.#key = key
    this.#random = random
  }

  /** Reads on, again after every stop, until a page is the last one and `isOver` was true before it was requested. */
  async follow(isOver: () => boolean): Promise<void> {
    for (;;) {
      try {
        const over = isOver()
        const more = [await this.#readEvents(), await this.#readLevels()].includes(true)
        if (over && !more) return
      } catch (error) {
        if (!(error instanceof Stopped)) throw error
        this.stops++
      }
    }
  }

  async #readEvents(): Promise<boolean> {
    const page = await this.call('events/get_list', { after: this.#next, limit: this.#limit(), epoch: this.#epoch })
    this.pages++
    const events = page['events'] as readonly Event[]
    for (const { record, id, type } of events) {
      this.#mayStop()
      const own = type.endsWith('.deleted') ? undefined : await this.read(record, id)
      this.#mayStop()
      if (own === undefined) this.records.delete(`${record} ${id}`)
      else this.records.set(`${record} ${id}`, own)
    }
    this.#mayStop()
    this.#next = page['next'] as number
    this.#epoch = page['epoch']
    return page['more'] as boolean
  }

  async #readLevels(): Promise<boolean> {
    const page = await this.call('stock/get_changes', {
      after: this.#nextLevels,
      limit: this.#limit(),
      epoch: this.#epoch,
    })
    for (const level of page['stock'] as readonly Body[]) {
      this.#mayStop()
      this.levels.set(...levelOf(level))
    }
    this.#mayStop()
    this.#nextLevels = page['next'] as number
    return page['more'] as boolean
  }

  /** The record's own fields as JSON; `undefined` when there is no such record. */
  async read(record: string, id: number): Promise<string | undefined> {
    const { section, fields } = shown[record] ?? { section: '', fields: [] }
    if (section === '') throw new Error(`an event of ${record}, which nobody changed`)
    const body = listed.includes(record)
      ? ((await this.call(`${section}/get_list`, {}))[section] as Body[]).find((one) => one['id'] === id)
      : ((await this.call(`${section}/get_entry`, { [`${record}_id`]: id }))[record] as Body | undefined)
    return body === undefined ? undefined : JSON.stringify(fields.map((field) => body[field]))
  }

  /** The records and levels of the service, as they would be in a perfect copy. */
  async perfect(): Promise<{ records: Map<string, string>; levels: Map<string, string> }> {
    const records = new Map<string, string>()
    for (const [record, { section }] of Object.entries(shown))
      for (const { id } of (await this.call(`${section}/get_list`, {}))[section] as { id: number }[])
        records.set(`${record} ${id}`, (await this.read(record, id)) ?? 'not found')
    const { stock } = await this.call('stock/get_list', {})
    return { records, levels: new Map((stock as readonly Body[]).map(levelOf)) }
  }

  async call(path: string, body: object): Promise<Body> {
    for (;;) {
      const headers = { authorization: this.#key, 'content-type': 'application/json' }
      const init = { method: 'POST', headers, body: JSON.stringify(body) }
      const response = await fetch(this.#url + methodPath(path), init)
      const answer = (await response.json()) as Body
      if (response.status === 503) continue
      // A record that is not found is 400.
      if (response.status === 200 || (response.status === 400 && path.endsWith('/get_entry'))) return answer
      throw new Error(`${path} ${JSON.stringify(body)} → ${response.status} ${JSON.stringify(answer)}`)
    }
  }

  #limit(): number {
    return 1 + Math.floor(this.#random() * 6)
  }

  #mayStop(): void {
    if (this.#random() < 0.04) throw new Stopped()
  }
}

const levelOf = (level: Body): [string, string] => [
  `${level['id']} at ${level['storage_id']}`,
  JSON.stringify([level['amount'], level['reserved']]),
]
