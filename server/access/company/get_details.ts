// company/get_details: what the company prints on its documents.

import { z } from 'zod'
import { type ResponseFields, read } from '../../kernel/method.ts'
import { statement } from '../../kernel/statement.ts'
import { detailsExample, detailsJson, detailsSchema } from './details.ts'

type Row = { readonly details: ResponseFields; readonly logo: string | null }
const find = statement<Row, { readonly company_id: number }>(
  'company.details',
  `select ${detailsJson} as details, 'logo-' || c.logo_tag as logo from companies c where c.company_id = :company_id`,
)

export const getCompanyDetails = read({
  path: 'company/get_details',
  api: 'app',
  role: 'manager',
  summary: 'Read what the company prints on its documents.',
  notes: ['The logo is at `/screens/files/<logo>`.'],
  input: { schema: z.object({}), read: () => ({}) },
  output: z.object({
    details: detailsSchema,
    logo: z.string().nullable().describe('The last part of the address of the logo; null without one.'),
  }),
  refusals: [],
  example: { request: {}, response: { success: true, details: detailsExample, logo: null } },
  query: (_input, { companyId }) => find({ company_id: companyId }),
  response: ([row]) => ({ details: row?.details, logo: row?.logo ?? null }),
})
