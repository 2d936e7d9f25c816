// The components of a product as rows: its own components and, below expanded ones, their components.

import { useQueries } from '@tanstack/react-query'
import type { ItemTreeNode } from '../methods.ts'
import { call } from '../server/call.ts'
import type { ComponentLine } from './item-values.ts'

export type ComponentRow = {
  /** The path to it from the product down. */
  readonly key: string
  readonly depth: number
  /** Position among the product's own components; undefined for deeper levels. */
  readonly at: number | undefined
  readonly line: ComponentLine
  /** Undefined when it is unknown. */
  readonly cost: number | undefined
  readonly total: number | undefined
  readonly isOpenable: boolean
}

const keyOf = (above: string, type: string, id: number, at: number): string => `${above}/${type}-${id}-${at}`

export function rowsOf(
  lines: readonly ComponentLine[],
  tree: readonly ItemTreeNode[],
  isOpen: (key: string) => boolean,
): ComponentRow[] {
  return lines.flatMap((line, at) => {
    const node = tree.find((one) => one.id === line.id)
    const key = keyOf('', line.type, line.id, at)
    const cost = node === undefined ? line.cost : (node.cost ?? undefined)
    const total = cost === undefined ? undefined : cost * line.amount
    const isOpenable = (node?.components.length ?? 0) > 0
    const row: ComponentRow = { key, depth: 0, at, line, cost, total, isOpenable }
    return isOpenable && isOpen(key) && node !== undefined ? [row, ...below(node.components, key, 1, isOpen)] : [row]
  })
}

function below(
  nodes: readonly ItemTreeNode[],
  above: string,
  depth: number,
  isOpen: (key: string) => boolean,
): ComponentRow[] {
  return nodes.flatMap((node, at) => {
    const key = keyOf(above, node.type, node.id, at)
    const { type, id, sku, name, unit, amount } = node
    const [cost, total] = [node.cost ?? undefined, node.total ?? undefined]
    const isOpenable = node.components.length > 0
    const line = { type: type as ComponentLine['type'], id, sku, name, unit, amount }
    const row: ComponentRow = { key, depth, at: undefined, line, cost, total, isOpenable }
    return isOpenable && isOpen(key) ? [row, ...below(node.components, key, depth + 1, isOpen)] : [row]
  })
}

/** The planned cost from the data on the page, and the names of components whose cost is unknown. */
export function plannedCost(rows: readonly ComponentRow[]): {
  readonly cost?: number
  readonly unknown: readonly string[]
} {
  const own = rows.filter(({ at }) => at !== undefined)
  const unknown = own.filter(({ total }) => total === undefined).map(({ line }) => line.name)
  return unknown.length > 0 ? { unknown } : { cost: own.reduce((sum, { total }) => sum + (total ?? 0), 0), unknown }
}

/** The planned cost of a product with these components; undefined without any, and when that of one is unknown. */
export const costOfTree = (tree: readonly Pick<ItemTreeNode, 'cost' | 'amount'>[]): number | undefined =>
  tree.length === 0 || tree.some(({ cost }) => cost === null)
    ? undefined
    : tree.reduce((sum, { cost, amount }) => sum + (cost ?? 0) * amount, 0)

/** The saved tree, and the components of products added since. */
export function useTree(lines: readonly ComponentLine[], saved: readonly ItemTreeNode[]): ItemTreeNode[] {
  const added = lines.filter(({ type, id }) => type === 'product' && !saved.some((node) => node.id === id))
  const cards = useQueries({
    queries: added.map(({ id }) => ({
      queryKey: ['items/get_card', { item_id: id }],
      queryFn: () => call('items/get_card', { item_id: id }),
    })),
  })
  const nodes = added.flatMap((line, at) => {
    const components = cards[at]?.data?.tree ?? []
    const cost = costOfTree(components) ?? null
    const total = cost === null ? null : cost * line.amount
    return components.length === 0 ? [] : [{ ...line, cost, total, components }]
  })
  return [...saved, ...nodes]
}
