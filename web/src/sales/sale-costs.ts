// The cost of a sale's goods: the known cost, the cost planned from components and prices where none is known, and what is unknown.

import { type Line, roundMoney } from '../kit/line.ts'
import { useMethod } from '../server/query.ts'
import { useSeesMoney } from '../session.tsx'

const maxItems = 200

export type SaleCosts = {
  readonly cost: number
  /** Part of it is planned: some item was never in stock. */
  readonly isPlanned: boolean
  /** Names of items without even a planned cost. */
  readonly unknown: readonly string[]
}

const hasCost = ({ unitCost }: Line): boolean => unitCost !== undefined && unitCost > 0

/** The unit cost of each item from its components, or its purchase price; undefined while loading. */
function usePlannedCosts(lines: readonly Line[]): ReadonlyMap<number, number> | undefined {
  const seesMoney = useSeesMoney()
  const idsOf = (type: Line['type']): number[] =>
    [...new Set(lines.filter((line) => line.type === type && !hasCost(line)).map(({ id }) => id))]
      .toSorted((a, b) => a - b)
      .slice(0, maxItems)
  const [productIds, materialIds] = [idsOf('product'), idsOf('material')]
  const optionsFor = (ids: readonly number[]) => ({ enabled: seesMoney && ids.length > 0, keep: true })
  const products = useMethod('products/browse', { ids: productIds, limit: maxItems }, optionsFor(productIds))
  const materials = useMethod('materials/browse', { ids: materialIds, limit: maxItems }, optionsFor(materialIds))
  const isWaiting =
    (productIds.length > 0 && products.data === undefined) || (materialIds.length > 0 && materials.data === undefined)
  if (isWaiting) return undefined
  return new Map([
    ...(products.data?.products ?? []).map(({ id, cost, plan_cost: planned }) => [id, cost || (planned ?? 0)] as const),
    ...(materials.data?.materials ?? []).map(({ id, cost, price }) => [id, cost || price] as const),
  ])
}

/** Undefined while planned costs are loading. */
export function useSaleCosts(lines: readonly Line[]): SaleCosts | undefined {
  const planned = usePlannedCosts(lines)
  if (planned === undefined) return undefined
  return costsOf(lines, planned)
}

export function costsOf(lines: readonly Line[], planned: ReadonlyMap<number, number>): SaleCosts {
  const unitCostOf = (line: Line): number => (hasCost(line) ? (line.unitCost ?? 0) : (planned.get(line.id) ?? 0))
  return {
    cost: roundMoney(lines.reduce((sum, line) => sum + roundMoney(unitCostOf(line) * line.amount), 0)),
    isPlanned: lines.some((line) => !hasCost(line) && unitCostOf(line) > 0),
    unknown: [...new Set(lines.filter((line) => unitCostOf(line) === 0).map(({ name }) => name))],
  }
}
