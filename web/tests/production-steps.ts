// The production board, for the tests of its screens.

import type { Page } from 'playwright-core'
import { accepted, type Workshop } from './workshop.ts'

export const column = (page: Page, name: string) => page.getByRole('region', { name })

export const tile = (page: Page, num: string) => page.getByRole('article', { name: `Production ${num}` })

export async function planned({ owner, table }: Workshop, amount: number, body: object = {}): Promise<number> {
  const { production_id: id } = await accepted(owner, 'productions/add', {
    products: [{ id: table, amount }],
    ...body,
  })
  return id
}

export async function statuses({ owner }: Workshop): Promise<Record<string, number>> {
  const { productions } = await accepted(owner, 'productions/browse', { sort: 'num' })
  return Object.fromEntries(productions.map((row: { num: string; status: number }) => [row.num, row.status]))
}
