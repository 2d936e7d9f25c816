// test_company/get: when the test company was copied, and whether it is being created.

import { z } from 'zod'
import { read } from '../../kernel/method.ts'
import { findTestState } from './state.ts'

export const getTestCompany = read({
  path: 'test_company/get',
  api: 'app',
  role: 'owner',
  summary: 'Show when the test company was copied, and whether it is being created.',
  input: { schema: z.object({}), read: () => ({}) },
  output: z.object({
    made_at: z.string().nullable().describe('When the company was copied; null: there is no test company.'),
    requested_at: z.string().nullable().describe('When the copy that is being created was requested; null: none is.'),
    failed_at: z.string().nullable().describe('When the last attempt failed; null: it did not.'),
  }),
  refusals: [],
  example: {
    request: {},
    response: { success: true, made_at: '2026-11-19T09:00:00Z', requested_at: null, failed_at: null },
  },
  query: (_input, { companyId }) => findTestState({ company_id: companyId }),
  response: ([row]) => ({
    made_at: row?.made_at ?? null,
    requested_at: row?.requested_at ?? null,
    failed_at: row?.failed_at ?? null,
  }),
})
