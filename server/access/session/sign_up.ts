// session/sign_up: create a company with its first user, who owns it. With an SMTP server the address is verified first: the sign-up is stored, and the link of a mail completes it
// (session/confirm_sign_up). A known address cannot be distinguished from an unknown one by response or timing: it gets another company.

import { z } from 'zod'
import { nameLength, text } from '../../kernel/field.ts'
import { Refusal, refuse } from '../../kernel/refusal.ts'
import { timezoneOf } from '../../kernel/timezone.ts'
import { sessionMethod } from '../../platform/requests/request.ts'
import {
  countAttempt,
  requestedMailLimits,
  signUpAttemptLimits,
  signUpLimits,
  tooMany,
  tooManyInDay,
  uncountAttempt,
} from '../attempts.ts'
import { startBrowserSession } from '../browser-session.ts'
import { createCompany, isTimezone } from '../companies.ts'
import { languageRefusal, languageSchema, readLanguage } from '../first-records.ts'
import { mailPolicy } from '../mail/policy.ts'
import { hashPassword, newPassword, passwordRefusals, refuseCommon } from '../passwords.ts'
import { addPendingSignUp } from '../pending-sign-ups.ts'
import { emailHash, readEmail, readName, tooManyCompanies } from '../users.ts'
import { hashOfEmail } from '../users-of-email.ts'

export const signUp = sessionMethod({
  path: 'session/sign_up',
  summary: 'Sign up a company and its owner.',
  needsSession: false,
  input: {
    schema: z.object({
      company: z.string().describe('Name of the company.'),
      name: z.string().describe('Name of the user.'),
      email: z.string().describe('Email the user signs in with.'),
      password: z.string().describe('At least ten characters.'),
      timezone: z.string().optional().describe('Time zone of the company, such as Europe/Berlin. Default UTC.'),
      language: languageSchema.describe(
        'Language of the first storage locations and of the usual units of measure: en, de or ru.',
      ),
    }),
    read: (raw) => {
      const [company, name, email] = [readName(raw, 'company'), readName(raw), readEmail(raw)]
      const password = newPassword(raw, 'password')
      refuseCommon(password, [company, name, email])
      return {
        company,
        name,
        email,
        password,
        timezone: timezoneOf(text(raw, 'timezone', { max: nameLength, trim: true }) ?? 'UTC'),
        language: readLanguage(raw),
      }
    },
  },
  output: z.object({
    is_mailed: z
      .literal(true)
      .optional()
      .describe(
        'The address has to be confirmed with the link of a mail. Absent: the company was created, and its owner is signed in.',
      ),
  }),
  refusals: [
    'Sign-up is closed',
    'No company in input',
    'No name in input',
    'No email in input',
    'Invalid email value. Must be an email address',
    ...passwordRefusals('password'),
    'Time zone not found',
    languageRefusal,
    tooManyCompanies,
    tooMany,
    tooManyInDay,
  ],
  example: {
    request: {
      company: 'Oak Workshop',
      name: 'Ada Oak',
      email: 'ada@oak.example',
      password: 'a long password',
      timezone: 'Europe/Berlin',
      language: 'de',
    },
    response: { success: true },
  },
  run: async (input, { address, agent }, { pool, signUp: policy, onWork }) => {
    if (!policy.isOpen) refuse('Sign-up is closed', { code: 'sign_up_closed' })
    await countAttempt(pool, signUpAttemptLimits(address))
    const limits = signUpLimits(address, policy.perHour, policy.perDay)
    await countAttempt(pool, limits)
    const isMailed = mailPolicy() !== undefined
    if (isMailed) await countAttempt(pool, requestedMailLimits('sign-up mail', emailHash(input.email), address))
    try {
      if (!(await isTimezone(pool, input.timezone)))
        refuse('Time zone not found', { code: 'timezone_not_found', field: 'timezone' })
      const { company, timezone, language } = input
      const passwordHash = await hashPassword(input.password, address, await hashOfEmail(pool, input.email))
      const owner = { name: input.name, email: input.email, passwordHash }
      if (isMailed) {
        const { name, email } = owner
        const pending = { company, name, email, timezone, language: language ?? null, password_hash: passwordHash }
        onWork(await addPendingSignUp(pool, pending))
        return { response: { is_mailed: true } }
      }
      const { company_id: companyId } = await createCompany(pool, company, timezone, {
        owner,
        language,
        showsFirstSteps: true,
      })
      return { response: {}, ...(await startBrowserSession(pool, companyId, 1, { address, agent })) }
    } catch (error) {
      // No company was created.
      if (error instanceof Refusal) await uncountAttempt(pool, limits)
      throw error
    }
  },
})
