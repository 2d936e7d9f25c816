// session/confirm: the user proves again who they are, with the password and the second factor if there is one. Some methods require that this was a short time ago.

import { z } from 'zod'
import { isPassed, textRefusals } from '../../kernel/field.ts'
import { refuse } from '../../kernel/refusal.ts'
import { sessionMethod } from '../../platform/requests/request.ts'
import { countAttempt, passwordLimits, secondFactorLimits, tooMany, tooManyInDay, uncountAttempt } from '../attempts.ts'
import { givenPassword, isPassword } from '../passwords.ts'
import { codeRefusals, codeSchema, readCode } from '../second-factor/code.ts'
import { refuseCode, takeCode, wrongCode } from '../second-factor/store.ts'
import { markFresh } from '../sessions.ts'
import { accountOf } from '../users.ts'

const wrong = 'Password is wrong'

export const confirmSession = sessionMethod({
  path: 'session/confirm',
  summary: 'Confirm that it is still you who uses this session.',
  needsSession: true,
  isForSettingUp: true,
  input: {
    schema: z.object({ password: z.string(), code: codeSchema.optional() }),
    read: (raw) => ({
      password: givenPassword(raw, 'password'),
      code: isPassed(raw, 'code') ? readCode(raw) : undefined,
    }),
  },
  output: z.object({}),
  refusals: ['No password in input', wrong, ...codeRefusals, wrongCode, tooMany, tooManyInDay, ...textRefusals],
  example: { request: { password: 'a long password' }, response: { success: true } },
  run: async ({ password, code }, { session, address }, { pool }) => {
    if (session === undefined) throw new Error('session/confirm requires a session')
    const { companyId, userId, hash, hasSecondFactor } = session
    const limits = passwordLimits(companyId, userId)
    await countAttempt(pool, limits)
    const account = await accountOf(pool, { company_id: companyId, user_id: userId })
    if (account === undefined || !(await isPassword(password, account.password_hash, address)))
      return refuse(wrong, { code: 'wrong_password', field: 'password' })
    await uncountAttempt(pool, limits)
    if (hasSecondFactor) {
      if (code === undefined) return refuse('No code in input', { code: 'required', field: 'code' })
      const ofCodes = secondFactorLimits(companyId, userId, hash)
      await countAttempt(pool, ofCodes)
      if (!(await takeCode(pool, session, code))) return refuseCode()
      await uncountAttempt(pool, ofCodes)
    }
    await markFresh(pool, session)
    return { response: {} }
  },
})
