// Options for choosing a category, each with its parent categories.

import { branches, type Category } from '../settings/category-tree.ts'

export function categoryOptions(all: readonly Category[], type: Category['type']): { value: string; label: string }[] {
  const ofType = all.filter((one) => one.type === type)
  const names = new Map(ofType.map((one) => [one.id, one]))
  const label = (one: Category): string => {
    const above = one.parent_id === null ? undefined : names.get(one.parent_id)
    return above === undefined ? one.name : `${label(above)} / ${one.name}`
  }
  return branches(ofType).map(({ category }) => ({ value: String(category.id), label: label(category) }))
}
