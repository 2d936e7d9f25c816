// A person with users in several companies, and what their browser shows of it.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { Browser } from './browser.ts'
import { query } from './database.ts'
import { type Company, given, type User } from './given.ts'

export const password = 'a long password'
export const another = 'another long password'
export const newEmail = (): string => `ada-${randomUUID()}@oak.example`

export type Place = { readonly company: Company; readonly owner: User; readonly name: string }

export async function place(name: string): Promise<Place> {
  const company = await given.company({ name })
  return { company, owner: await given.user(company), name }
}

/** The person joins the company, in a browser of their own. */
export async function join({ owner }: Place, email: string, own: string, browser = new Browser()): Promise<Browser> {
  const invited = await owner.call('users/invite', { email, role: 'manager' })
  assert.equal(invited.status, 200, invited.text)
  const { token } = invited.body
  const reply = await browser.call('invitations/accept', { token, name: 'Ada', password: own })
  assert.equal(reply.status, 200, reply.text)
  return browser
}

export const idIn = async ({ company }: Place, email: string): Promise<number> => {
  const [row] = await query(company.id, 'select id::int from users where company_id = $1 and email = $2', [
    company.id,
    email,
  ])
  return row.id
}

export const signIn = async (browser: Browser, email: string, own: string, more: object = {}) => {
  const { status, body } = await browser.call('session/sign_in', { email, password: own, ...more })
  return { status, ...body }
}
export const signsIn = async (email: string, own: string, { company }: Place): Promise<number> =>
  (await signIn(new Browser(), email, own, { company_id: company.id })).status

/** The company that is open in the browser. */
export const openIn = async (browser: Browser): Promise<string | undefined> =>
  (await browser.call('session/get')).body.company?.name

export const listedIn = async (browser: Browser): Promise<readonly string[]> =>
  (await browser.call('session/get_companies')).body.companies.map(
    (one: { name: string; is_current: boolean }) => `${one.name}${one.is_current ? ' *' : ''}`,
  )
export const switchTo = async (browser: Browser, { company }: Place) => {
  const { status, body } = await browser.call('session/switch_company', { company_id: company.id })
  return [status, body.error]
}
export const notSignedIn = [400, 'This browser is not signed in to this company']
