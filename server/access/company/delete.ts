// company/delete: the company will be deleted with everything it has stored. Everything works until then, and an owner can keep it.

import { z } from 'zod'
import { nameLength, text, textRefusals } from '../../kernel/field.ts'
import { write } from '../../kernel/method.ts'
import { refuse } from '../../kernel/refusal.ts'
import { securityEvent } from '../security-events.ts'
import { type DeletionFacts, findDeletion, setDeletion } from './deletion.ts'

/** Long enough for another owner to notice it after a holiday. */
export const daysUntilDeletion = 14
const dayMs = 86_400_000

const noName = 'No name in input'
const wrongName = 'Name is not that of the company'

export const deleteOwnCompany = write({
  path: 'company/delete',
  whenFull: 'always',
  api: 'app',
  role: 'owner',
  isForRealCompanies: true,
  needsFreshSignIn: true,
  summary: 'Have the company deleted with everything it has stored.',
  notes: [
    `It is deleted ${daysUntilDeletion} days later, and works until then. Calling it again does not change the day.`,
  ],
  input: {
    schema: z.object({ name: z.string().describe('The name of the company, exactly.') }),
    read: (raw) => ({
      name: text(raw, 'name', { max: nameLength, trim: true }) ?? refuse(noName, { code: 'required', field: 'name' }),
    }),
  },
  output: z.object({ delete_at: z.string().describe('When it is deleted at the earliest.') }),
  refusals: [noName, wrongName, ...textRefusals],
  example: { request: { name: 'Oak Workshop' }, response: { success: true, delete_at: '2026-12-03T09:00:00Z' } },
  facts: (_input, { companyId }) => findDeletion({ company_id: companyId }),
  plan: ({ name }, facts: DeletionFacts, { at }) => {
    if (name !== facts.name.trim()) refuse(wrongName, { code: 'wrong_company_name', field: 'name' })
    const earliest = new Date(Date.parse(at) + daysUntilDeletion * dayMs)
    return { before: facts.delete_at, after: facts.delete_at ?? `${earliest.toISOString().slice(0, 19)}Z` }
  },
  write: ({ before, after }, transaction) =>
    before === null
      ? {
          statements: [
            setDeletion({ company_id: transaction.context.companyId, delete_at: after }),
            securityEvent(transaction, 'company_deletion_requested', { detail: after.slice(0, 10) }),
          ],
          event: {
            record: 'company',
            recordId: transaction.context.companyId,
            change: { delete_at: [before, after] },
            action: 'updated',
          },
        }
      : undefined,
  response: ({ after }) => ({ delete_at: after }),
})
