// What a new document starts with: items named in the address, such as those chosen in the stock list.

import { useSearchParams } from 'react-router'
import { type Line, nextKey, roundAmount, roundMoney } from '../kit/line.ts'
import type { Output } from '../server/call.ts'
import { useMethod } from '../server/query.ts'

type Level = Output<'stock/browse'>['stock'][number]

/** Ids after `?items=`. */
function useNamedItems(): number[] {
  const [params] = useSearchParams()
  return (params.get('items') ?? '')
    .split(',')
    .map(Number)
    .filter((id) => Number.isInteger(id) && id > 0)
    .slice(0, 200)
}

/** Lines of the named items; undefined while they load. */
export function useStartingLines(amountOf: (level: Level) => number = () => 1): Line[] | undefined {
  const ids = useNamedItems()
  const levels = useMethod('stock/browse', { ids, by: 'item', limit: 200 }, { enabled: ids.length > 0 })
  if (ids.length === 0) return []
  return levels.data?.stock.map((level) => {
    const amount = amountOf(level)
    const price = level.cost ?? 0
    return {
      key: nextKey(),
      type: level.type === 'products' ? 'product' : 'material',
      id: level.id,
      sku: level.sku,
      name: level.name,
      unit: level.unit,
      amount,
      price,
      total: roundMoney(price * amount),
    }
  })
}

/** What is missing to the minimum, and what is promised beyond what is there. */
export const shortOf = ({ available, min_amount: min }: Level): number => {
  const short = roundAmount((min ?? 0) - available)
  return short > 0 ? short : 1
}
