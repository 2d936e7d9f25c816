// Buying materials: short items are ordered from their supplier, received some days later, sometimes in two parts, and paid after that.

import { addDays, addWorkdays } from './calendar.ts'
import { type Floor, idOf, money, planAct } from './floor.ts'
import { type Material, materials, suppliers } from './materials.ts'
import { manager, owner, storages, worker } from './opening.ts'
import { levelsAt } from './shelf.ts'

type Supplier = (typeof suppliers)[number]
type Line = { readonly id: number; readonly amount: number; readonly total: number }

export class Buying {
  readonly #floor: Floor
  /** Weekly consumption of each, by code. */
  readonly #use: ReadonlyMap<string, number>
  readonly #ordered = new Map<string, number>()
  /** No longer ordered: they run low. */
  readonly #forgotten = new Set<string>()

  constructor(floor: Floor, use: ReadonlyMap<string, number>) {
    this.#floor = floor
    this.#use = use
  }

  forget(...codes: readonly string[]): void {
    for (const code of codes) this.#forgotten.add(code)
  }

  /** The initial stock of everything. */
  async fill(day: string, at: string): Promise<void> {
    const { books, workshop } = this.#floor
    for (const { code } of suppliers) {
      const lines = materials.filter(({ supplier }) => supplier === code).map((one) => this.#line(one, 9, day))
      const supplier = { supplier_id: workshop.supplierIds.get(code) }
      const body = { ...supplier, materials: lines, date_placed: day, notes: 'First stock.' }
      const { purchase_id: id } = await books.act(owner, at, 'purchases/add', body)
      await books.act(owner, at, 'purchases/update_status', { purchase_id: id, status: 3, date_received: day })
      await books.act(owner, at, 'purchases/update_payment', { purchase_id: id, status: 2 })
    }
  }

  async plan(day: string): Promise<void> {
    const levels = new Map(
      (await levelsAt(this.#floor.books, storages.materials)).map(({ id, amount }) => [id, amount]),
    )
    const isShort = ({ code }: Material): boolean => {
      const expected = (levels.get(idOf(this.#floor, code)) ?? 0) + (this.#ordered.get(code) ?? 0)
      return !this.#forgotten.has(code) && expected < this.#weeks(code, 7)
    }
    for (const supplier of suppliers) {
      const short = materials.filter((one) => one.supplier === supplier.code && isShort(one))
      if (short.length > 0) this.#order(supplier, short, day)
    }
  }

  /** Added and not yet ordered. */
  async draft(supplier: Supplier['code'], day: string, at: string): Promise<void> {
    const { books, workshop } = this.#floor
    const lines = materials.filter((one) => one.supplier === supplier).map((one) => this.#line(one, 4, day))
    const body = { supplier_id: workshop.supplierIds.get(supplier), date_placed: day, materials: lines }
    await books.act(manager, at, 'purchases/add', { ...body, notes: 'Ask for the price of the leather first.' })
  }

  #order(supplier: Supplier, short: readonly Material[], day: string): void {
    const { books, agenda, workshop, dice } = this.#floor
    const lines = short.map((one) => this.#line(one, 6, day))
    this.#count(short, lines, 1)
    agenda.plan(day, 700 + dice.whole(0, 60), async (at) => {
      const { purchase_id: id } = await books.act(manager, at, 'purchases/add', {
        supplier_id: workshop.supplierIds.get(supplier.code),
        date_placed: day,
        materials: lines,
        delivery_price: dice.pick([0, 0, 24, 38, 65]),
        status: 1,
      })
      // Sometimes the supplier is out of stock, and the order is repeated a week later.
      if (dice.chance(0.03)) {
        this.#count(short, lines, -1)
        return planAct(this.#floor, addDays(day, 1), 500, manager, 'purchases/update_status', {
          purchase_id: id,
          status: 4,
        })
      }
      const arrives = addWorkdays(day, Math.max(2, supplier.days - 2 + dice.whole(-1, 3)))
      agenda.plan(arrives, 430, async (then) => {
        this.#count(short, lines, -1)
        await this.#receive(Number(id), lines, arrives, then)
      })
      const due = addWorkdays(arrives, dice.whole(6, 15))
      planAct(this.#floor, due, 660, manager, 'purchases/update_payment', { purchase_id: id, status: 2 })
    })
  }

  async #receive(id: number, lines: readonly Line[], day: string, at: string): Promise<void> {
    const { books, dice } = this.#floor
    const part = (of: readonly Line[], date: string) => ({
      purchase_id: id,
      date,
      lines: of.map((line) => ({ id: line.id, amount: line.amount })),
    })
    if (lines.length === 1 || dice.chance(0.8)) {
      await books.act(worker, at, 'purchases/update_status', { purchase_id: id, status: 3, date_received: day })
      return
    }
    await books.act(worker, at, 'purchases/receive_part', part(lines.slice(1), day))
    const later = addWorkdays(day, dice.whole(2, 5))
    planAct(this.#floor, later, 430, worker, 'purchases/receive_part', part(lines.slice(0, 1), later))
  }

  #count(short: readonly Material[], lines: readonly Line[], sign: number): void {
    for (const [at, { code }] of short.entries())
      this.#ordered.set(code, (this.#ordered.get(code) ?? 0) + sign * (lines[at]?.amount ?? 0))
  }

  #weeks(code: string, weeks: number): number {
    return (this.#use.get(code) ?? 0) * weeks
  }

  /** The consumption of this many weeks; countable items are ordered in tens. Timber becomes more expensive towards the end of the year. */
  #line({ code, price, unit, supplier }: Material, weeks: number, day: string): Line {
    const wanted = Math.max(1, this.#weeks(code, weeks))
    const isCounted = unit === 'pcs' || unit === 'set'
    const amount = isCounted && wanted > 20 ? Math.ceil(wanted / 10) * 10 : Math.ceil(wanted)
    const season = supplier === 'saw' ? 1 + 0.006 * Number(day.slice(5, 7)) : 1
    return {
      id: idOf(this.#floor, code),
      amount,
      total: money(amount * price * season * this.#floor.dice.between(0.96, 1.04)),
    }
  }
}
