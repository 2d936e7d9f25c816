// settings/get: the settings of the company.

import { z } from 'zod'
import { type Answer, read } from '../../kernel/method.ts'
import { statement } from '../../kernel/statement.ts'
import { settingsExample, settingsJson, settingsWire } from '../settings.ts'

const find = statement<{ settings: Answer }>(
  'settings.get',
  `select ${settingsJson} as settings from companies c where c.company_id = $1`,
)

export const getSettings = read({
  path: 'settings/get',
  door: 'screens',
  role: 'worker',
  summary: 'Read the settings of the company.',
  input: { wire: z.object({}), read: () => ({}) },
  output: z.object({ settings: settingsWire }),
  refusals: [],
  example: { request: {}, response: { success: true, settings: settingsExample } },
  query: (_input, call) => find(call.companyId),
  answer: ([row]) => ({ settings: row?.settings }),
})
