// session/change_password: set a new password, given the old one. The user's other sessions end.

import { z } from 'zod'
import { textRefusals } from '../../kernel/field.ts'
import { write } from '../../kernel/method.ts'
import { refuse } from '../../kernel/refusal.ts'
import { statement } from '../../kernel/statement.ts'
import { sessionMethod } from '../../platform/requests/request.ts'
import { countAttempt, passwordLimits, tooMany } from '../attempts.ts'
import { forgetDevices, rememberDevice } from '../devices.ts'
import { endResets } from '../mail/links.ts'
import { givenPassword, hashPassword, isPassword, newPassword, passwordRefusals, refuseCommon } from '../passwords.ts'
import { securityEvent } from '../security-events.ts'
import { runSessionWrite } from '../session-write.ts'
import { endOtherSessions } from '../sessions.ts'
import { accountOf, updatePassword } from '../users.ts'
import { hashOfEmail } from '../users-of-email.ts'

const wrong = 'Password is wrong'

const nothing = statement<object, { company_id: number }>(
  'users.no_facts',
  'select seq from company_clock where company_id = :company_id',
)

const declared = {
  path: 'session/change_password',
  summary: 'Change your password.',
  output: z.object({}),
  refusals: ['No password in input', ...passwordRefusals('new_password'), wrong, tooMany, ...textRefusals],
  example: {
    request: { password: 'a long password', new_password: 'a longer password' },
    response: { success: true },
  },
}

type Changed = { readonly userId: number; readonly passwordHash: string; readonly sessionHash: Buffer }

/** The write; ends all sessions of the user except the given one. */
export const setPassword = write({
  ...declared,
  api: 'app',
  input: { schema: z.object({}), read: (): Changed => refuse(wrong, { code: 'wrong_password' }) },
  facts: (_input, context) => nothing({ company_id: context.companyId }),
  plan: (input: Changed) => input,
  write: ({ userId, passwordHash, sessionHash }, transaction) => {
    const { companyId } = transaction.context
    return {
      statements: [
        securityEvent(transaction, 'password_changed', {
          aboutUserId: transaction.context.userId === userId ? null : userId,
        }),
        updatePassword({ company_id: companyId, user_id: userId, password_hash: passwordHash }),
        endOtherSessions({ company_id: companyId, user_id: userId, kept_secret_hash: sessionHash }),
        forgetDevices({ company_id: companyId, user_id: userId }),
        ...endResets({ company_id: companyId, user_id: userId }, transaction.at),
      ],
      event: { record: 'user', recordId: userId, change: { password: 'changed' } },
    }
  },
  response: () => ({}),
})

export const changePassword = sessionMethod({
  ...declared,
  needsSession: true,
  needsFreshSignIn: 'with second factor',
  input: {
    schema: z.object({ password: z.string(), new_password: z.string().describe('At least ten characters.') }),
    read: (raw) => ({
      password: givenPassword(raw, 'password'),
      newPassword: newPassword(raw, 'new_password'),
    }),
  },
  run: async (input, { session, requestId, address, agent }, inside) => {
    if (session === undefined) throw new Error('session/change_password requires a session')
    const { companyId, userId, hash } = session
    // Successful changes count too: nobody changes a password ten times, and each change costs two hashes.
    await countAttempt(inside.pool, passwordLimits(companyId, userId))
    const account = await accountOf(inside.pool, { company_id: companyId, user_id: userId })
    if (account === undefined || !(await isPassword(input.password, account.password_hash, address)))
      refuse(wrong, { code: 'wrong_password', field: 'password' })
    refuseCommon(input.newPassword, [account.company, account.name, account.email])
    const like = await hashOfEmail(inside.pool, account.email)
    const passwordHash = await hashPassword(input.newPassword, address, like)
    await runSessionWrite(
      inside,
      setPassword,
      { userId, passwordHash, sessionHash: hash },
      { companyId, userId, requestId, from: { address, agent } },
    )
    const device = await rememberDevice(inside.pool, companyId, userId, undefined)
    return { response: {}, ...(device === undefined ? {} : { device }) }
  },
})
