// Categories as an ordered tree, and the changes needed to move one.

import type { CategoriesGetListCategories } from '../methods.ts'

export type Category = CategoriesGetListCategories
export type Branch = { readonly category: Category; readonly depth: number }

const byPlace = (one: Category, other: Category): number => one.position - other.position || one.id - other.id

export const siblingsOf = (all: readonly Category[], parentId: number | null): Category[] =>
  all.filter((one) => (one.parent_id ?? null) === parentId).toSorted(byPlace)

/** Depth first, in display order. */
export function branches(all: readonly Category[], parentId: number | null = null, depth = 0): Branch[] {
  return siblingsOf(all, parentId).flatMap((category) => [
    { category, depth },
    ...branches(all, category.id, depth + 1),
  ])
}

/** The category and its descendants: none of them can be its parent. */
export function withBelow(all: readonly Category[], id: number): Set<number> {
  const below = all.filter((one) => one.parent_id === id).flatMap((one) => [...withBelow(all, one.id)])
  return new Set([id, ...below])
}

/** The new positions of the siblings that change when `category` moves up or down by one. */
export function moved(all: readonly Category[], category: Category, by: -1 | 1): { id: number; position: number }[] {
  const row = siblingsOf(all, category.parent_id ?? null)
  const at = row.findIndex(({ id }) => id === category.id)
  const to = at + by
  if (at < 0 || to < 0 || to >= row.length) return []
  const next = row.toSpliced(at, 1).toSpliced(to, 0, category)
  return next.flatMap(({ id, position }, place) => (position === place ? [] : [{ id, position: place }]))
}
