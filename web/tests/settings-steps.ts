// A company with its owner, for the tests of the settings.

import type { Page } from 'playwright-core'
import { type Company, given, type User } from '../../server/test/harness/given.ts'

export const password = 'a long enough password'

export async function owned(): Promise<{ company: Company; owner: User }> {
  const company = await given.company({ name: 'Oak & Sons' })
  return { company, owner: await given.user(company, 'owner', password) }
}

export const code = (page: Page, label: string): Promise<string> =>
  page
    .getByRole('region', { name: label })
    .textContent()
    .then((text) => text ?? '')
