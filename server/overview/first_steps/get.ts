// first_steps/get: which of the first steps of a company are done. Everything is read from what the company has, so that steps tick themselves.

import { z } from 'zod'
import { auditStatus, canceled, purchasesWithReceipts, salesWithShipments } from '../../kernel/document-statuses.ts'
import { type ResponseFields, read } from '../../kernel/method.ts'
import { statement } from '../../kernel/statement.ts'

const find = statement<{ readonly steps: ResponseFields }, { readonly company_id: number }>(
  'first_steps.get',
  `select json_build_object('is_shown', c.shows_first_steps, 'has_example_data', c.example_from_seq is not null, 'steps', json_build_object(
     'company', c.details_seen or c.currency <> 'EUR',
     'items', exists (select from items i where i.company_id = :company_id and i.deleted_at is null),
     'stock', exists (select from audits a where a.company_id = :company_id and a.status = ${auditStatus.completed})
       or exists (select from purchases p where p.company_id = :company_id and p.status in (${purchasesWithReceipts})),
     'sale', exists (select from sales d where d.company_id = :company_id and d.status <> ${canceled}),
     'shipment', exists (select from sales d where d.company_id = :company_id and d.status in (${salesWithShipments})),
     'colleague', exists (select from users u where u.company_id = :company_id and u.id > 1)
       or exists (select from invitations v where v.company_id = :company_id),
     'shop', exists (select from api_keys k where k.company_id = :company_id and k.revoked_at is null)
   )) as steps
   from companies c where c.company_id = :company_id`,
)

const step = (meaning: string) => z.boolean().describe(meaning)

export const getFirstSteps = read({
  path: 'first_steps/get',
  api: 'app',
  summary: 'Read which of the first steps of the company are done.',
  input: { schema: z.object({}), read: () => ({}) },
  output: z.object({
    is_shown: z.boolean().describe('Whether Home shows the steps until they are done.'),
    has_example_data: z.boolean().describe('Whether there is example data, which example_data/delete removes.'),
    steps: z
      .object({
        company: step('Somebody has looked at the details of the company, or chosen its currency.'),
        items: step('There are items.'),
        stock: step('Stock was counted or received.'),
        sale: step('There is a sale.'),
        shipment: step('Goods of a sale were shipped.'),
        colleague: step('Somebody else uses Kontor, or is invited.'),
        shop: step('There is an API key.'),
      })
      .describe('Each step, true when it is done.'),
  }),
  refusals: [],
  example: {
    request: {},
    response: {
      success: true,
      is_shown: true,
      has_example_data: false,
      steps: {
        company: true,
        items: true,
        stock: false,
        sale: false,
        shipment: false,
        colleague: false,
        shop: false,
      },
    },
  },
  query: (_input, { companyId }) => find({ company_id: companyId }),
  response: ([row]) => row?.steps ?? {},
})
