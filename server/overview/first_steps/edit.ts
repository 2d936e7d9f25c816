// first_steps/edit: dismiss the first steps or show them again, and note that the details of the company were looked at.

import { z } from 'zod'
import { flag } from '../../kernel/field.ts'
import { write } from '../../kernel/method.ts'
import { difference } from '../../kernel/patch.ts'
import { statement } from '../../kernel/statement.ts'

type State = { readonly shows_first_steps: boolean; readonly details_seen: boolean }

const find = statement<State, { readonly company_id: number }>(
  'first_steps.facts',
  'select c.shows_first_steps, c.details_seen from companies c where c.company_id = :company_id',
)
const update = statement<never, State & { readonly company_id: number }>(
  'first_steps.update',
  'update companies set shows_first_steps = :shows_first_steps, details_seen = :details_seen where company_id = :company_id',
)

export const editFirstSteps = write({
  path: 'first_steps/edit',
  whenFull: 'in reserve',
  api: 'app',
  summary: 'Dismiss the first steps of the company or show them again.',
  input: {
    schema: z.object({
      is_shown: z.boolean().optional().describe('Whether Home shows the steps until they are done.'),
      details_seen: z.boolean().optional().describe('Whether somebody has looked at the details of the company.'),
    }),
    read: (raw) => ({ isShown: flag(raw, 'is_shown'), detailsSeen: flag(raw, 'details_seen') }),
  },
  output: z.object({}),
  refusals: ['Invalid <field> value. Must be one of: 0, 1'],
  example: { request: { is_shown: false }, response: { success: true } },
  facts: (_input, { companyId }) => find({ company_id: companyId }),
  plan: ({ isShown, detailsSeen }, before: State) => {
    const after = {
      shows_first_steps: isShown ?? before.shows_first_steps,
      details_seen: detailsSeen ?? before.details_seen,
    }
    return { after, change: difference(before, after) }
  },
  write: ({ after, change }, { context: { companyId } }) =>
    Object.keys(change).length === 0
      ? undefined
      : {
          statements: [update({ company_id: companyId, ...after })],
          event: { record: 'company', recordId: companyId, change },
        },
  response: () => ({}),
})
