// files/delete: removes a file for good. App API only.

import { z } from 'zod'
import { requiredId } from '../../kernel/field.ts'
import { write } from '../../kernel/method.ts'
import { refuse } from '../../kernel/refusal.ts'
import { statement } from '../../kernel/statement.ts'
import { columnOf, fileRecords } from './record.ts'

type Key = { readonly company_id: number; readonly file_id: number }

export const deleteFile = statement<never, Key>(
  'files.delete',
  'delete from files where company_id = :company_id and id = :file_id',
)

type Facts = { readonly file: Readonly<Record<string, unknown>> | null }
const facts = statement<Facts, Key>(
  'files.facts',
  `select (
     select json_build_object('record', case ${fileRecords.map((record) => `when f.${columnOf(record)} is not null then '${record}'`).join(' ')} end,
       'record_id', coalesce(${fileRecords.map((record) => `f.${columnOf(record)}`).join(', ')}),
       'is_picture', f.is_picture, 'name', f.name, 'type', f.type, 'size', f.size, 'tag', f.tag)
     from files f where f.company_id = :company_id and f.id = :file_id) as file`,
)

export const noSuchFile = 'File not found'

export const removeFile = write({
  path: 'files/delete',
  api: 'app',
  whenFull: 'always',
  summary: 'Delete a file.',
  input: {
    schema: z.object({ file_id: z.union([z.int(), z.string()]).describe('Id of the file.') }),
    read: (raw) => ({ id: requiredId(raw, 'file_id') }),
  },
  output: z.object({}),
  refusals: ['No file_id in input', noSuchFile],
  example: { request: { file_id: 1 }, response: { success: true } },
  facts: ({ id }, context) => facts({ company_id: context.companyId, file_id: id }),
  plan: ({ id }, { file }) => ({
    id,
    file: file ?? refuse(noSuchFile, { code: 'record_not_found', field: 'file_id' }),
  }),
  write: ({ id, file }, { context: { companyId } }) => ({
    statements: [deleteFile({ company_id: companyId, file_id: id })],
    event: { record: 'file', recordId: id, change: file },
  }),
  response: () => ({}),
})
