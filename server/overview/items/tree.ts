// The components of a product as a tree with planned costs, down to purchased items and resources. Pure.

import { divide, formatDecimal, moneyPlaces, type Value, valueFrom, valuePlaces } from '../../kernel/decimal.ts'

/** An item of the tree as read from the database; `cost` applies when the item has no components, and is unknown when it is 0. */
export type TreeItem = {
  readonly id: number
  readonly kind: string
  readonly sku: string
  readonly name: string
  readonly unit: string
  readonly cost: string
}
export type TreeEdge = readonly [productId: number, itemId: number, amount: string]

export type TreeNode = {
  readonly type: string
  readonly id: number
  readonly sku: string
  readonly name: string
  readonly unit: string
  readonly amount: number
  /** Null when that of a component is unknown. */
  readonly cost: number | null
  readonly total: number | null
  readonly components: readonly TreeNode[]
}

/** The same component may be in many products and is shown under each of them: beyond this number of nodes the tree is not expanded. */
const maxNodes = 1_000
/** Nor deeper than anybody can read. */
const maxDepth = 20
/** Quantities multiply from level to level. Beyond this, in millionths, a figure means nothing, and computing with it would take ever longer. */
const largest = 10n ** 27n

export function treeOf(rootId: number, items: readonly TreeItem[], edges: readonly TreeEdge[]): readonly TreeNode[] {
  const byId = new Map(items.map((item) => [item.id, item]))
  const parts = Map.groupBy(edges, ([productId]) => productId)
  const costs = costsOf(rootId, byId, parts)
  let nodes = 0
  const open = (id: number, times: Value, depth: number): readonly TreeNode[] =>
    (depth > maxDepth ? [] : (parts.get(id) ?? [])).flatMap(([, itemId, amount]) => {
      const item = byId.get(itemId)
      if (item === undefined || nodes >= maxNodes) return []
      nodes += 1
      const needed = product(valueFrom(amount), times)
      const cost = costs.get(itemId) ?? null
      return [
        {
          type: item.kind,
          id: item.id,
          sku: item.sku,
          name: item.name,
          unit: item.unit,
          amount: shown(needed, valuePlaces),
          cost: cost === null ? null : shown(cost, valuePlaces),
          total: cost === null ? null : shown(divide(needed * cost, 10n ** 10n), moneyPlaces),
          components: open(itemId, needed, depth + 1),
        },
      ]
    })
  return open(rootId, million, 1)
}

type Parts = ReadonlyMap<number, readonly TreeEdge[]>

/** The planned cost of every item, or null where it is unknown; each computed once. Without recursion, because a chain of components may be as long as the catalog. */
function costsOf(
  rootId: number,
  items: ReadonlyMap<number, TreeItem>,
  parts: Parts,
): ReadonlyMap<number, Value | null> {
  const costs = new Map<number, Value | null>()
  const opened = new Set<number>()
  const stack = [rootId]
  for (let id = stack.at(-1); id !== undefined; id = stack.at(-1)) {
    const own = parts.get(id) ?? []
    if (!opened.has(id) && own.length > 0) {
      opened.add(id)
      for (const [, itemId] of own) if (!opened.has(itemId)) stack.push(itemId)
      continue
    }
    stack.pop()
    if (costs.has(id)) continue
    const sum = own.reduce<Value | null>((total, [, itemId, amount]) => {
      const cost = costs.get(itemId) ?? null
      return total === null || cost === null ? null : total + product(valueFrom(amount), cost)
    }, 0n)
    const bought = valueFrom(items.get(id)?.cost ?? '0')
    costs.set(id, own.length === 0 ? bought || null : sum === null ? null : limited(sum))
  }
  return costs
}

const limited = (value: Value): Value => (value > largest ? largest : value)
/** Two figures in millionths, multiplied. */
const product = (a: Value, b: Value): Value => limited(divide(a * b, million))

const million = 1_000_000n
const shown = (scaled: bigint, places: number): number => Number(formatDecimal(scaled, places))
