// company/edit_details: changes what the company prints on its documents.

import { z } from 'zod'
import { invalidCountry } from '../../kernel/country.ts'
import { textRefusals } from '../../kernel/field.ts'
import { write } from '../../kernel/method.ts'
import { difference } from '../../kernel/patch.ts'
import { statement } from '../../kernel/statement.ts'
import {
  type CompanyDetails,
  choiceRefusals,
  detailFields,
  detailsJson,
  detailsSchema,
  readDetails,
} from './details.ts'

type Facts = { readonly before: CompanyDetails }
const facts = statement<Facts, { readonly company_id: number }>(
  'company.details_facts',
  `select ${detailsJson} as before from companies c where c.company_id = :company_id`,
)

const update = statement<never, CompanyDetails & { readonly company_id: number }>(
  'company.update_details',
  `update companies set ${detailFields.map((field) => `${field} = :${field}`).join(', ')} where company_id = :company_id`,
)

export const editCompanyDetails = write({
  path: 'company/edit_details',
  whenFull: 'in reserve',
  api: 'app',
  role: 'owner',
  summary: 'Change what the company prints on its documents.',
  notes: ['Only the fields that are passed change. An empty text removes one.'],
  input: { schema: detailsSchema.partial(), read: readDetails },
  output: z.object({}),
  refusals: [invalidCountry, ...choiceRefusals, ...textRefusals],
  example: { request: { legal_name: 'Oak Workshop GmbH', country: 'DE' }, response: { success: true } },
  facts: (_input, { companyId }) => facts({ company_id: companyId }),
  plan: (input, { before }) => {
    const after = { ...before, ...input }
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
