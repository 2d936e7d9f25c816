// Pure: what the ledger must book so that a document has exactly the effect its present state calls for, and what that does to the
// average cost of its items. The rules of cost stand here and nowhere else.

import type { Moment } from '../kernel/clock.ts'
import { divide, type Quantity, type Value, worth } from '../kernel/decimal.ts'

export type Document = { readonly section: string; readonly id: number }

/** Goods that come (above zero, with their own value) or go (below zero, valued at the average of the moment). */
export type Move = {
  readonly storageId: number
  readonly itemId: number
  readonly date: string
  readonly onHand: Quantity
  readonly value?: Value
}

export type Reservation = { readonly storageId: number; readonly itemId: number; readonly reserved: Quantity }

/** What a document does to stock in its present state. */
export type Effect = { readonly moves: readonly Move[]; readonly reservations: readonly Reservation[] }

export const noEffect: Effect = { moves: [], reservations: [] }

/** What the ledger holds of a document: the sums of its movements by storage location, item and date. */
export type Posted = {
  readonly storageId: number
  readonly itemId: number
  readonly date: string
  readonly onHand: Quantity
  readonly reserved: Quantity
  readonly value: Value
}

export type Cost = { readonly onHand: Quantity; readonly value: Value; readonly average: Value }

export const noCost: Cost = { onHand: 0n, value: 0n, average: 0n }

export type Movement = Posted & { readonly id: number; readonly kind: 'move' | 'revaluation' }

export type Level = {
  readonly storageId: number
  readonly itemId: number
  readonly onHand: Quantity
  readonly reserved: Quantity
}

export type Posting = {
  readonly document: Document
  readonly movements: readonly Movement[]
  /** Changes, not new values. */
  readonly levels: readonly Level[]
  /** The new state of every item whose cost or quantity changed. */
  readonly costs: ReadonlyMap<number, Cost>
  /** Quantity and value that the document has taken (below zero) or brought of an item, after this posting. */
  readonly net: ReadonlyMap<number, { readonly onHand: Quantity; readonly value: Value }>
}

type Step = {
  readonly place: Place
  readonly onHand: Quantity
  readonly value: Value | undefined
  readonly undoes: boolean
}
type Place = { readonly storageId: number; readonly itemId: number; readonly date: string }

export function planPosting(
  document: Document,
  posted: readonly Posted[],
  wanted: Effect,
  costs: ReadonlyMap<number, Cost>,
  moment: Moment,
  today: string,
): Posting {
  const book = new Book(costs, moment)
  for (const step of stepsBetween(posted, wanted.moves)) book.move(step)
  for (const change of reservationChanges(posted, wanted.reservations)) book.reserve(change, today)
  return { document, ...book.closed(posted) }
}

/** First what is undone, then what comes, then what goes: so that goods never leave at a cost that the same change sets right. */
function stepsBetween(posted: readonly Posted[], moves: readonly Move[]): Step[] {
  const undone: Step[] = []
  const coming: Step[] = []
  const going: Step[] = []
  const before = new Map(posted.filter((one) => one.onHand !== 0n).map((one) => [placeKey(one), one]))
  const after = summed(moves)
  for (const [key, old] of before) {
    const move = after.get(key)
    const undo = move === undefined ? old : undonePart(old, move)
    if (undo !== undefined) undone.push({ place: old, onHand: -undo.onHand, value: -undo.value, undoes: true })
  }
  for (const [key, move] of after) {
    const old = before.get(key)
    const kept = old === undefined ? 0n : old.onHand - (undonePart(old, move)?.onHand ?? 0n)
    const rest = move.onHand - kept
    if (rest === 0n) continue
    const step = { place: move, onHand: rest, value: move.value, undoes: false }
    if (rest > 0n) coming.push(step)
    else going.push(step)
  }
  return [...undone, ...coming, ...going]
}

/** What of a booked movement no longer holds. A receipt that changed is taken back whole; an issue only by what it is too much. */
function undonePart(old: Posted, move: Move): { onHand: Quantity; value: Value } | undefined {
  if (old.onHand < 0n && move.onHand < 0n) {
    if (move.onHand <= old.onHand) return undefined
    const onHand = old.onHand - move.onHand
    return { onHand, value: divide(old.value * onHand, old.onHand) }
  }
  return old.onHand === move.onHand && old.value === move.value ? undefined : old
}

function summed(moves: readonly Move[]): Map<string, Move> {
  const sums = new Map<string, Move>()
  for (const move of moves) {
    const key = placeKey(move)
    const sum = sums.get(key)
    const value = move.value === undefined ? sum?.value : (sum?.value ?? 0n) + move.value
    sums.set(key, { ...move, onHand: (sum?.onHand ?? 0n) + move.onHand, ...(value === undefined ? {} : { value }) })
  }
  return new Map([...sums].filter(([, move]) => move.onHand !== 0n))
}

function reservationChanges(posted: readonly Posted[], wanted: readonly Reservation[]): Reservation[] {
  const changes = new Map<string, Reservation>()
  const add = (one: Reservation, reserved: Quantity) => {
    const key = `${one.storageId} ${one.itemId}`
    const sum = (changes.get(key)?.reserved ?? 0n) + reserved
    changes.set(key, { storageId: one.storageId, itemId: one.itemId, reserved: sum })
  }
  for (const one of wanted) add(one, one.reserved)
  for (const one of posted) add(one, -one.reserved)
  return [...changes.values()].filter((change) => change.reserved !== 0n)
}

const placeKey = (place: Place): string => `${place.storageId} ${place.itemId} ${place.date}`

/** Books movement after movement, keeping every item's quantity, value and average. */
class Book {
  readonly #moment: Moment
  readonly #before: ReadonlyMap<number, Cost>
  readonly #costs = new Map<number, Cost>()
  readonly #movements: Movement[] = []

  constructor(costs: ReadonlyMap<number, Cost>, moment: Moment) {
    this.#before = costs
    this.#moment = moment
  }

  move(step: Step): void {
    const { itemId } = step.place
    const cost = this.#costs.get(itemId) ?? this.#before.get(itemId) ?? noCost
    const value = step.value ?? worth(step.onHand, cost.average)
    this.#add('move', step.place, step.onHand, 0n, value)
    const onHand = cost.onHand + step.onHand
    const booked = cost.value + value
    const isReceipt = step.onHand > 0n && !step.undoes
    // A receipt that meets nothing, or less than nothing, sets the average to its own cost.
    const resets = isReceipt && cost.onHand <= 0n
    const average = resets ? divide(value * 1_000n, step.onHand) : cost.average
    const owed = onHand === 0n ? 0n : resets || (onHand > 0n && booked < 0n) ? worth(onHand, average) : booked
    if (owed !== booked) this.#add('revaluation', step.place, 0n, 0n, owed - booked)
    this.#costs.set(itemId, { onHand, value: owed, average: onHand > 0n ? divide(owed * 1_000n, onHand) : average })
  }

  /** What is reserved has no date of its own; it rides on a movement of the same goods where there is one. */
  reserve(change: Reservation, today: string): void {
    const at = this.#movements.findIndex(
      (one) =>
        one.kind === 'move' &&
        one.reserved === 0n &&
        one.storageId === change.storageId &&
        one.itemId === change.itemId,
    )
    const movement = this.#movements[at]
    if (movement === undefined) this.#add('move', { ...change, date: today }, 0n, change.reserved, 0n)
    else this.#movements[at] = { ...movement, reserved: change.reserved }
  }

  closed(posted: readonly Posted[]): Omit<Posting, 'document'> {
    const levels = new Map<string, Level>()
    const net = new Map<number, { onHand: Quantity; value: Value }>()
    for (const one of [...posted, ...this.#movements.filter((movement) => movement.kind === 'move')]) {
      const sum = net.get(one.itemId) ?? { onHand: 0n, value: 0n }
      net.set(one.itemId, { onHand: sum.onHand + one.onHand, value: sum.value + one.value })
    }
    for (const one of this.#movements) {
      const key = `${one.storageId} ${one.itemId}`
      const sum = levels.get(key) ?? { storageId: one.storageId, itemId: one.itemId, onHand: 0n, reserved: 0n }
      levels.set(key, { ...sum, onHand: sum.onHand + one.onHand, reserved: sum.reserved + one.reserved })
    }
    const changed = [...levels.values()].filter((level) => level.onHand !== 0n || level.reserved !== 0n)
    return { movements: this.#movements, levels: changed, costs: this.#costs, net }
  }

  #add(kind: Movement['kind'], place: Place, onHand: Quantity, reserved: Quantity, value: Value): void {
    const { storageId, itemId, date } = place
    this.#movements.push({
      id: this.#moment.ids.next('movement_id'),
      kind,
      storageId,
      itemId,
      date,
      onHand,
      reserved,
      value,
    })
  }
}
