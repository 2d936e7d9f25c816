// Counts of stock, for the tests of their screens.

import type { Page } from 'playwright-core'
import { accepted, bought, type Workshop, workshop } from './workshop.ts'

/** Sixteen boards and three tables, both at one storage location. */
export async function stocked(): Promise<Workshop & { readonly place: number }> {
  const made = await workshop()
  const { company, owner, table } = made
  await accepted(owner, 'settings/edit', { materials_storage_id: company.productsStorageId })
  await bought(made, 16)
  await accepted(owner, 'purchases/add', {
    supplier_name: 'Sawmill',
    products: [{ id: table, amount: 3, total: 300 }],
    status: 3,
  })
  return { ...made, place: company.productsStorageId }
}

export type Counted = { id: number; expected: number; counted: number; difference: number }

export async function counted({ owner }: Workshop, id: number): Promise<[number, number, number][]> {
  const { audit } = await accepted(owner, 'audits/get_card', { audit_id: id })
  return [...audit.products, ...audit.materials].map((line: Counted) => [line.expected, line.counted, line.difference])
}

/** By keyboard: a click may miss an element that moves while a count is being saved. */
export async function turnOn(page: Page, name: string): Promise<void> {
  await page.getByRole('switch', { name }).press('Space')
  await page.getByRole('switch', { name, checked: true }).waitFor({ state: 'attached' })
}
