// Other changes of stock: breakage, transfers to the showroom and back, and occasional stocktakes.

import { type Floor, idOf } from './floor.ts'
import { manager, storages, worker } from './opening.ts'
import { products } from './products.ts'
import { levelsAt } from './shelf.ts'

const mishaps = [
  ['amsel', 1, 'Cracked back leg.'],
  ['glass', 0.4, 'Pane broken while unloading.'],
  ['oak', 1.2, 'Knots and cracks: firewood.'],
  ['leather', 0.8, 'Flaw in the hide.'],
  ['spatz', 1, 'Sample for the trade fair.'],
  ['lacquer', 2, 'Past its date.'],
  ['cartonl', 12, 'Water damage.'],
] as const

export async function writeOff(floor: Floor, day: string, at: string): Promise<void> {
  const [what, amount, notes] = floor.dice.pick(mishaps)
  const kind = products.some(({ code }) => code === what) ? 'products' : 'materials'
  const body = { date: day, [kind]: [{ id: idOf(floor, what), amount }], notes }
  await floor.books.act(worker, at, 'writeoffs/add', body)
}

/** Pieces for the showroom, in transit (1) or received (3); the previous pieces are returned. */
export async function exhibit(floor: Floor, day: string, at: string, status: 1 | 3): Promise<void> {
  const { books, shelf, dice } = floor
  const move = async (from: number, to: number, lines: readonly object[], notes: string, as: number): Promise<void> => {
    if (lines.length === 0) return
    const body = { storage_from_id: from, storage_to_id: to, date: day, products: lines, notes, status: as }
    await books.act(worker, at, 'transfers/add', body)
  }
  const shown = (await levelsAt(books, storages.showroom)).filter(({ amount }) => amount >= 1)
  const back = shown.slice(0, 4).map(({ id }) => ({ id, amount: 1 }))
  await move(storages.showroom, storages.goods, back, 'Back from the showroom.', 3)
  const candidates = products.filter(({ code, price }) => price > 150 && shelf.has(idOf(floor, code), 3))
  if (candidates.length === 0) return
  const chosen = new Set(Array.from({ length: 5 }, () => dice.pick(candidates).code))
  const lines = [...chosen].map((code) => ({ id: idOf(floor, code), amount: code.startsWith('amsel') ? 2 : 1 }))
  await move(storages.goods, storages.showroom, lines, 'New in the showroom.', status)
}

/** Counts a storage location; occasionally a piece is missing or extra. A stocktake in progress is half done. */
export async function count(floor: Floor, storageId: number, day: string, at: string, isDone: boolean): Promise<void> {
  const { books, dice } = floor
  const there = (await levelsAt(books, storageId)).filter(({ amount }) => amount > 0)
  const seen = there.map(({ type, id, amount }) => {
    const isOff = dice.chance(0.12)
    return { type, id, counted: isOff ? Math.max(0, amount + dice.pick([-2, -1, -1, 1])) : amount }
  })
  const lines = isDone ? seen : seen.slice(0, Math.ceil(seen.length / 2))
  if (lines.length === 0) return
  const of = (kind: string) => lines.filter(({ type }) => type === kind).map(({ id, counted }) => ({ id, counted }))
  const { audit_id: id } = await books.act(worker, at, 'audits/add', {
    storage_id: storageId,
    date: day,
    products: of('products'),
    materials: of('materials'),
    notes: isDone ? 'Quarterly count.' : 'Under way.',
  })
  if (isDone) await books.act(manager, at, 'audits/update_status', { audit_id: id, status: 3 })
}
