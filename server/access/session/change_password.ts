// session/change_password: a new password for who knows the old one. The user's other sessions end.

import { z } from 'zod'
import { textRefusals } from '../../kernel/field.ts'
import { write } from '../../kernel/method.ts'
import { refuse } from '../../kernel/refusal.ts'
import { statement } from '../../kernel/statement.ts'
import { entrance } from '../../platform/door.ts'
import { countAttempt, passwordLimits, takeAttemptBack, tooMany } from '../attempts.ts'
import { forgetDevices, rememberDevice } from '../devices.ts'
import { ownWrite } from '../own-write.ts'
import { givenPassword, hashPassword, isPassword, newPassword, passwordRefusals } from '../passwords.ts'
import { endOtherSessions } from '../sessions.ts'
import { passwordOf } from '../users.ts'

const wrong = 'Password is wrong'

const nothing = statement<object>('users.no_facts', 'select seq from company_clock where company_id = $1')
const update = statement(
  'users.update_password',
  'update users set password_hash = $3 where company_id = $1 and id = $2',
)

const declared = {
  path: 'session/change_password',
  summary: 'Change the own password.',
  output: z.object({}),
  refusals: ['No password in input', ...passwordRefusals('new_password'), wrong, tooMany, ...textRefusals],
  example: {
    request: { password: 'a long password', new_password: 'a longer password' },
    response: { success: true },
  },
}

type Changed = { readonly userId: number; readonly passwordHash: string; readonly sessionHash: Buffer }

/** The write itself; all sessions end but the one named. */
export const setPassword = write({
  ...declared,
  door: 'screens',
  input: { wire: z.object({}), read: (): Changed => refuse(wrong) },
  facts: (_input, call) => nothing(call.companyId),
  plan: (input: Changed) => input,
  write: ({ userId, passwordHash, sessionHash }, { call: { companyId } }) => ({
    statements: [
      update(companyId, userId, passwordHash),
      endOtherSessions(companyId, userId, sessionHash),
      forgetDevices(companyId, userId),
    ],
    event: { record: 'user', recordId: userId, change: { password: 'changed' } },
  }),
  answer: () => ({}),
})

export const changePassword = entrance({
  ...declared,
  needsSession: true,
  input: {
    wire: z.object({ password: z.string(), new_password: z.string().describe('At least ten characters.') }),
    read: (raw) => ({
      password: givenPassword(raw, 'password'),
      newPassword: newPassword(raw, 'new_password'),
    }),
  },
  enter: async (input, { session, requestId }, inside) => {
    if (session === undefined) throw new Error('only who is signed in comes here')
    const { companyId, userId, hash } = session
    const limits = passwordLimits(companyId, userId)
    await countAttempt(inside.pool, limits)
    const kept = await passwordOf(inside.pool, { company_id: companyId, user_id: userId })
    if (!(await isPassword(input.password, kept))) refuse(wrong)
    await takeAttemptBack(inside.pool, limits)
    const passwordHash = await hashPassword(input.newPassword)
    await ownWrite(inside, setPassword, { userId, passwordHash, sessionHash: hash }, { companyId, userId, requestId })
    const device = await rememberDevice(inside.pool, companyId, userId, undefined)
    return { answer: {}, ...(device === undefined ? {} : { device }) }
  },
})
