// The components of a product as a tree with planned costs, down to purchased items and resources. Pure.

import { divide, formatDecimal, moneyPlaces, type Value, valueFrom, valuePlaces } from '../../kernel/decimal.ts'

/** An item of the tree as read from the database; `cost` applies when the item has no components. */
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
  readonly cost: number
  readonly total: number
  readonly components: readonly TreeNode[]
}

/** The same component may be in many products and is shown under each of them: beyond this number of nodes the tree is not expanded. */
const maxNodes = 1_000

export function treeOf(rootId: number, items: readonly TreeItem[], edges: readonly TreeEdge[]): readonly TreeNode[] {
  const byId = new Map(items.map((item) => [item.id, item]))
  const parts = Map.groupBy(edges, ([productId]) => productId)
  const costs = new Map<number, Value>()
  const costOf = (id: number): Value => {
    const known = costs.get(id)
    if (known !== undefined) return known
    const own = parts.get(id)
    const cost =
      own === undefined
        ? valueFrom(byId.get(id)?.cost ?? '0')
        : own.reduce((sum, [, itemId, amount]) => sum + divide(valueFrom(amount) * costOf(itemId), million), 0n)
    costs.set(id, cost)
    return cost
  }
  let nodes = 0
  const open = (id: number, times: Value): readonly TreeNode[] =>
    (parts.get(id) ?? []).flatMap(([, itemId, amount]) => {
      const item = byId.get(itemId)
      if (item === undefined || nodes >= maxNodes) return []
      nodes += 1
      const needed = divide(valueFrom(amount) * times, million)
      return [
        {
          type: item.kind,
          id: item.id,
          sku: item.sku,
          name: item.name,
          unit: item.unit,
          amount: shown(needed, valuePlaces),
          cost: shown(costOf(itemId), valuePlaces),
          total: shown(divide(needed * costOf(itemId), 10n ** 10n), moneyPlaces),
          components: open(itemId, needed),
        },
      ]
    })
  return open(rootId, million)
}

const million = 1_000_000n
const shown = (scaled: bigint, places: number): number => Number(formatDecimal(scaled, places))
