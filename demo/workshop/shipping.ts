// Fulfilling a sale: packed, shipped completely or in parts, or made to order first. Goods that are not in stock are waited for.

import { addWorkdays } from './calendar.ts'
import { type Floor, planAct } from './floor.ts'
import { worker } from './opening.ts'

export type Goods = { readonly id: number; readonly amount: number }
export type Sale = { readonly id: number; readonly isCompany: boolean; readonly lines: readonly Goods[] }

export class Shipping {
  readonly #floor: Floor

  constructor(floor: Floor) {
    this.#floor = floor
  }

  fulfil(sale: Sale, day: string): void {
    const { dice } = this.#floor
    const packed = addWorkdays(day, dice.whole(1, 2))
    const body = { order_id: sale.id, status: 1 }
    planAct(this.#floor, packed, dice.whole(420, 900), worker, 'orders/update_status', body)
    const pieces = sale.lines.reduce((sum, line) => sum + line.amount, 0)
    this.#tryToShip(sale, addWorkdays(packed, dice.whole(0, 2)), pieces >= 6 && dice.chance(0.35), 0)
  }

  /** The sale has its own production, which is started and finished before the goods can be shipped. */
  async makeToOrder(sale: Sale, day: string): Promise<void> {
    const { books, agenda, shelf, dice } = this.#floor
    const card = await books.ask('orders/get_card', { order_id: sale.id })
    const [production] = card['productions'] as { id: number }[]
    if (production === undefined) return this.fulfil(sale, day)
    const begun = addWorkdays(day, dice.whole(2, 5))
    const done = addWorkdays(begun, dice.whole(2, 4))
    const to = (status: number) => ({ production_id: production.id, status })
    planAct(this.#floor, begun, 415, worker, 'productions/update_status', to(1))
    agenda.plan(done, 890, async (at) => {
      await books.act(worker, at, 'productions/update_status', { ...to(3), date_done: done })
      for (const { id, amount } of sale.lines) shelf.put(id, amount)
    })
    this.#tryToShip(sale, addWorkdays(done, 1), false, 0)
  }

  #tryToShip(sale: Sale, day: string, inParts: boolean, tries: number): void {
    const { books, agenda, shelf } = this.#floor
    agenda.plan(day, 910 + (sale.id % 40), async (at) => {
      const isThere = sale.lines.every(({ id, amount }) => shelf.has(id, amount))
      if (isThere && !inParts) {
        for (const { id, amount } of sale.lines) shelf.take(id, amount)
        const body = { order_id: sale.id, status: 3, date_shipped: day }
        await books.act(worker, at, 'orders/update_status', body)
      } else if (isThere || (sale.isCompany && tries === 1)) await this.#shipHalf(sale, day, at)
      else this.#tryToShip(sale, addWorkdays(day, 2), inParts, tries + 1)
    })
  }

  async #shipHalf(sale: Sale, day: string, at: string): Promise<void> {
    const { books, shelf, dice } = this.#floor
    const first = sale.lines
      .map(({ id, amount }) => ({ id, amount: Math.min(Math.ceil(amount / 2), shelf.whole(id)) }))
      .filter(({ amount }) => amount > 0)
    if (first.length === 0) return this.#tryToShip(sale, addWorkdays(day, 2), false, 2)
    for (const { id, amount } of first) shelf.take(id, amount)
    await books.act(worker, at, 'orders/ship_part', { order_id: sale.id, date: day, lines: first })
    const gone = new Map(first.map(({ id, amount }) => [id, amount]))
    const rest = sale.lines
      .map(({ id, amount }) => ({ id, amount: amount - (gone.get(id) ?? 0) }))
      .filter(({ amount }) => amount > 0)
    if (rest.length > 0) this.#shipRest(sale.id, rest, addWorkdays(day, dice.whole(3, 6)))
  }

  #shipRest(saleId: number, rest: readonly Goods[], day: string): void {
    const { books, agenda, shelf } = this.#floor
    agenda.plan(day, 950, async (at) => {
      if (!rest.every(({ id, amount }) => shelf.has(id, amount))) {
        return this.#shipRest(saleId, rest, addWorkdays(day, 2))
      }
      for (const { id, amount } of rest) shelf.take(id, amount)
      await books.act(worker, at, 'orders/ship_part', { order_id: saleId, date: day, lines: rest })
    })
  }
}
