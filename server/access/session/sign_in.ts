// session/sign_in: start a session with email and password, or ask for the second factor of a user who has one. An unknown email and a wrong password cannot be distinguished by
// response or timing. The password is checked for the users of all companies of the address; those with another password are not affected.

import { z } from 'zod'
import { id, isPassed, required } from '../../kernel/field.ts'
import { Refusal, refuse } from '../../kernel/refusal.ts'
import { statement } from '../../kernel/statement.ts'
import type { Pool } from '../../platform/postgres/database.ts'
import { isBusy } from '../../platform/process/faults.ts'
import { sessionMethod } from '../../platform/requests/request.ts'
import { type Counted, countAttempt, signInLimits, tooMany, uncountAttempt } from '../attempts.ts'
import { startBrowserSession } from '../browser-session.ts'
import { findBrowserSessions } from '../browser-sessions.ts'
import { inCompany } from '../in-company.ts'
import { givenPassword, hashesOfPassword, hashPassword, isOutdated } from '../passwords.ts'
import { storedOrigin } from '../request-origin.ts'
import { beginPendingSignIn } from '../second-factor/pending-sign-in.ts'
import { noteFailedSignIn } from '../security-events.ts'
import { beginSession } from '../sessions.ts'
import { emailHash, readEmail } from '../users.ts'
import { findUsersOfEmail, likeOf, type UserOfEmail } from '../users-of-email.ts'

const wrong = 'Email or password is wrong'
const refuseWrong = (): never => refuse(wrong, { code: 'wrong_credentials' })

export const signIn = sessionMethod({
  path: 'session/sign_in',
  summary: 'Sign in.',
  notes: [
    'An address can belong to several companies, with a password in each. A session begins in each company whose password it is and whose user has no second factor; the one that was used last, and in which this browser is not signed in yet, is opened.',
  ],
  needsSession: false,
  input: {
    schema: z.object({
      email: z.string(),
      password: z.string(),
      company_id: z.int().optional().describe('Sign in to this company only.'),
    }),
    read: (raw) => ({
      email: readEmail(raw),
      password: givenPassword(raw, 'password'),
      companyId: isPassed(raw, 'company_id') ? id(required(raw, 'company_id')) : undefined,
    }),
  },
  output: z.object({
    needs: z.literal('second_factor').optional().describe('Absent: the session has begun.'),
    token: z.string().optional().describe('For session/second_factor. Works for five minutes, and for nothing else.'),
  }),
  refusals: [
    'No email in input',
    'Invalid email value. Must be an email address',
    'No password in input',
    wrong,
    tooMany,
  ],
  example: { request: { email: 'ada@oak.example', password: 'a long password' }, response: { success: true } },
  run: async ({ email, password, companyId }, { address, device, agent, cookies }, { pool }) => {
    const account = emailHash(email)
    const users = await findUsersOfEmail(pool, account, { device, companyId })
    const { checked, limits } = await admit(pool, account, address, users)
    const hashes = await hashesOfPassword(
      password,
      checked.map(({ passwordHash }) => passwordHash),
      address,
    )
    const matching = checked.filter(({ passwordHash }) => hashes.includes(passwordHash))
    if (matching.length === 0) {
      for (const user of checked) noteFailedSignIn(pool, user, { address, agent })
      return refuseWrong()
    }
    await uncountAttempt(pool, limits)
    const renewed = await renewHashes(pool, matching, likeOf(users), password)
    const [first, ...others] = await inOrder(pool, renewed, cookies)
    if (first === undefined) return refuseWrong()
    if (first.hasSecondFactor) {
      const token = await beginPendingSignIn(pool, first.companyId, first.userId, first.passwordHash)
      return token === undefined ? refuseWrong() : { response: { needs: 'second_factor', token } }
    }
    const session = await startBrowserSession(
      pool,
      first.companyId,
      first.userId,
      { address, agent },
      { known: first.known, passwordHash: first.passwordHash },
    )
    if (session === undefined) return refuseWrong()
    const begun = []
    // It begins none for a user with a second factor.
    for (const { companyId: other, userId, passwordHash, isSignedIn } of others)
      if (!isSignedIn)
        begun.push(await beginSession(pool, other, userId, { passwordHash, origin: storedOrigin({ address, agent }) }))
    return { response: {}, ...session, others: begun.filter((one) => one !== undefined) }
  },
})

type Admitted = { readonly checked: readonly UserOfEmail[]; readonly limits: readonly Counted[] }

/**
 * Counts the attempt. In a browser that a user has signed in from before, this user has their own count. The address's users in other companies do not: somebody else may have made a
 * user with this address in a company of their own.
 */
async function admit(pool: Pool, account: Buffer, address: string, users: readonly UserOfEmail[]): Promise<Admitted> {
  const anonymous = signInLimits(account, address, undefined)
  const known = users.find((user) => user.known !== undefined)
  if (known === undefined) {
    await countAttempt(pool, anonymous)
    return { checked: users, limits: anonymous }
  }
  const own = signInLimits(account, address, known.known)
  await countAttempt(pool, own)
  try {
    await countAttempt(pool, anonymous)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { checked: [known], limits: own }
  }
  return { checked: users, limits: [...own, ...anonymous] }
}

type Matching = UserOfEmail & { readonly isSignedIn: boolean }

/** The companies in which this browser is not signed in yet come first, of these the one that was used last. */
async function inOrder(pool: Pool, users: readonly UserOfEmail[], cookies: readonly string[]): Promise<Matching[]> {
  const sessions = users.length === 1 ? [] : await findBrowserSessions(pool, cookies)
  return users
    .map((user) => ({
      ...user,
      isSignedIn: sessions.some((one) => one.companyId === user.companyId && one.userId === user.userId),
    }))
    .toSorted((one, other) => Number(one.isSignedIn) - Number(other.isSignedIn) || other.seenMs - one.seenMs)
}

// Does not overwrite a password that was changed meanwhile.
const updateHash = statement<never, { company_id: number; user_id: number; old_hash: string; new_hash: string }>(
  'users.renew_password_hash',
  'update users set password_hash = :new_hash where company_id = :company_id and id = :user_id and password_hash = :old_hash',
)

/** The hashing cost rises over the years, and an imported company has its own salts; signing in renews such hashes. `like` has the salt of the address. */
async function renewHashes(
  pool: Pool,
  users: readonly UserOfEmail[],
  like: string | undefined,
  password: string,
): Promise<readonly UserOfEmail[]> {
  if (!users.some(({ passwordHash }) => isOutdated(passwordHash, like))) return users
  try {
    const renewed = await hashPassword(password, '', like)
    for (const { companyId, userId, passwordHash: old } of users)
      await inCompany(
        pool,
        companyId,
        updateHash({ company_id: companyId, user_id: userId, old_hash: old, new_hash: renewed }),
      )
    return users.map((user) => ({ ...user, passwordHash: renewed }))
  } catch (error) {
    // The password was right: when hashing is overloaded, sign in anyway and renew the hash next time.
    if (!isBusy(error)) throw error
    return users
  }
}
