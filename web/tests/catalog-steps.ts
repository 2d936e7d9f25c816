// A company with the records of the catalog tests.

import { given, type User } from '../../server/test/harness/given.ts'
import { type Workshop, workshop } from '../../server/test/harness/workshop.ts'

export async function shop(): Promise<Workshop & { manager: User }> {
  const made = await workshop()
  return { ...made, manager: await given.user(made.company, 'manager') }
}

export const entry = async (user: User, id: number) =>
  (await user.call('products/get_entry', { product_id: id })).body.product
