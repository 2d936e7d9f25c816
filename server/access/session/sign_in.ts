// session/sign_in: a session for whoever knows the password of an email. An unknown email is told from a wrong password neither by the
// answer nor by its time.

import { z } from 'zod'
import { refuse } from '../../kernel/refusal.ts'
import type { Pool } from '../../platform/database.ts'
import { entrance } from '../../platform/door.ts'
import { countAttempt, signInLimits, takeAttemptBack, tooMany } from '../attempts.ts'
import { deviceHash, findDevice } from '../devices.ts'
import { givenPassword, isPassword } from '../passwords.ts'
import { emailHash, findPassword, findSignIn, readEmail, type SignIn } from '../users.ts'
import { welcome } from '../welcome.ts'

const wrong = 'Email or password is wrong'

/** Nobody's: the same look-ups are made for an email that is not there. */
const nobody: SignIn = { company_id: 0, user_id: 0 }

export const signIn = entrance({
  path: 'session/sign_in',
  summary: 'Sign in.',
  needsSession: false,
  input: {
    wire: z.object({ email: z.string(), password: z.string() }),
    read: (raw) => ({ email: readEmail(raw), password: givenPassword(raw, 'password') }),
  },
  output: z.object({}),
  refusals: [
    'No email in input',
    'Invalid email value. Must be an email address',
    'No password in input',
    wrong,
    tooMany,
  ],
  example: { request: { email: 'ada@oak.example', password: 'a long password' }, response: { success: true } },
  enter: async (input, { address, device }, { pool }) => {
    const account = emailHash(input.email)
    const found = await pool.use((connection) => connection.flight([findSignIn(account)]))
    const { company_id: companyId, user_id: userId } = found.rows<SignIn>(0)[0] ?? nobody
    const { passwordHash, known } = await look(pool, companyId, userId, deviceHash(device, companyId))
    const limits = signInLimits(account, address, known)
    await countAttempt(pool, limits)
    if (!(await isPassword(input.password, passwordHash))) refuse(wrong)
    await takeAttemptBack(pool, limits)
    return { answer: {}, ...(await welcome(pool, companyId, userId, known)) }
  },
})

/** The user's password, and the device when the user has signed in from it before. */
async function look(pool: Pool, companyId: number, userId: number, device: Buffer) {
  const flown = await pool.use((connection) =>
    connection.flight([
      `begin; set local app.company_id = '${companyId}'`,
      findPassword(companyId, userId),
      findDevice(companyId, userId, device),
      'commit',
    ]),
  )
  return {
    passwordHash: flown.rows<{ password_hash: string }>(1)[0]?.password_hash,
    known: flown.rows<{ secret_hash: Buffer }>(2)[0]?.secret_hash,
  }
}
