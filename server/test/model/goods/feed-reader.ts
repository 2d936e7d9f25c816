// A reader of the feed and of changed levels, as an integration would write it: it reads now and then, and keeps what it has learned.

import assert from 'node:assert/strict'
import type { Company } from '../../harness/given.ts'
import { must } from './company.ts'

const sections: Readonly<Record<string, string>> = {
  order: 'orders',
  purchase: 'purchases',
  production: 'productions',
  writeoff: 'writeoffs',
  transfer: 'transfers',
  audit: 'audits',
  product: 'products',
  material: 'materials',
  resource: 'resources',
  customer: 'customers',
  supplier: 'suppliers',
  storage: 'storages',
}

type LevelRow = { id: number; storage_id: number; amount: number; reserved: number; in_transit: number }

export class FeedReader {
  readonly #call: Company['call']
  #after = 0
  #levelsAfter = 0
  /** By record and id: the number of the last event. */
  readonly #versions = new Map<string, number>()
  readonly #levels = new Map<string, readonly number[]>()

  constructor(call: Company['call']) {
    this.#call = call
  }

  async read(limit: number): Promise<void> {
    for (let more = true; more; ) {
      const answer = await must(this.#call, 'events/get_list', { after: this.#after, limit })
      for (const { seq, type, record, id } of answer.events) {
        assert.ok(seq > this.#after, `event ${seq} comes after ${this.#after}`)
        if (type.endsWith('.deleted')) this.#versions.delete(`${record} ${id}`)
        else this.#versions.set(`${record} ${id}`, seq)
      }
      this.#after = answer.next
      more = answer.more
    }
    for (let more = true; more; ) {
      const answer = await must(this.#call, 'stock/get_changes', { after: this.#levelsAfter, limit })
      for (const row of answer.stock) this.#setLevel(row)
      this.#levelsAfter = answer.next
      more = answer.more
    }
  }

  #setLevel({ id, storage_id, amount, reserved, in_transit }: LevelRow): void {
    const figures = [amount, reserved, in_transit]
    if (figures.some((one) => one !== 0)) this.#levels.set(`${id} ${storage_id}`, figures)
    else this.#levels.delete(`${id} ${storage_id}`)
  }

  /** Reads to the end; what it has learned must then be what the lists show. */
  async compare(): Promise<void> {
    await this.read(50)
    for (const [record, section] of Object.entries(sections)) {
      const rows: readonly { id: number; version: number }[] = (
        await must(this.#call, `${section}/get_list`, { include: ['meta'] })
      )[section]
      const known = [...this.#versions].filter(([key]) => key.startsWith(`${record} `))
      const listed = rows.map(({ id, version }) => [`${record} ${id}`, version])
      // What a company starts with has no event.
      const expected = listed.filter(([, version]) => version !== 0)
      assert.deepEqual(sorted(known), sorted(expected as [string, number][]), `what the feed says of ${section}`)
    }
    const { stock } = await must(this.#call, 'stock/get_list', {})
    const own = new Map(this.#levels)
    this.#levels.clear()
    for (const row of stock) this.#setLevel(row)
    assert.deepEqual(sorted([...own]), sorted([...this.#levels]), 'the levels that the changes add up to')
  }
}

const sorted = <T>(entries: readonly (readonly [string, T])[]) => entries.toSorted(([a], [b]) => (a < b ? -1 : 1))
