// Pure: the movements the ledger must record so that a document has exactly the effect its current state requires, and their effect on the
// average cost of the items. All cost rules are in this file.

import type { TransactionContext } from '../kernel/clock.ts'
import { divide, type Quantity, type Value, valueAt } from '../kernel/decimal.ts'
import { type MovementPart, type Place, type Posted, placeKey, type Step, stepsBetween } from './steps.ts'

export type DocumentRef = { readonly section: string; readonly id: number }

/** What the first part of a document has issued of an item so far. */
export type IssuedSoFar = (itemId: number) => { readonly onHand: Quantity; readonly value: Value }

/** Goods received (positive) or issued (negative). Without a value they are valued at the current average. */
export type Move = {
  readonly storageId: number
  readonly itemId: number
  readonly date: string
  readonly onHand: Quantity
  readonly part?: MovementPart
  /** A function when the value depends on what the first part issued: called after that part is booked. */
  readonly value?: Value | ((issued: IssuedSoFar) => Value)
  /** Goods that only change their storage location have no cost of their own and never set the average. */
  readonly carried?: boolean
  /** Value of one unit of goods received without a value, if the average is unknown when they are booked. They then have a cost of their own. */
  readonly unitCost?: Value
}

/** Goods reserved from a date on (positive), or released (negative). */
export type Reservation = {
  readonly storageId: number
  readonly itemId: number
  readonly date: string
  readonly reserved: Quantity
}

/** The effect of a document on stock in its current state. */
export type Effect = { readonly moves: readonly Move[]; readonly reservations: readonly Reservation[] }

export const noEffect: Effect = { moves: [], reservations: [] }

export type Cost = { readonly onHand: Quantity; readonly value: Value; readonly average: Value }

export const noCost: Cost = { onHand: 0n, value: 0n, average: 0n }

export type Movement = Omit<Posted, 'revalued'> & { readonly id: number; readonly kind: 'move' | 'revaluation' }

export type Level = {
  readonly storageId: number
  readonly itemId: number
  readonly onHand: Quantity
  readonly reserved: Quantity
}

export type Posting = {
  readonly document: DocumentRef
  readonly movements: readonly Movement[]
  /** Differences, not new values. */
  readonly levels: readonly Level[]
  /** The new state of every item whose cost or quantity changed. */
  readonly costs: ReadonlyMap<number, Cost>
  /** The items that were received or issued, not only moved. */
  readonly recosted: ReadonlySet<number>
  /** Quantity and value of an item that a part of the document has issued (negative) or received, after this posting. */
  readonly net: (itemId: number, part?: MovementPart) => { readonly onHand: Quantity; readonly value: Value }
}

export function planPosting(
  document: DocumentRef,
  posted: readonly Posted[],
  wanted: Effect,
  costs: ReadonlyMap<number, Cost>,
  transaction: TransactionContext,
): Posting {
  const builder = new PostingBuilder(costs, transaction, posted)
  const issued: IssuedSoFar = (itemId) => builder.issued(itemId)
  for (const part of [0, 1] as const) {
    const before = posted.filter((one) => one.part === part)
    const after = wanted.moves
      .filter((move) => (move.part ?? 0) === part)
      .map((move) => ({
        ...move,
        part,
        value: typeof move.value === 'function' ? move.value(issued) : move.value,
      }))
    for (const step of stepsBetween(before, after)) builder.apply(step)
  }
  for (const change of reservationChanges(posted, wanted.reservations)) builder.reserve(change)
  return { document, ...builder.result() }
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

/** The value of a stock quantity: 0 when there is none, its share of the receipt that set the average, never negative for a positive quantity. */
function stockValue(onHand: Quantity, booked: Value, share: Value | undefined, average: Value): Value {
  if (onHand === 0n) return 0n
  if (share !== undefined) return share
  return onHand > 0n && booked < 0n ? valueAt(onHand, average) : booked
}

/** Books one movement after another and keeps track of every item's quantity, value and average. */
class PostingBuilder {
  readonly #transaction: TransactionContext
  readonly #before: ReadonlyMap<number, Cost>
  readonly #posted: readonly Posted[]
  readonly #costs = new Map<number, Cost>()
  readonly #movements: Movement[] = []
  readonly #recosted = new Set<number>()
  /** The revaluations of an item that the document caused. */
  readonly #revalued = new Map<number, Value>()
  readonly #issued = new Map<number, { onHand: Quantity; value: Value }>()
  #reservable: Map<string, number> | undefined

  constructor(costs: ReadonlyMap<number, Cost>, transaction: TransactionContext, posted: readonly Posted[]) {
    this.#before = costs
    this.#transaction = transaction
    this.#posted = posted
    for (const one of posted) {
      this.#noteTaken(one)
      this.#revalued.set(one.itemId, (this.#revalued.get(one.itemId) ?? 0n) + one.revalued)
    }
  }

  apply(step: Step): void {
    const { itemId } = step.place
    if (step.kind === 'moved') {
      this.#add('move', step.place, step.onHand, 0n, step.value)
      return
    }
    this.#recosted.add(itemId)
    const cost = this.#costs.get(itemId) ?? this.#before.get(itemId) ?? noCost
    const isUnknown = step.value === undefined && step.onHand > 0n && cost.average === 0n
    const unitCost = isUnknown ? step.unitCost : undefined
    const value = step.value ?? valueAt(step.onHand, unitCost ?? cost.average)
    this.#add('move', step.place, step.onHand, 0n, value)
    const onHand = cost.onHand + step.onHand
    const booked = cost.value + value
    // A receipt when nothing or a negative quantity is on hand sets the average to its own cost, or to 0 if that is negative.
    const resets = (step.setsAverage || unitCost !== undefined) && cost.onHand <= 0n
    const ownValue = value < 0n ? 0n : value
    const average = resets ? divide(ownValue * 1_000n, step.onHand) : cost.average
    const newValue = stockValue(
      onHand,
      booked - this.#compensation(step, value),
      resets ? divide(ownValue * onHand, step.onHand) : undefined,
      // A receipt of negative cost reduces the value to 0 at most.
      step.onHand > 0n && value < 0n ? 0n : average,
    )
    if (newValue !== booked) {
      this.#add('revaluation', step.place, 0n, 0n, newValue - booked)
      this.#revalued.set(itemId, (this.#revalued.get(itemId) ?? 0n) + newValue - booked)
    }
    this.#costs.set(itemId, {
      onHand,
      value: newValue,
      average: onHand > 0n ? divide(newValue * 1_000n, onHand) : average,
    })
  }

  /**
   * What the undoing of a receipt of negative cost would add to the value of an item although the receipt never took it away: a value is not
   * reduced below zero, and the revaluation that prevented it is undone together with the receipt.
   */
  #compensation(step: Step, value: Value): Value {
    if (step.onHand >= 0n || value <= 0n) return 0n
    const revalued = this.#revalued.get(step.place.itemId) ?? 0n
    const compensation = revalued < value ? revalued : value
    return compensation > 0n ? compensation : 0n
  }

  /** A reservation is stored in the movement of the same item, storage location and date where there is one. */
  reserve(change: Reservation): void {
    this.#reservable ??= this.#firstMoves()
    const key = placeKey({ ...change, part: 0 })
    const at = this.#reservable.get(key) ?? -1
    this.#reservable.delete(key)
    const movement = this.#movements[at]
    if (movement === undefined) this.#add('move', { ...change, part: 0 }, 0n, change.reserved, 0n)
    else this.#movements[at] = { ...movement, reserved: change.reserved }
  }

  /** Index of the first movement of each place, built once instead of searched for each of thousands of lines. */
  #firstMoves(): Map<string, number> {
    const first = new Map<string, number>()
    for (const [at, one] of this.#movements.entries()) {
      const key = placeKey(one)
      if (one.kind === 'move' && one.part === 0 && !first.has(key)) first.set(key, at)
    }
    return first
  }

  /** Quantity and value of an item that the first part has issued so far. */
  issued(itemId: number): { onHand: Quantity; value: Value } {
    return this.#issued.get(itemId) ?? { onHand: 0n, value: 0n }
  }

  #noteTaken({ part, itemId, onHand, value }: Pick<Posted, 'part' | 'itemId' | 'onHand' | 'value'>): void {
    if (part !== 0) return
    const before = this.issued(itemId)
    this.#issued.set(itemId, { onHand: before.onHand - onHand, value: before.value - value })
  }

  result(): Omit<Posting, 'document'> {
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
      recosted: this.#recosted,
      net: (itemId, part = 0) => nets.get(`${part} ${itemId}`) ?? { onHand: 0n, value: 0n },
    }
  }

  #add(kind: Movement['kind'], place: Place, onHand: Quantity, reserved: Quantity, value: Value): void {
    const { part, storageId, itemId, date } = place
    const id = this.#transaction.ids.next('movement_id')
    this.#movements.push({ id, kind, part, storageId, itemId, date, onHand, reserved, value })
    if (kind === 'move') this.#noteTaken({ part, itemId, onHand, value })
  }
}
