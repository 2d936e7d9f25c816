// files/get_list: the files of a record. App API only.

import { z } from 'zod'
import type { RequestContext } from '../../kernel/clock.ts'
import { JsonText, read } from '../../kernel/method.ts'
import { type Statement, statement } from '../../kernel/statement.ts'
import { array, boolean, integer, object, text, time } from '../../platform/postgres/json-sql.ts'
import { maxFiles } from './add.ts'
import { columnOf, fileRecords, type Owner, ownerRefusals, ownerSchema, readOwner, seenFrom } from './record.ts'

type Row = { readonly rows: string }
const listOf = Object.fromEntries(
  fileRecords.map((record) => {
    const rows = array(
      object([
        ['id', integer('f.id')],
        ['is_picture', boolean('f.is_picture')],
        ['name', text('f.name')],
        ['type', text('f.type')],
        ['size', integer('f.size')],
        ['tag', text('f.tag')],
        ['created_at', time('f.created_at')],
      ]),
      `from files f where f.company_id = :company_id and f.${columnOf(record)} = :record_id`,
      'f.is_picture desc, f.id',
    )
    return [
      record,
      statement<Row, { company_id: number; record_id: number }>(`files.list_of_${record}`, `select ${rows} as rows`),
    ]
  }),
)

function list({ record, recordId }: Owner, { companyId }: RequestContext): Statement<Row> {
  const declared = listOf[record]
  if (declared === undefined) throw new Error(`${record} has no files`)
  return declared({ company_id: companyId, record_id: recordId })
}

export const listFiles = read({
  path: 'files/get_list',
  api: 'app',
  role: 'worker',
  roleFor: ({ record }) => seenFrom(record),
  summary: 'List the files of an item or a document.',
  notes: ['A file is at `/screens/files/<id>-<tag>`, its thumbnail at `/screens/files/<id>-<tag>/small`.'],
  input: { schema: z.object(ownerSchema), read: readOwner },
  output: z.object({
    files: z.array(
      z.object({
        id: z.int(),
        is_picture: z.boolean().describe('The picture of the item.'),
        name: z.string(),
        type: z.string().describe('image/jpeg, image/png, image/webp or application/pdf.'),
        size: z.int().describe('In bytes.'),
        tag: z.string().describe('Part of its address.'),
        created_at: z.string(),
      }),
    ),
    limit: z.int().describe('How many files a record may have.'),
  }),
  refusals: ownerRefusals,
  example: { request: { record: 'item', record_id: 1 }, response: { success: true, files: [], limit: maxFiles } },
  query: list,
  response: ([row]) => ({ files: new JsonText(row?.rows ?? '[]'), limit: maxFiles }),
})
