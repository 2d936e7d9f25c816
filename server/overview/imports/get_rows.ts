// imports/get_rows: the rows of an import with what each does or did, page by page. App API only.

import { z } from 'zod'
import { passed, requiredId } from '../../kernel/field.ts'
import { pageSchema } from '../../kernel/filters.ts'
import { JsonText, read } from '../../kernel/method.ts'
import { pageOf, pageRefusals } from '../../kernel/page.ts'
import { refuse } from '../../kernel/refusal.ts'
import { statement } from '../../kernel/statement.ts'
import { integer, nullable, object, text } from '../../platform/postgres/json-sql.ts'
import { importIdSchema } from './command.ts'
import { rowStates } from './store.ts'

const stateRefusal = `Invalid state value. Must be one of: ${rowStates.join(', ')}`
const defaultLimit = 50

type Values = { company_id: number; import_id: number; state: string | null; limit: number; offset: number }

const where = `r.company_id = :company_id and r.import_id = :import_id and (:state::text is null or r.state = :state::text)`

const find = statement<{ total: number; rows: string }, Values>(
  'imports.list_rows',
  `select (select count(*) from import_rows r where ${where}) as total,
     coalesce((select '[' || string_agg(p.row, ',' order by p.position) || ']' from (
       select r.position, ${object([
         ['position', integer('r.position')],
         ['line', integer('r.line')],
         ['fields', 'r.fields::text'],
         ['state', text('r.state')],
         ['changes', nullable('r.changes::text')],
         ['refusal', nullable('r.refusal::text')],
         ['record', nullable(text('r.record'))],
         ['record_id', nullable(integer('r.record_id'))],
       ])} as row
       from import_rows r where ${where} order by r.position limit :limit offset :offset) p), '[]') as rows`,
)

export const listImportRows = read({
  path: 'imports/get_rows',
  api: 'app',
  summary: 'List the rows of an import, in the order in which they are written.',
  input: {
    schema: z.object({
      import_id: importIdSchema,
      state: z.enum(rowStates).optional().describe('Only rows in this state.'),
      ...pageSchema,
    }),
    read: (raw) => {
      const id = requiredId(raw, 'import_id')
      const value = passed(raw, 'state')
      const state =
        value === undefined
          ? null
          : (rowStates.find((one) => one === value) ?? refuse(stateRefusal, { code: 'not_a_choice', field: 'state' }))
      return { id, state, ...pageOf(raw, defaultLimit) }
    },
  },
  output: z.object({
    rows: z.array(
      z.object({
        position: z.int(),
        line: z.int().describe('Line of the file, from 1.'),
        fields: z.record(z.string(), z.unknown()).describe('The fields of the record.'),
        state: z.enum(rowStates),
        changes: z
          .record(z.string(), z.array(z.unknown()))
          .nullable()
          .describe('What the row changes: each field as [before, after].'),
        refusal: z
          .object({
            error: z.string(),
            code: z.string(),
            field: z.string().optional(),
            value: z.union([z.string(), z.number()]).optional(),
            line: z.int().optional(),
            missing: z
              .array(z.object({ code: z.string(), value: z.string() }))
              .optional()
              .describe('All units, categories and suppliers of the row that do not exist.'),
          })
          .nullable()
          .describe('Why the row is refused, or its record not taken back.'),
        record: z.string().nullable().describe('The kind of the record that it created or changed, as in events.'),
        record_id: z.int().nullable(),
      }),
    ),
    total: z.int().describe('Number of rows that match.'),
  }),
  refusals: ['No import_id in input', stateRefusal, ...pageRefusals],
  example: {
    request: { import_id: 1, state: 'refused' },
    response: {
      success: true,
      rows: [
        {
          position: 3,
          line: 5,
          fields: { name: 'Oak table', sku: 'TABLE-1', price: 'cheap' },
          state: 'refused',
          changes: null,
          refusal: {
            error: 'Invalid price value. Must be a number, 0 or greater',
            code: 'not_a_number',
            field: 'price',
          },
          record: null,
          record_id: null,
        },
      ],
      total: 1,
    },
  },
  query: ({ id, ...page }, { companyId }) => find({ company_id: companyId, import_id: id, ...page }),
  response: (rows) => ({ rows: new JsonText(rows[0]?.rows ?? '[]'), total: rows[0]?.total ?? 0 }),
})
