// session/sign_up: a company with its first user, who owns it.

import { z } from 'zod'
import { nameLength, text } from '../../kernel/field.ts'
import { refuse } from '../../kernel/refusal.ts'
import { entrance } from '../../platform/door.ts'
import { countAttempt, signUpLimits, tooMany } from '../attempts.ts'
import { createCompany, isTimezone } from '../companies.ts'
import { hashPassword, newPassword, passwordRefusals } from '../passwords.ts'
import { emailTaken, readEmail, readName } from '../users.ts'
import { welcome } from '../welcome.ts'

export const signUp = entrance({
  path: 'session/sign_up',
  summary: 'Sign up a company and its owner.',
  needsSession: false,
  input: {
    wire: z.object({
      company: z.string().describe('Name of the company.'),
      name: z.string().describe('Name of the user.'),
      email: z.string().describe('What the user signs in with.'),
      password: z.string().describe('At least ten characters.'),
      timezone: z.string().optional().describe('Time zone of the company, such as Europe/Berlin. Default UTC.'),
    }),
    read: (raw) => ({
      company: readName(raw, 'company'),
      name: readName(raw),
      email: readEmail(raw),
      password: newPassword(raw, 'password'),
      timezone: text(raw, 'timezone', { max: nameLength, trim: true }) ?? 'UTC',
    }),
  },
  output: z.object({}),
  refusals: [
    'Sign-up is closed',
    'No company in input',
    'No name in input',
    'No email in input',
    'Invalid email value. Must be an email address',
    ...passwordRefusals('password'),
    'Time zone not found',
    emailTaken,
    tooMany,
  ],
  example: {
    request: {
      company: 'Oak Workshop',
      name: 'Ada Oak',
      email: 'ada@oak.example',
      password: 'a long password',
      timezone: 'Europe/Berlin',
    },
    response: { success: true },
  },
  enter: async (input, { address }, { pool, signUpIsOpen }) => {
    if (!signUpIsOpen) refuse('Sign-up is closed', 403)
    await countAttempt(pool, signUpLimits(address))
    if (!(await isTimezone(pool, input.timezone))) refuse('Time zone not found')
    const owner = { name: input.name, email: input.email, passwordHash: await hashPassword(input.password) }
    const { company_id: companyId } = await createCompany(pool, input.company, input.timezone, owner)
    return { answer: {}, ...(await welcome(pool, companyId, 1)) }
  },
})
