// Pure: what the ledger must book so that a document has exactly the effect its present state calls for, and what that does to the
// average cost of its items. The rules of cost stand here and nowhere else.
// Long because they only make sense together.

import type { Moment } from '../kernel/clock.ts'
import { divide, type Quantity, type Value, worth } from '../kernel/decimal.ts'

export type Document = { readonly section: string; readonly id: number }

/** Documents that take goods in one place and bring them in another have two parts; the second is booked after the first. */
export type Part = 0 | 1

/** What the first part of a document has taken of an item by now. */
export type Taken = (itemId: number) => { readonly onHand: Quantity; readonly value: Value }

/** Goods that come (above zero) or go (below zero). Without a value of their own they are worth the average of the moment. */
export type Move = {
  readonly storageId: number
  readonly itemId: number
  readonly date: string
  readonly onHand: Quantity
  readonly part?: Part
  /** A value that follows from what the first part took is worked out when that is booked. */
  readonly value?: Value | ((taken: Taken) => Value)
  /** Goods that only change places bring no cost of their own, so they never set the average. */
  readonly carried?: boolean
}

/** Goods set aside from a day on (above zero), or no longer (below zero). */
export type Reservation = {
  readonly storageId: number
  readonly itemId: number
  readonly date: string
  readonly reserved: Quantity
}

/** What a document does to stock in its present state. */
export type Effect = { readonly moves: readonly Move[]; readonly reservations: readonly Reservation[] }

export const noEffect: Effect = { moves: [], reservations: [] }

/** What the ledger holds of a document: the sums of its movements by storage location, item and date. */
export type Posted = {
  readonly part: Part
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
  /** Quantity and value that a part of the document has taken (below zero) or brought of an item, after this posting. */
  readonly net: (itemId: number, part?: Part) => { readonly onHand: Quantity; readonly value: Value }
}

type Settled = Omit<Move, 'value' | 'part'> & { readonly part: Part; readonly value: Value | undefined }
type Step = {
  readonly place: Place
  readonly onHand: Quantity
  readonly value: Value | undefined
  readonly setsAverage: boolean
}
type Place = { readonly part: Part; readonly storageId: number; readonly itemId: number; readonly date: string }

export function planPosting(
  document: Document,
  posted: readonly Posted[],
  wanted: Effect,
  costs: ReadonlyMap<number, Cost>,
  moment: Moment,
): Posting {
  const book = new Book(costs, moment, posted)
  for (const part of [0, 1] as const) {
    const before = posted.filter((one) => one.part === part)
    const after = wanted.moves
      .filter((move) => (move.part ?? 0) === part)
      .map((move) => ({
        ...move,
        part,
        value: typeof move.value === 'function' ? move.value((id) => book.taken(id)) : move.value,
      }))
    for (const step of stepsBetween(before, after)) book.move(step)
  }
  for (const change of reservationChanges(posted, wanted.reservations)) book.reserve(change)
  return { document, ...book.closed() }
}

/** First what is undone, then what comes, then what goes: so that goods never leave at a cost that the same change sets right. */
function stepsBetween(posted: readonly Posted[], moves: readonly Settled[]): Step[] {
  const undone: Step[] = []
  const coming: Step[] = []
  const going: Step[] = []
  const before = new Map(posted.filter((one) => one.onHand !== 0n).map((one) => [placeKey(one), one]))
  const after = summed(moves)
  for (const [key, old] of before) {
    const move = after.get(key)
    const undo = move === undefined ? old : undonePart(old, move)
    if (undo !== undefined) undone.push({ place: old, onHand: -undo.onHand, value: -undo.value, setsAverage: false })
  }
  for (const [key, move] of after) {
    const old = before.get(key)
    const kept = old === undefined ? 0n : old.onHand - (undonePart(old, move)?.onHand ?? 0n)
    const rest = move.onHand - kept
    if (rest === 0n) continue
    const step = { place: move, onHand: rest, value: move.value, setsAverage: rest > 0n && move.carried !== true }
    if (rest > 0n) coming.push(step)
    else going.push(step)
  }
  return [...undone, ...coming, ...going]
}

/**
 * What of a booked movement no longer holds. Goods with a value of their own are taken back whole when anything about them changed; goods that
 * the ledger valued only by what is too much, so that what stays keeps the value it was booked at.
 */
function undonePart(old: Posted, move: Settled): { onHand: Quantity; value: Value } | undefined {
  if (move.value !== undefined || old.onHand < 0n !== move.onHand < 0n) {
    return old.onHand === move.onHand && old.value === move.value ? undefined : old
  }
  const onHand = old.onHand - move.onHand
  const isLess = old.onHand < 0n ? onHand < 0n : onHand > 0n
  return isLess ? { onHand, value: divide(old.value * onHand, old.onHand) } : undefined
}

function summed(moves: readonly Settled[]): Map<string, Settled> {
  const sums = new Map<string, Settled>()
  for (const move of moves) {
    const key = placeKey(move)
    const sum = sums.get(key)
    const value = move.value === undefined ? sum?.value : (sum?.value ?? 0n) + move.value
    sums.set(key, { ...move, onHand: (sum?.onHand ?? 0n) + move.onHand, value })
  }
  return new Map([...sums].filter(([, move]) => move.onHand !== 0n))
}

function reservationChanges(posted: readonly Posted[], wanted: readonly Reservation[]): Reservation[] {
  const changes = new Map<string, Reservation>()
  const add = ({ storageId, itemId, date }: Omit<Reservation, 'reserved'>, reserved: Quantity) => {
    const key = placeKey({ part: 0, storageId, itemId, date })
    changes.set(key, { storageId, itemId, date, reserved: (changes.get(key)?.reserved ?? 0n) + reserved })
  }
  for (const one of wanted) add(one, one.reserved)
  for (const one of posted) add(one, -one.reserved)
  return [...changes.values()].filter((change) => change.reserved !== 0n)
}

const placeKey = ({ storageId, itemId, date }: Place): string => `${storageId} ${itemId} ${date}`

/** What a quantity is worth: nothing when there is none, its share of the receipt that set the average, never less than nothing. */
function owedFor(onHand: Quantity, booked: Value, share: Value | undefined, average: Value): Value {
  if (onHand === 0n) return 0n
  if (share !== undefined) return share
  return onHand > 0n && booked < 0n ? worth(onHand, average) : booked
}

/** Books movement after movement, keeping every item's quantity, value and average. */
class Book {
  readonly #moment: Moment
  readonly #before: ReadonlyMap<number, Cost>
  readonly #posted: readonly Posted[]
  readonly #costs = new Map<number, Cost>()
  readonly #movements: Movement[] = []

  constructor(costs: ReadonlyMap<number, Cost>, moment: Moment, posted: readonly Posted[]) {
    this.#before = costs
    this.#moment = moment
    this.#posted = posted
  }

  move(step: Step): void {
    const { itemId } = step.place
    const cost = this.#costs.get(itemId) ?? this.#before.get(itemId) ?? noCost
    const value = step.value ?? worth(step.onHand, cost.average)
    this.#add('move', step.place, step.onHand, 0n, value)
    const onHand = cost.onHand + step.onHand
    const booked = cost.value + value
    // A receipt that meets nothing, or less than nothing, sets the average to its own cost.
    const resets = step.setsAverage && cost.onHand <= 0n
    const average = resets ? divide(value * 1_000n, step.onHand) : cost.average
    const owed = owedFor(onHand, booked, resets ? divide(value * onHand, step.onHand) : undefined, average)
    if (owed !== booked) this.#add('revaluation', step.place, 0n, 0n, owed - booked)
    this.#costs.set(itemId, { onHand, value: owed, average: onHand > 0n ? divide(owed * 1_000n, onHand) : average })
  }

  /** What is reserved rides on the movement of the same goods on the same day where there is one. */
  reserve(change: Reservation): void {
    const key = placeKey({ ...change, part: 0 })
    const at = this.#movements.findIndex(
      (one) => one.kind === 'move' && one.part === 0 && one.reserved === 0n && placeKey(one) === key,
    )
    const movement = this.#movements[at]
    if (movement === undefined) this.#add('move', { ...change, part: 0 }, 0n, change.reserved, 0n)
    else this.#movements[at] = { ...movement, reserved: change.reserved }
  }

  /** Read a few times at most, while the second part is settled; afterwards `net` of the posting is quicker. */
  taken(itemId: number): { onHand: Quantity; value: Value } {
    let onHand = 0n
    let value = 0n
    for (const one of [...this.#posted, ...this.#movements]) {
      if (one.itemId !== itemId || one.part !== 0 || ('kind' in one && one.kind === 'revaluation')) continue
      onHand -= one.onHand
      value -= one.value
    }
    return { onHand, value }
  }

  closed(): Omit<Posting, 'document'> {
    const levels = new Map<string, Level>()
    const nets = new Map<string, { onHand: Quantity; value: Value }>()
    for (const one of [...this.#posted, ...this.#movements.filter((movement) => movement.kind === 'move')]) {
      const key = `${one.part} ${one.itemId}`
      const sum = nets.get(key) ?? { onHand: 0n, value: 0n }
      nets.set(key, { onHand: sum.onHand + one.onHand, value: sum.value + one.value })
    }
    for (const one of this.#movements) {
      const key = `${one.storageId} ${one.itemId}`
      const sum = levels.get(key) ?? { storageId: one.storageId, itemId: one.itemId, onHand: 0n, reserved: 0n }
      levels.set(key, { ...sum, onHand: sum.onHand + one.onHand, reserved: sum.reserved + one.reserved })
    }
    const changed = [...levels.values()].filter((level) => level.onHand !== 0n || level.reserved !== 0n)
    return {
      movements: this.#movements,
      levels: changed,
      costs: this.#costs,
      net: (itemId, part = 0) => nets.get(`${part} ${itemId}`) ?? { onHand: 0n, value: 0n },
    }
  }

  #add(kind: Movement['kind'], place: Place, onHand: Quantity, reserved: Quantity, value: Value): void {
    const { part, storageId, itemId, date } = place
    const id = this.#moment.ids.next('movement_id')
    this.#movements.push({ id, kind, part, storageId, itemId, date, onHand, reserved, value })
  }
}
