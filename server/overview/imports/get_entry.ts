// imports/get_entry: an import, with how many of its rows are in each state. App API only.

import { z } from 'zod'
import { requiredId } from '../../kernel/field.ts'
import { JsonText, read } from '../../kernel/method.ts'
import { refuse } from '../../kernel/refusal.ts'
import { statement } from '../../kernel/statement.ts'
import { importIdSchema } from './command.ts'
import { importJson, importSchema } from './get_list.ts'
import { noImport, rowStates } from './store.ts'

type Row = { readonly entry: string; readonly counts: Readonly<Record<string, number>> }

const find = statement<Row, { company_id: number; import_id: number }>(
  'imports.find',
  `select ${importJson} as entry, (
     select coalesce(json_object_agg(c.state, c.rows), '{}') from (
       select r.state, count(*) as rows from import_rows r where r.company_id = :company_id and r.import_id = :import_id group by r.state) c) as counts
   from imports i left join users u on u.company_id = :company_id and u.id = i.user_id
   where i.company_id = :company_id and i.id = :import_id`,
)

export const getImport = read({
  path: 'imports/get_entry',
  api: 'app',
  summary: 'Return an import, and what its rows do or did.',
  input: { schema: z.object({ import_id: importIdSchema }), read: (raw) => ({ id: requiredId(raw, 'import_id') }) },
  output: z.object({
    import: importSchema,
    counts: z
      .object(Object.fromEntries(rowStates.map((state) => [state, z.int()])))
      .describe('The number of rows in each state.'),
  }),
  refusals: ['No import_id in input', noImport],
  example: {
    request: { import_id: 1 },
    response: {
      success: true,
      import: {
        id: 1,
        kind: 'products',
        name: 'products.xlsx',
        status: 'draft',
        rows: 2,
        next_position: 0,
        storage_id: null,
        date: null,
        headings: [['Article', 'sku']],
        user_name: 'Ann',
        created_at: '2026-03-12T09:30:00.000000Z',
        ended_at: null,
      },
      counts: { create: 2, change: 0, unchanged: 0, refused: 0, created: 0, changed: 0, undone: 0, left: 0 },
    },
  },
  query: ({ id }, { companyId }) => find({ company_id: companyId, import_id: id }),
  response: (rows) => {
    const row = rows[0] ?? refuse(noImport, { code: 'record_not_found', field: 'import_id' })
    return {
      import: new JsonText(row.entry),
      counts: Object.fromEntries(rowStates.map((state) => [state, row.counts[state] ?? 0])),
    }
  },
})
