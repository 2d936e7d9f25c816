// A session that ends, and the dialog to sign in again.

import type { Page } from 'playwright-core'
import { query } from '../../server/test/harness/database.ts'
import type { User } from '../../server/test/harness/given.ts'
import { password } from './settings-steps.ts'

/** Expires every session of a user, as if thirty days had passed. */
export const expire = (companyId: number, user: User): Promise<unknown> =>
  query(
    companyId,
    "update sessions set expires_at = now() - interval '1 second' where company_id = $1 and user_id = $2",
    [companyId, user.id],
  )

export async function signIn(page: Page, email?: string): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Sign in to continue' })
  if (email !== undefined) await dialog.getByLabel('E-mail').fill(email)
  await dialog.getByRole('textbox', { name: 'Password' }).fill(password)
  await dialog.getByRole('button', { name: 'Sign in' }).click()
}
