// company/get: what a program needs to know of the company before its first call.

import { z } from 'zod'
import { named, type ResponseFields, read } from '../../kernel/method.ts'
import { statement } from '../../kernel/statement.ts'

const find = statement<{ company: ResponseFields }, { readonly company_id: number }>(
  'company.find',
  `select json_build_object('id', c.company_id, 'name', c.name, 'currency', c.currency, 'timezone', c.timezone) as company
   from companies c where c.company_id = :company_id`,
)

export const getCompany = read({
  path: 'company/get',
  role: 'worker',
  isForEveryKey: true,
  summary: 'Read the company of the key.',
  notes: [
    'Every key may call it, also one that is limited to sections. It shows whose key it is, and is a cheap way to check that a key works.',
    'All amounts of money are in `currency`. `timezone` decides which day is today, and when the daily limit begins anew.',
  ],
  input: { schema: z.object({}), read: () => ({}) },
  output: z.object({
    company: named(
      'Company',
      z.object({
        id: z.int().describe('Id of the company.'),
        name: z.string().describe('Name.'),
        currency: z.string().describe('Three letters, such as EUR.'),
        timezone: z.string().describe('Time zone, such as Europe/Berlin.'),
      }),
    ).describe('The company.'),
  }),
  refusals: [],
  example: {
    request: {},
    response: {
      success: true,
      company: { id: 281474976710597, name: 'Oak Workshop', currency: 'EUR', timezone: 'Europe/Berlin' },
    },
  },
  query: (_input, { companyId }) => find({ company_id: companyId }),
  response: ([row]) => ({ company: row?.company }),
})
