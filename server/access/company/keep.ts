// company/keep: a company that was to be deleted is kept.

import { z } from 'zod'
import { write } from '../../kernel/method.ts'
import { securityEvent } from '../security-events.ts'
import { findDeletion, setDeletion } from './deletion.ts'

export const keepCompany = write({
  path: 'company/keep',
  whenFull: 'always',
  api: 'app',
  role: 'owner',
  summary: 'Keep a company that was to be deleted.',
  input: { schema: z.object({}), read: () => ({}) },
  output: z.object({}),
  refusals: [],
  example: { request: {}, response: { success: true } },
  facts: (_input, { companyId }) => findDeletion({ company_id: companyId }),
  plan: (_input, { delete_at: before }) => ({ before }),
  write: ({ before }, transaction) =>
    before === null
      ? undefined
      : {
          statements: [
            setDeletion({ company_id: transaction.context.companyId, delete_at: null }),
            securityEvent(transaction, 'company_kept'),
          ],
          event: {
            record: 'company',
            recordId: transaction.context.companyId,
            change: { delete_at: [before, null] },
            action: 'updated',
          },
        },
  response: () => ({}),
})
