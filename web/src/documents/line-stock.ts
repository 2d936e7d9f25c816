// The stock of the items on a document's lines, at the storage location of each line.

import { useMemo } from 'react'
import type { Line, LineStock } from '../kit/line.ts'
import { useMethod } from '../server/query.ts'

type Place = number | null

/** One request per storage location, regardless of the number of lines. */
export function useLineStock(
  lines: readonly Line[],
  places: { readonly product: Place; readonly material: Place },
  isEnabled = true,
): (line: Line) => LineStock | undefined {
  const products = useLevels(lines, places.product, isEnabled)
  const materials = useLevels(lines, places.material, isEnabled && places.material !== places.product)
  const there = places.material === places.product ? products : materials
  return (line) => {
    if (!isEnabled || line.type === 'resource') return undefined
    return (line.type === 'product' ? products : there)?.get(line.id)
  }
}

const nothing: LineStock = { on_hand: 0, reserved: 0, available: 0 }
const maxLines = 1000

function useLevels(
  lines: readonly Line[],
  place: Place,
  isEnabled: boolean,
): { get: (id: number) => LineStock } | undefined {
  const ids = [...new Set(lines.filter(({ type }) => type !== 'resource').map(({ id }) => id))].toSorted(
    (a, b) => a - b,
  )
  const isReady = isEnabled && place !== null && ids.length > 0
  const levels = useMethod(
    'stock/browse',
    { ids, by: 'storage', limit: maxLines, ...(place === null ? {} : { storage_id: place }) },
    { enabled: isReady, keep: true },
  )
  // An unchanged response yields the same objects, so that only the rows whose stock changed are rendered again.
  const known = useMemo(
    () =>
      new Map(
        levels.data?.stock.map(({ id, amount, reserved, available }) => [id, { on_hand: amount, reserved, available }]),
      ),
    [levels.data],
  )
  if (!isReady || levels.data === undefined) return undefined
  // An item that was never in stock has no level.
  return { get: (id) => known.get(id) ?? nothing }
}
