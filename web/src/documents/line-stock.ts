// What is there of the items on a document's lines, at the storage location each line takes from.

import { useMemo } from 'react'
import type { Line, LineStock } from '../kit/line.ts'
import { useMethod } from '../server/query.ts'

type Place = number | null

/** One question per storage location, whatever the number of lines. */
export function useLineStock(
  lines: readonly Line[],
  places: { readonly product: Place; readonly material: Place },
  isWanted = true,
): (line: Line) => LineStock | undefined {
  const products = useLevels(lines, places.product, isWanted)
  const materials = useLevels(lines, places.material, isWanted && places.material !== places.product)
  const there = places.material === places.product ? products : materials
  return (line) => {
    if (!isWanted || line.type === 'resource') return undefined
    return (line.type === 'product' ? products : there)?.get(line.id)
  }
}

const nothing: LineStock = { on_hand: 0, reserved: 0, available: 0 }
const mostLines = 1000

function useLevels(
  lines: readonly Line[],
  place: Place,
  isWanted: boolean,
): { get: (id: number) => LineStock } | undefined {
  const ids = [...new Set(lines.filter(({ type }) => type !== 'resource').map(({ id }) => id))].toSorted(
    (a, b) => a - b,
  )
  const isAsked = isWanted && place !== null && ids.length > 0
  const levels = useMethod(
    'stock/browse',
    { ids, by: 'storage', limit: mostLines, ...(place === null ? {} : { storage_id: place }) },
    { enabled: isAsked, keep: true },
  )
  // The same answer gives the same objects: rows of the grid are drawn again only when theirs changed.
  const known = useMemo(
    () =>
      new Map(
        levels.data?.stock.map(({ id, amount, reserved, available }) => [id, { on_hand: amount, reserved, available }]),
      ),
    [levels.data],
  )
  if (!isAsked || levels.data === undefined) return undefined
  // What never was there has no level.
  return { get: (id) => known.get(id) ?? nothing }
}
