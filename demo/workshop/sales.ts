// Sales: who buys what, in the screens or through the API, at which price, when they pay, and how the sale is processed.

import type { Hand } from './books.ts'
import { addDays, addWorkdays } from './calendar.ts'
import { type Floor, idOf, money, planAct } from './floor.ts'
import { manager, marketplace, owner, shop, worker } from './opening.ts'
import type { Customer } from './people.ts'
import { type Product, products } from './products.ts'
import { Shipping } from './shipping.ts'

type Line = { readonly product: Product; readonly id: number; readonly amount: number; readonly total: number }

const sold = products.filter(({ weekly }) => weekly > 0)
const chairs = sold.filter(({ code }) => code.startsWith('amsel'))

export class Sales {
  readonly #floor: Floor
  readonly #shipping: Shipping
  #shopNumber = 10_412
  #marketNumber = 7_730_118
  #number = 2_041
  count = 0

  constructor(floor: Floor) {
    this.#floor = floor
    this.#shipping = new Shipping(floor)
  }

  /** Adds a sale on a day and plans the following steps. */
  async take(day: string, at: string, minute: number): Promise<void> {
    const { books, dice, workshop } = this.#floor
    const isCompany = dice.chance(0.24)
    const customer = dice.weighted(
      workshop.customers.filter((one) => one.isCompany === isCompany),
      ({ weight }) => weight,
    )
    const by = isCompany ? dice.pick([manager, manager, owner]) : dice.weighted([shop, marketplace, manager], usualWay)
    const lines = this.#lines(isCompany, by === marketplace)
    const toOrder = lines.length === 1 && lines[0]?.product.isLarge === true && dice.chance(0.35)
    const { order_id: id } = await books.act(by, at, 'orders/add', {
      ...this.#head(by, customer, day, lines),
      ...(toOrder ? { production: 1 } : {}),
    })
    this.count++
    const sale = { id: Number(id), isCompany, lines }
    this.#pay(sale.id, by, isCompany, day, minute)
    if (dice.chance(0.06)) this.#amend(sale.id, day)
    if (dice.chance(0.035)) this.#cancel(sale.id, day)
    else if (toOrder) await this.#shipping.makeToOrder(sale, day)
    else this.#shipping.fulfil(sale, day)
  }

  /** An integration that sends an unknown SKU: the line is skipped and reported in the notes. */
  async takeIncomplete(day: string, at: string): Promise<void> {
    const customer = this.#floor.workshop.customers.find((one) => !one.isCompany)
    const known = { sku: 'SHF-WAL-90', amount: 2, total: 198 }
    await this.#floor.books.act(shop, at, 'orders/add', {
      num: this.#nextNumber(shop),
      customer_name: customer?.name,
      date_placed: day,
      products: [known, { sku: 'SHF-WAL-120', amount: 1, total: 129 }],
      delivery_price: 9.9,
    })
    this.count++
  }

  /** Added manually and left in the state at the end of `states`: 1 Packed, 2 half of it shipped, 3 Shipped, regardless of stock. */
  async leave(code: string, amount: number, states: readonly number[], day: string, at: string): Promise<void> {
    const { books, workshop } = this.#floor
    const price = products.find((product) => product.code === code)?.price ?? 0
    const id = idOf(this.#floor, code)
    const { order_id: orderId } = await books.act(manager, at, 'orders/add', {
      num: this.#nextNumber(manager),
      customer_id: workshop.customers[this.count % 30]?.id,
      date_placed: day,
      products: [{ id, amount, total: money(amount * price * 0.9) }],
      notes: 'For the trade fair.',
    })
    this.count++
    for (const status of states) {
      if (status === 2) {
        const lines = [{ id, amount: Math.ceil(amount / 2) }]
        await books.act(worker, at, 'orders/ship_part', { order_id: orderId, date: day, lines })
      } else {
        const shipped = status === 3 ? { date_shipped: day } : {}
        await books.act(worker, at, 'orders/update_status', { order_id: orderId, status, ...shipped })
      }
    }
  }

  #head(by: Hand, customer: Customer & { readonly id: number }, day: string, lines: readonly Line[]): object {
    const { dice } = this.#floor
    const sum = lines.reduce((total, line) => total + line.total, 0)
    return {
      num: this.#nextNumber(by),
      ...('userId' in by
        ? { customer_id: customer.id }
        : { customer_name: customer.name, customer_email: customer.email, customer_phone: customer.phone }),
      date_placed: day,
      products: lines.map(({ id, product, amount, total }) =>
        'userId' in by ? { id, amount, total } : { sku: product.sku, amount, total },
      ),
      delivery_price: sum > 1500 ? 0 : sum > 250 ? 79 : 9.9,
      discount: customer.isCompany && sum > 3000 ? money(sum * 0.03) : 0,
      notes: dice.chance(customer.isCompany ? 0.25 : 0.12) ? dice.pick(wishes) : '',
    }
  }

  #nextNumber(by: Hand): string {
    if (by === shop) return String(++this.#shopNumber)
    if (by !== marketplace) return `S-${++this.#number}`
    this.#marketNumber += this.#floor.dice.whole(3, 90)
    return String(this.#marketNumber)
  }

  #lines(isCompany: boolean, isMarket: boolean): Line[] {
    const { dice } = this.#floor
    const chosen = new Map<Product, number>()
    const count = isCompany ? dice.whole(1, 4) : dice.weighted([1, 2, 3], (one) => 4 / one)
    for (let n = 0; n < count; n++) {
      const product = dice.weighted(sold, likely)
      chosen.set(product, this.#amount(product, isCompany))
      if (product.code.startsWith('linde') && dice.chance(0.5)) chosen.set(dice.pick(chairs), dice.pick([4, 4, 6, 8]))
    }
    return [...chosen].map(([product, amount]) => {
      const factor = isCompany && amount >= 6 ? 0.92 : isMarket ? 1.05 : 1
      return { product, id: idOf(this.#floor, product.code), amount, total: money(product.price * factor * amount) }
    })
  }

  #amount({ category, code, price }: Product, isCompany: boolean): number {
    const { dice } = this.#floor
    if (code.startsWith('amsel')) return isCompany ? dice.pick([4, 6, 6, 8, 12, 18]) : dice.pick([2, 4, 4, 6])
    if (category === 'Seating' && price < 300) return isCompany ? dice.whole(3, 8) : dice.whole(1, 4)
    if (category === 'Accessories') return isCompany ? dice.whole(2, 12) : dice.whole(1, 3)
    if (price < 300) return dice.whole(1, isCompany ? 6 : 2)
    return isCompany && dice.chance(0.3) ? dice.whole(2, 4) : 1
  }

  #pay(orderId: number, by: Hand, isCompany: boolean, day: string, minute: number): void {
    const { dice } = this.#floor
    const mark = (on: string, at: number, status: number, who: Hand): void =>
      planAct(this.#floor, on, at, who, 'orders/update_payment', { order_id: orderId, status })
    if ('connectionId' in by) mark(day, minute + dice.whole(1, 4), 2, by)
    else if (dice.chance(0.97)) {
      if (dice.chance(0.3)) mark(addWorkdays(day, 2), 640, 1, manager)
      mark(addWorkdays(day, isCompany ? dice.whole(10, 28) : dice.whole(4, 12)), 645, 2, manager)
    }
  }

  #amend(orderId: number, day: string): void {
    const notes = this.#floor.dice.pick(afterthoughts)
    planAct(this.#floor, day, 1_250, manager, 'orders/edit', { order_id: orderId, notes })
  }

  #cancel(orderId: number, day: string): void {
    const on = addDays(day, this.#floor.dice.whole(1, 3))
    planAct(this.#floor, on, 905, manager, 'orders/update_status', { order_id: orderId, status: 4 })
  }
}

const usualWay = (by: Hand): number => (by === shop ? 6 : by === marketplace ? 2 : 2.2)

/** Relative frequency in sales: products sold in sets sell more pieces than sales. */
function likely({ code, category, weekly, price }: Product): number {
  if (code.startsWith('amsel')) return weekly / 4
  if (category === 'Accessories') return weekly / 2.5
  return price < 300 ? weekly / 1.7 : weekly
}

const wishes = [
  'Call before delivery.',
  'Second floor, no lift.',
  'Please deliver after 4 p.m.',
  'Gift: no invoice in the parcel.',
  'Customer collects.',
  'Same batch as the last order, please.',
]
const afterthoughts = [
  'Customer moved: new address on file.',
  'Deliver together with the next order.',
  'Fragile: two people.',
]
