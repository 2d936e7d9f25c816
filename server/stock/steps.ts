// Pure: the steps from the current ledger sums of a document to the required ones. Goods that only moved to another date or storage location are distinguished
// from receipts and issues, because they keep their value.

import { divide, type Quantity, type Value } from '../kernel/decimal.ts'

/** Documents that issue some goods and receive others have two parts; the second is booked after the first. */
export type MovementPart = 0 | 1

/** The ledger's sums for a document, by part, storage location, item and date. */
export type Posted = {
  readonly part: MovementPart
  readonly storageId: number
  readonly itemId: number
  readonly date: string
  readonly onHand: Quantity
  readonly reserved: Quantity
  readonly value: Value
  /** Changes of value without goods, which keep a value from falling below zero or remaining without goods. */
  readonly revalued: Value
}

/** Goods as a document requires them to be booked. Without a value they are valued at the current average. */
export type RequiredMove = Place & {
  readonly onHand: Quantity
  readonly value: Value | undefined
  /** Goods without a cost of their own never set the average. */
  readonly carried?: boolean
  /** Their cost if the average is unknown when they are booked. */
  readonly unitCost?: Value
}
export type Place = {
  readonly part: MovementPart
  readonly storageId: number
  readonly itemId: number
  readonly date: string
}
type Goods = { readonly place: Place; readonly onHand: Quantity; readonly value: Value }
export type Step =
  /** Goods are received or issued, which changes the cost of their item. */
  | (Omit<Goods, 'value'> & {
      readonly kind: 'valued'
      readonly value: Value | undefined
      readonly setsAverage: boolean
      readonly unitCost?: Value
    })
  /** One side of goods that only change date or storage location: both sides together leave quantity and value unchanged. */
  | (Goods & { readonly kind: 'moved' })

export const placeKey = ({ storageId, itemId, date }: Place): string => `${storageId} ${itemId} ${date}`

/** First reversals, then receipts, then issues: so that goods are never issued at a cost that the same change corrects. */
export function stepsBetween(posted: readonly Posted[], moves: readonly RequiredMove[]): Step[] {
  const before = new Map(posted.filter((one) => one.onHand !== 0n).map((one) => [placeKey(one), one]))
  const after = summed(moves)
  const excess: Goods[] = []
  const missing: RequiredMove[] = []
  for (const [key, old] of before) {
    const move = after.get(key)
    const undo = move === undefined ? old : undonePart(old, move)
    if (undo !== undefined) excess.push({ place: old, onHand: undo.onHand, value: undo.value })
  }
  for (const [key, move] of after) {
    const old = before.get(key)
    const kept = old === undefined ? 0n : old.onHand - (undonePart(old, move)?.onHand ?? 0n)
    if (move.onHand !== kept) missing.push({ ...move, onHand: move.onHand - kept })
  }
  const { moved, undone, added } = withoutMoved(excess, missing)
  const steps: Step[] = [
    ...undone.map(({ place, onHand, value }) => ({
      kind: 'valued' as const,
      place,
      onHand: -onHand,
      value: -value,
      setsAverage: false,
    })),
    ...moved.map((goods) => ({ kind: 'moved' as const, ...goods })),
  ]
  const booked = (move: RequiredMove): Step => ({
    kind: 'valued',
    place: move,
    onHand: move.onHand,
    value: move.value,
    setsAverage: move.onHand > 0n && move.carried !== true,
    ...(move.unitCost === undefined ? {} : { unitCost: move.unitCost }),
  })
  return [
    ...steps,
    ...added.filter((move) => move.onHand > 0n).map(booked),
    ...added.filter((move) => move.onHand < 0n).map(booked),
  ]
}

/** Goods no longer required in one place but required in another have only moved: they keep the value they were booked with. */
function withoutMoved(excess: readonly Goods[], missing: readonly RequiredMove[]): Moved {
  const booked = Map.groupBy(excess, ({ place }) => place.itemId)
  const wanted = Map.groupBy(missing, (move) => move.itemId)
  const changes = [...new Set([...booked.keys(), ...wanted.keys()])].map((itemId) => {
    const [here, there] = [booked.get(itemId) ?? [], wanted.get(itemId) ?? []]
    return there.some((move) => move.value !== undefined) ? movedWhole(here, there) : movedInPart(here, there)
  })
  return {
    moved: changes.flatMap(({ moved }) => moved),
    undone: changes.flatMap(({ undone }) => undone),
    added: changes.flatMap(({ added }) => added),
  }
}

/** Both sides of moved goods, reversals, and what remains to be booked. */
type Moved = {
  readonly moved: readonly Goods[]
  readonly undone: readonly Goods[]
  readonly added: readonly RequiredMove[]
}

const sum = <T>(list: readonly T[], of: (one: T) => bigint): bigint => list.reduce((all, one) => all + of(one), 0n)
const leaving = ({ place, onHand, value }: Goods): Goods => ({ place, onHand: -onHand, value: -value })

/** Goods with their own value have moved when total quantity and total value are the same as before. */
function movedWhole(excess: readonly Goods[], missing: readonly RequiredMove[]): Moved {
  const isSame =
    sum(excess, ({ onHand }) => onHand) === sum(missing, ({ onHand }) => onHand) &&
    sum(excess, ({ value }) => value) === sum(missing, ({ value }) => value ?? 0n)
  if (!isSame) return { moved: [], undone: [...excess], added: [...missing] }
  const reaching = missing.map((move) => ({ place: move, onHand: move.onHand, value: move.value ?? 0n }))
  return { moved: [...excess.map(leaving), ...reaching], undone: [], added: [] }
}

/** Goods valued by the ledger move as far as they are still required: first those that keep their date, then the others. */
function movedInPart(excess: readonly Goods[], missing: readonly RequiredMove[]): Moved {
  const moved: Goods[] = []
  let left = [...excess]
  let wanted = [...missing]
  for (const fits of [(a: Place, b: Place) => a.date === b.date, () => true]) {
    wanted = wanted.map((move) => {
      let rest = move.onHand
      left = left.map((goods) => {
        if (rest === 0n || goods.onHand === 0n || goods.onHand < 0n !== rest < 0n || !fits(goods.place, move))
          return goods
        const isWhole = rest < 0n ? goods.onHand >= rest : goods.onHand <= rest
        const onHand = isWhole ? goods.onHand : rest
        const value = isWhole ? goods.value : divide(goods.value * onHand, goods.onHand)
        moved.push({ place: goods.place, onHand: -onHand, value: -value }, { place: move, onHand, value })
        rest -= onHand
        return { ...goods, onHand: goods.onHand - onHand, value: goods.value - value }
      })
      return { ...move, onHand: rest }
    })
  }
  const isNotZero = ({ onHand }: { readonly onHand: Quantity }): boolean => onHand !== 0n
  return { moved, undone: left.filter(isNotZero), added: wanted.filter(isNotZero) }
}

/**
 * The part of a booked movement to reverse. Goods with their own value are reversed completely when anything about them changed; goods
 * valued by the ledger only by the excess, so that the rest keeps the value it was booked at.
 */
function undonePart(old: Posted, move: RequiredMove): { onHand: Quantity; value: Value } | undefined {
  if (move.value !== undefined || old.onHand < 0n !== move.onHand < 0n) {
    return old.onHand === move.onHand && old.value === move.value ? undefined : old
  }
  const onHand = old.onHand - move.onHand
  const isLess = old.onHand < 0n ? onHand < 0n : onHand > 0n
  return isLess ? { onHand, value: divide(old.value * onHand, old.onHand) } : undefined
}

function summed(moves: readonly RequiredMove[]): Map<string, RequiredMove> {
  const sums = new Map<string, RequiredMove>()
  for (const move of moves) {
    const key = placeKey(move)
    const sum = sums.get(key)
    const value = move.value === undefined ? sum?.value : (sum?.value ?? 0n) + move.value
    sums.set(key, { ...move, onHand: (sum?.onHand ?? 0n) + move.onHand, value })
  }
  return new Map([...sums].filter(([, move]) => move.onHand !== 0n))
}
