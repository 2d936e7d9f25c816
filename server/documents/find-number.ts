// Finding documents with a given number. Numbers need not be unique; the screens warn about duplicates.

import { z } from 'zod'
import type { ContactKind } from '../contacts/contact.ts'
import { id, nameLength, passed, required, text, textRefusals } from '../kernel/field.ts'
import { JsonText, type ReadMethod, read } from '../kernel/method.ts'
import { naturalKey } from '../kernel/natural.ts'
import { statement } from '../kernel/statement.ts'
import { describeStatuses, type StatusTable } from '../kernel/status.ts'
import { wordFor } from '../platform/lists/record-methods.ts'
import { array, day, integer, object, text as textJson } from '../platform/postgres/json-sql.ts'
import type { DocumentKind } from './document.ts'
import { idSchema } from './fields.ts'

const maxShown = 3

type Numbered = {
  readonly kind: DocumentKind
  /** The customer or supplier of the documents. */
  readonly party: ContactKind
  readonly statuses: StatusTable
  /** A number as an example, and the name of a customer or supplier. */
  readonly example: { readonly num: string; readonly party: string }
}

type Wanted = { readonly num: string; readonly except: number }
type Row = { readonly found: string }
type Values = {
  readonly company_id: number
  readonly num_key: string
  readonly num: string
  readonly except_id: number
}

export function documentFindNumber({ kind, party, statuses, example }: Numbered): ReadMethod<Wanted, Row> {
  const { section, table, noun } = kind
  const word = wordFor(kind)
  const partyName = `${party.noun}_name`
  const idField = `${noun}_id`
  const find = statement<Row, Values>(
    `${table}.find_number`,
    `select ${array(
      object([
        ['id', integer('d.id')],
        ['num', textJson('d.num')],
        ['status', integer('d.status')],
        ['date_placed', day('d.date_placed')],
        [partyName, textJson('u.name')],
      ]),
      `from (
         select o.id, o.num, o.status, o.date_placed, o.${party.noun}_id from ${table} o
         where o.company_id = :company_id and o.num_key = :num_key and o.num = :num and o.id <> :except_id::bigint order by o.id desc limit ${maxShown}) d
       join ${party.section} u on u.company_id = :company_id and u.id = d.${party.noun}_id`,
      'd.id desc',
    )} as found`,
  )
  return read({
    path: `${section}/find_number`,
    api: 'app',
    summary: `Find the ${word}s with a number.`,
    input: {
      schema: z.object({
        num: z.string().describe('The number, with its prefix.'),
        [idField]: idSchema.optional().describe(`A ${word} to leave out: the one being edited.`),
      }),
      read: (raw) => {
        required(raw, 'num')
        const num = text(raw, 'num', { max: nameLength, trim: true }) ?? ''
        return { num, except: id(passed(raw, idField)) }
      },
    },
    output: z.object({
      [section]: z
        .array(
          z.object({
            id: z.int().describe(`Id of the ${word}.`),
            num: z.string().describe('Its number.'),
            status: z.int().describe(describeStatuses(statuses)),
            date_placed: z.string().describe('Its day.'),
            [partyName]: z.string().describe(`Its ${party.noun}.`),
          }),
        )
        .describe(`The last ${maxShown} ${word}s with the number.`),
    }),
    refusals: ['No num in input', ...textRefusals],
    example: {
      request: { num: example.num },
      response: {
        success: true,
        [section]: [{ id: 1, num: example.num, status: 0, date_placed: '2026-03-12', [partyName]: example.party }],
      },
    },
    query: ({ num, except }, { companyId }) =>
      find({ company_id: companyId, num_key: naturalKey(num), num, except_id: except }),
    response: ([row]) => ({ [section]: new JsonText(row?.found ?? '[]') }),
  })
}
