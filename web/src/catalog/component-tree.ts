// Components of a product as rows: those it is made of itself, and below the opened ones what those are made of.

import type { Output } from '../server/call.ts'
import type { ComponentLine } from './item-values.ts'

export type TreeNode = Output<'items/get_card'>['tree'][number]

export type ComponentRow = {
  /** The way to it, from the product down. */
  readonly key: string
  readonly depth: number
  /** Place among the product's own components; undefined for what stands deeper. */
  readonly at: number | undefined
  readonly line: ComponentLine
  readonly cost: number | undefined
  readonly total: number | undefined
  readonly isOpenable: boolean
}

const keyOf = (above: string, type: string, id: number, at: number): string => `${above}/${type}-${id}-${at}`

export function rowsOf(
  lines: readonly ComponentLine[],
  tree: readonly TreeNode[],
  isOpen: (key: string) => boolean,
): ComponentRow[] {
  return lines.flatMap((line, at) => {
    const node = tree.find((one) => one.id === line.id)
    const key = keyOf('', line.type, line.id, at)
    const cost = node?.cost ?? line.cost
    const total = cost === undefined ? undefined : cost * line.amount
    const isOpenable = (node?.components.length ?? 0) > 0
    const row: ComponentRow = { key, depth: 0, at, line, cost, total, isOpenable }
    return isOpenable && isOpen(key) && node !== undefined ? [row, ...below(node.components, key, 1, isOpen)] : [row]
  })
}

function below(
  nodes: readonly TreeNode[],
  above: string,
  depth: number,
  isOpen: (key: string) => boolean,
): ComponentRow[] {
  return nodes.flatMap((node, at) => {
    const key = keyOf(above, node.type, node.id, at)
    const { type, id, sku, name, unit, amount, cost, total } = node
    const isOpenable = node.components.length > 0
    const line = { type: type as ComponentLine['type'], id, sku, name, unit, amount }
    const row: ComponentRow = { key, depth, at: undefined, line, cost, total, isOpenable }
    return isOpenable && isOpen(key) ? [row, ...below(node.components, key, depth + 1, isOpen)] : [row]
  })
}

/** The planned cost as far as the page knows it; undefined while a component's cost is not known. */
export function plannedCost(rows: readonly ComponentRow[]): number | undefined {
  const own = rows.filter(({ at }) => at !== undefined)
  return own.every(({ total }) => total !== undefined)
    ? own.reduce((sum, { total }) => sum + (total ?? 0), 0)
    : undefined
}
