// The workshop's history, day by day until today. Tasks planned for later stay open: they are the open work in the screens.

import type { Dice } from '../random.ts'
import type { Books } from './books.ts'
import { Buying } from './buying.ts'
import { Agenda, addDays, isWorkday, trade, weekdayOf } from './calendar.ts'
import type { Floor } from './floor.ts'
import { Making, weeklyUse } from './making.ts'
import { marketplace, openWorkshop, type Person, shop, storages } from './opening.ts'
import { Sales } from './sales.ts'
import { Shelf } from './shelf.ts'
import { count, exhibit, writeOff } from './upkeep.ts'

const salesPerDay = 4.15

export type Past = {
  readonly today: string
  /** Nothing happens later. */
  readonly now: string
  readonly days: number
  /** Called with the progress, from 0 to 1. */
  readonly tell: (share: number) => void
}
export type Lived = { readonly apiKey: string; readonly sales: number }

export async function live(books: Books, dice: Dice, staff: readonly Person[], past: Past): Promise<Lived> {
  const first = addDays(past.today, -past.days)
  const opened = `${first}T04:30:00.000Z`
  const use = weeklyUse()
  const workshop = await openWorkshop(books, opened, staff, use, dice)
  const floor: Floor = { books, agenda: new Agenda(past.now), shelf: new Shelf(), workshop, dice }
  const [sales, buying, making] = [new Sales(floor), new Buying(floor, use), new Making(floor, use)]
  await buying.fill(first, opened)
  await making.fill(first, opened)
  for (let n = 0; n <= past.days; n++) {
    const day = addDays(first, n)
    await floor.shelf.look(books)
    const weekday = weekdayOf(day)
    if (weekday === 0 || weekday === 3) await making.plan(day)
    if (weekday === 1) await buying.plan(day)
    for (let left = dice.poisson(salesPerDay * trade(day)); left > 0; left--)
      floor.agenda.plan(day, hourOf(dice, day), (at, minute) => sales.take(day, at, minute))
    planRoutine(floor, day, n)
    planLastDays(floor, sales, buying, day, past.days - n)
    await floor.agenda.live(day)
    past.tell(n / past.days)
  }
  return { apiKey: workshop.apiKey, sales: sales.count }
}

/** People also order in the evening; the web shop never closes. */
const hourOf = (dice: Dice, day: string): number => (isWorkday(day) ? dice.whole(400, 1_180) : dice.whole(520, 1_240))

function planRoutine(floor: Floor, day: string, n: number): void {
  const { agenda, dice } = floor
  if (isWorkday(day) && dice.chance(0.09)) agenda.plan(day, 720, (at) => writeOff(floor, day, at))
  if (n % 30 === 12) agenda.plan(day, 560, (at) => exhibit(floor, day, at, 3))
  if (n % 91 === 60) agenda.plan(day, 1_000, (at) => count(floor, storages.goods, day, at, true))
  if (n % 91 === 75) agenda.plan(day, 1_000, (at) => count(floor, storages.materials, day, at, true))
  if (dice.chance(0.25)) agenda.plan(day, dice.whole(480, 1_200), (at) => err(floor, at))
}

/** What a user of the demo should find, however short the history: something that runs low, something below zero, something in progress. */
function planLastDays(floor: Floor, sales: Sales, buying: Buying, day: string, left: number): void {
  const { agenda } = floor
  if (left === 26) buying.forget('leather', 'walnut', 'brass', 'whiteoil')
  if (left === 6) agenda.plan(day, 1_000, (at) => count(floor, storages.goods, day, at, true))
  if (left === 5) agenda.plan(day, 700, (at) => exhibit(floor, day, at, 3))
  if (left === 4) agenda.plan(day, 710, (at) => sales.leave('spatz', 8, [1, 2], day, at))
  if (left === 3) agenda.plan(day, 720, (at) => writeOff(floor, day, at))
  // Shipped without a check of the stock.
  if (left === 2) agenda.plan(day, 1_020, (at) => sales.leave('tray', 36, [3], day, at))
  if (left !== 1) return
  agenda.plan(day, 790, (at) => count(floor, storages.showroom, day, at, false))
  agenda.plan(day, 800, (at) => exhibit(floor, day, at, 1))
  agenda.plan(day, 850, (at) => sales.leave('hooks', 4, [1], day, at))
  agenda.plan(day, 860, (at) => sales.takeIncomplete(day, at))
  agenda.plan(day, 870, (at) => buying.draft('cloth', day, at))
}

/** Mistakes of integrations; only the request log contains them. */
async function err({ books, dice }: Floor, at: string): Promise<void> {
  const chair = { sku: 'CHR-AMS-OAK', amount: 2, total: 570 }
  const [path, body] = dice.pick<readonly [string, object]>([
    ['orders/add', { num: '99812', customer_name: 'Nora Graf', products: [{ ...chair, sku: 'TBL-LIN-240' }] }],
    ['orders/add', { num: '99813', products: [chair] }],
    ['orders/update_status', { order_id: 999_999, status: 3 }],
    ['orders/update_status', { order_id: 12, status: 2 }],
    ['products/add', { name: 'Chair Amsel', sku: chair.sku }],
  ])
  await books.mistake(dice.pick([shop, marketplace]), at, path, body)
}
