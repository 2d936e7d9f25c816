// company/delete_logo: the company prints no logo on its documents.

import { z } from 'zod'
import { write } from '../../kernel/method.ts'
import { statement } from '../../kernel/statement.ts'
import { logoFacts } from './logo.ts'

const remove = statement<never, { readonly company_id: number }>(
  'company.delete_logo',
  'update companies set logo = null, logo_type = null, logo_tag = null where company_id = :company_id',
)

export const deleteLogo = write({
  path: 'company/delete_logo',
  whenFull: 'always',
  api: 'app',
  role: 'owner',
  summary: 'Delete the logo of the company.',
  input: { schema: z.object({}), read: () => ({}) },
  output: z.object({}),
  refusals: [],
  example: { request: {}, response: { success: true } },
  facts: (_input, { companyId }) => logoFacts({ company_id: companyId }),
  plan: (_input, { tag }) => ({ former: tag }),
  write: ({ former }, { context: { companyId } }) =>
    former === null
      ? undefined
      : {
          statements: [remove({ company_id: companyId })],
          event: { record: 'company', recordId: companyId, change: { logo: [former, null] } },
        },
  response: () => ({}),
})
