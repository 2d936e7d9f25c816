// session/request_reset: have a link sent that sets a new password. An unknown email cannot be distinguished from a known one by response or timing: for it the
// same is written, under the number of no company, and nobody sends it.

import { z } from 'zod'
import { textRefusals } from '../../kernel/field.ts'
import { now } from '../../platform/process/now.ts'
import { sessionMethod } from '../../platform/requests/request.ts'
import { countAttempt, numberOfNone, requestedMailLimits, tooMany, tooManyInDay } from '../attempts.ts'
import { languageRefusal, languageSchema, readLanguage } from '../first-records.ts'
import { inCompany } from '../in-company.ts'
import { noMails, refuseWithoutMails } from '../mail/links.ts'
import { newMailId, queueMail } from '../mail/outbox.ts'
import { mailPolicy } from '../mail/policy.ts'
import { emailHash, emailRefusals, findSignIns, readEmail, type SignIn } from '../users.ts'

export const requestReset = sessionMethod({
  path: 'session/request_reset',
  summary: 'Have a mail sent with a link that sets a new password.',
  notes: ['The response does not show whether the email belongs to an account.'],
  needsSession: false,
  input: {
    schema: z.object({
      email: z.string(),
      language: languageSchema.describe('Language of the mail: en, de or ru; default en.'),
    }),
    read: (raw) => ({ email: readEmail(raw), language: readLanguage(raw) ?? 'en' }),
  },
  output: z.object({}),
  refusals: [...emailRefusals, languageRefusal, noMails, tooMany, tooManyInDay, ...textRefusals],
  example: { request: { email: 'ada@oak.example', language: 'en' }, response: { success: true } },
  run: async ({ email, language }, { address }, { pool, onWork }) => {
    if (mailPolicy() === undefined) refuseWithoutMails()
    const account = emailHash(email)
    await countAttempt(pool, requestedMailLimits('password reset', account, address))
    const found = await pool.use((connection) => connection.roundTrip([findSignIns({ email_hash: account })]))
    // One mail, whatever the number of companies. When it is sent, those of the others follow.
    const [known] = found.rows<SignIn>(0)
    const companyId = known?.company_id ?? numberOfNone(account)
    const mail = queueMail({
      company_id: companyId,
      mail_id: newMailId(),
      kind: 'password_reset',
      // The address of somebody without an account is not stored.
      recipient: known === undefined ? '' : email,
      language,
      at: now(),
      user_id: known?.user_id ?? null,
    })
    await inCompany(pool, companyId, ...mail)
    onWork(companyId)
    return { response: {} }
  },
})
