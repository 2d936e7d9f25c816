// session/sign_in: start a session with email and password, or ask for the second factor of a user who has one. An unknown email and a wrong password cannot be distinguished by
// response or timing.

import { z } from 'zod'
import { refuse } from '../../kernel/refusal.ts'
import { statement } from '../../kernel/statement.ts'
import type { Pool } from '../../platform/postgres/database.ts'
import { isBusy } from '../../platform/process/faults.ts'
import { sessionMethod } from '../../platform/requests/request.ts'
import { countAttempt, signInLimits, tooMany, uncountAttempt } from '../attempts.ts'
import { startBrowserSession } from '../browser-session.ts'
import { deviceHash, findDevice } from '../devices.ts'
import { inCompany } from '../in-company.ts'
import { givenPassword, hashPassword, isOutdated, isPassword } from '../passwords.ts'
import { beginPendingSignIn } from '../second-factor/pending-sign-in.ts'
import { noteFailedSignIn } from '../security-events.ts'
import { type Credentials, emailHash, findPassword, findSignIn, readEmail, type SignIn } from '../users.ts'

const wrong = 'Email or password is wrong'

/** Placeholder for an unknown email, for which the same lookups are made. */
const unknownAccount: SignIn = { company_id: 0, user_id: 0 }

export const signIn = sessionMethod({
  path: 'session/sign_in',
  summary: 'Sign in.',
  needsSession: false,
  input: {
    schema: z.object({ email: z.string(), password: z.string() }),
    read: (raw) => ({ email: readEmail(raw), password: givenPassword(raw, 'password') }),
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
  run: async (input, { address, device, agent }, { pool }) => {
    const account = emailHash(input.email)
    const found = await pool.use((connection) => connection.roundTrip([findSignIn({ email_hash: account })]))
    const { company_id: companyId, user_id: userId } = found.rows<SignIn>(0)[0] ?? unknownAccount
    const { passwordHash, hasSecondFactor, known } = await findCredentials(
      pool,
      companyId,
      userId,
      deviceHash(device, companyId),
    )
    const limits = signInLimits(account, address, known)
    await countAttempt(pool, limits)
    if (!(await isPassword(input.password, passwordHash, address)) || passwordHash === undefined) {
      if (passwordHash !== undefined) noteFailedSignIn(pool, { companyId, userId }, { address, agent })
      return refuse(wrong, { code: 'wrong_credentials' })
    }
    await uncountAttempt(pool, limits)
    const current = isOutdated(passwordHash)
      ? await renewHash(pool, companyId, userId, passwordHash, input.password)
      : passwordHash
    if (hasSecondFactor) {
      const token = await beginPendingSignIn(pool, companyId, userId, current)
      return token === undefined
        ? refuse(wrong, { code: 'wrong_credentials' })
        : { response: { needs: 'second_factor', token } }
    }
    const session = await startBrowserSession(
      pool,
      companyId,
      userId,
      { address, agent },
      { known, passwordHash: current },
    )
    return session === undefined ? refuse(wrong, { code: 'wrong_credentials' }) : { response: {}, ...session }
  },
})

// Does not overwrite a password that was changed meanwhile.
const updateHash = statement<never, { company_id: number; user_id: number; old_hash: string; new_hash: string }>(
  'users.renew_password_hash',
  'update users set password_hash = :new_hash where company_id = :company_id and id = :user_id and password_hash = :old_hash',
)

/** The hashing cost rises over the years; signing in upgrades an outdated hash. */
async function renewHash(
  pool: Pool,
  companyId: number,
  userId: number,
  old: string,
  password: string,
): Promise<string> {
  try {
    const renewed = await hashPassword(password)
    const user = { company_id: companyId, user_id: userId }
    await inCompany(pool, companyId, updateHash({ ...user, old_hash: old, new_hash: renewed }))
    return renewed
  } catch (error) {
    // The password was right: when hashing is overloaded, sign in anyway and renew the hash next time.
    if (!isBusy(error)) throw error
    return old
  }
}

/** The user's password hash, whether a second factor must follow, and the device when the user has signed in from it before. */
export async function findCredentials(pool: Pool, companyId: number, userId: number, device: Buffer) {
  const user = { company_id: companyId, user_id: userId }
  const trip = await inCompany(pool, companyId, findPassword(user), findDevice({ ...user, secret_hash: device }))
  return {
    passwordHash: trip.rows<Credentials>(1)[0]?.password_hash,
    hasSecondFactor: trip.rows<Credentials>(1)[0]?.has_second_factor === true,
    known: trip.rows<{ secret_hash: Buffer }>(2)[0]?.secret_hash,
  }
}
