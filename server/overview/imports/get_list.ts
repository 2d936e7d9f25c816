// imports/get_list: the imports of the last 30 days, the latest first. App API only.

import { z } from 'zod'
import { JsonText, read } from '../../kernel/method.ts'
import { statement } from '../../kernel/statement.ts'
import { array, integer, nullable, object, text, time } from '../../platform/postgres/json-sql.ts'
import { importKinds } from './row.ts'

/** SQL: an import `i` as JSON text; `u` is the user who began it. */
export const importJson = object([
  ['id', integer('i.id')],
  ['kind', text('i.kind')],
  ['name', text('i.name')],
  ['status', text('i.status')],
  ['rows', integer('i.rows')],
  ['next_position', integer('i.next_position')],
  ['storage_id', nullable(integer('i.storage_id'))],
  ['date', nullable(text('i.counted_on'))],
  ['headings', 'i.headings::text'],
  ['user_name', nullable(text('u.name'))],
  ['created_at', time('i.created_at')],
  ['ended_at', nullable(time('i.ended_at'))],
])

export const importSchema = z.object({
  id: z.int(),
  kind: z.enum(importKinds),
  name: z.string().describe('Name of the file.'),
  status: z.enum(['draft', 'running', 'done', 'undoing', 'undone']),
  rows: z.int().describe('One more than the position of its last row.'),
  next_position: z.int().describe('The next row to write, or to take back.'),
  storage_id: z.int().nullable().describe('Storage location that is counted; null for other kinds.'),
  date: z.string().nullable().describe('Day of the count.'),
  headings: z.array(z.array(z.string())).describe('The field that each heading stands for, as [heading, field].'),
  user_name: z.string().nullable().describe('Who began it.'),
  created_at: z.string(),
  ended_at: z.string().nullable(),
})

const list = statement<{ rows: string }, { company_id: number }>(
  'imports.list',
  `select ${array(
    importJson,
    'from imports i left join users u on u.company_id = :company_id and u.id = i.user_id where i.company_id = :company_id',
    'i.id desc',
  )} as rows`,
)

export const listImports = read({
  path: 'imports/get_list',
  api: 'app',
  summary: 'List the imports of the last 30 days, the latest first.',
  input: { schema: z.object({}), read: () => ({}) },
  output: z.object({ imports: z.array(importSchema) }),
  refusals: [],
  example: { request: {}, response: { success: true, imports: [] } },
  query: (_input, { companyId }) => list({ company_id: companyId }),
  response: (rows) => ({ imports: new JsonText(rows[0]?.rows ?? '[]') }),
})
