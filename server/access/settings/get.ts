// settings/get: the settings of the company.

import { z } from 'zod'
import { type ResponseFields, read } from '../../kernel/method.ts'
import { statement } from '../../kernel/statement.ts'
import { settingsExample, settingsJson, settingsSchema } from '../settings.ts'

const find = statement<{ settings: ResponseFields }, { company_id: number }>(
  'settings.get',
  `select ${settingsJson} as settings from companies c where c.company_id = :company_id`,
)

export const getSettings = read({
  path: 'settings/get',
  api: 'app',
  role: 'worker',
  summary: 'Read the settings of the company.',
  input: { schema: z.object({}), read: () => ({}) },
  output: z.object({ settings: settingsSchema }),
  refusals: [],
  example: { request: {}, response: { success: true, settings: settingsExample } },
  query: (_input, context) => find({ company_id: context.companyId }),
  response: ([row]) => ({ settings: row?.settings }),
})
