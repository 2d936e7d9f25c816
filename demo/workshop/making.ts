// Making products for stock: twice a week short products are planned, started on their day and finished some days later.

import { addDays, addWorkdays, isWorkday } from './calendar.ts'
import { type Floor, idOf, planAct } from './floor.ts'
import { manager, owner, storages, worker } from './opening.ts'
import { products } from './products.ts'
import { levelsAt } from './shelf.ts'

/** A good year: demand is higher than in the table of products, especially for small products. */
const pace = (price: number): number => (price < 400 ? 1.4 : 1.1)

/** Weekly demand for each product and material, by code. */
export function weeklyUse(): Map<string, number> {
  const use = new Map<string, number>()
  const count = (code: string, amount: number): void => {
    use.set(code, (use.get(code) ?? 0) + amount)
    for (const [component, each] of products.find((product) => product.code === code)?.recipe ?? [])
      count(component, each * amount)
  }
  for (const { code, weekly, price } of products) if (weekly > 0) count(code, weekly * pace(price))
  return use
}

const workdayFrom = (day: string): string => (isWorkday(day) ? day : addWorkdays(day, 1))

export class Making {
  readonly #floor: Floor
  readonly #use: ReadonlyMap<string, number>
  readonly #planned = new Map<string, number>()

  constructor(floor: Floor, use: ReadonlyMap<string, number>) {
    this.#floor = floor
    this.#use = use
  }

  /** The initial stock: parts before the products they go into. */
  async fill(day: string, at: string): Promise<void> {
    const isPart = ({ category }: { category: string }): number => (category === 'Parts' ? 0 : 1)
    for (const { code } of products.toSorted((one, other) => isPart(one) - isPart(other))) {
      await this.#floor.books.act(owner, at, 'productions/add', {
        products: [{ id: idOf(this.#floor, code), amount: Math.ceil(this.#weeks(code, 3)) }],
        date_placed: day,
        date_done: day,
        status: 3,
        notes: 'First stock.',
      })
    }
  }

  async plan(day: string): Promise<void> {
    const { books, dice } = this.#floor
    const available = new Map<number, number>()
    for (const level of await levelsAt(books, storages.goods)) available.set(level.id, level.available)
    for (const { code, category } of products) {
      const there = available.get(idOf(this.#floor, code)) ?? 0
      const expected = there + (this.#planned.get(code) ?? 0)
      if (expected >= this.#weeks(code, 2.6)) continue
      const amount = Math.ceil(this.#weeks(code, 3.6) - Math.min(expected, 0))
      this.#make(code, category, amount, workdayFrom(addDays(day, category === 'Parts' ? 1 : dice.whole(2, 8))))
    }
  }

  #make(code: string, category: string, amount: number, begins: string): void {
    const { books, agenda, shelf, dice } = this.#floor
    const id = idOf(this.#floor, code)
    this.#count(code, amount)
    agenda.plan(addDays(begins, category === 'Parts' ? -1 : -2), 640, async (at) => {
      const body = {
        date_placed: at.slice(0, 10),
        date_planned: begins,
        products: [{ id, amount }],
      }
      const { production_id: made } = await books.act(manager, at, 'productions/add', body)
      planAct(this.#floor, begins, 410, worker, 'productions/update_status', { production_id: made, status: 1 })
      const done = addWorkdays(begins, amount > 25 ? 3 : dice.whole(1, 2))
      agenda.plan(done, 895, async (then) => {
        const ends = { production_id: made, status: 3, date_done: done }
        await books.act(worker, then, 'productions/update_status', ends)
        this.#count(code, -amount)
        if (category !== 'Parts') shelf.put(id, amount)
      })
    })
  }

  #count(code: string, amount: number): void {
    this.#planned.set(code, (this.#planned.get(code) ?? 0) + amount)
  }

  #weeks(code: string, weeks: number): number {
    return (this.#use.get(code) ?? 0) * weeks
  }
}
