// security_events/get_list: who signed in or failed to, and who changed the access to the company, newest first.

import { z } from 'zod'
import { array, date, id, passed, textRefusals, tooMany } from '../../kernel/field.ts'
import { pageSchema, searchPattern } from '../../kernel/filters.ts'
import { foldedSql } from '../../kernel/folded-text.ts'
import type { Raw } from '../../kernel/json.ts'
import { JsonText, read } from '../../kernel/method.ts'
import { pageOf, pageRefusals } from '../../kernel/page.ts'
import { refuse } from '../../kernel/refusal.ts'
import { statement } from '../../kernel/statement.ts'
import { integer, nullable, object, type Shape, text, time } from '../../platform/postgres/json-sql.ts'
import { startOfDay } from '../day-start.ts'
import { securityKinds } from '../security-events.ts'

const nameOf = (column: string): string =>
  `(select u.name from users u where u.company_id = :company_id and u.id = ${column})`

const fields: Shape = [
  ['id', text('e.id')],
  ['at', time('e.at')],
  ['kind', text('e.kind')],
  ['user_id', nullable(integer('e.user_id'))],
  ['user_name', nullable(text(nameOf('e.user_id')))],
  ['about_name', nullable(text(nameOf('e.about_user_id')))],
  ['detail', nullable(text('e.detail'))],
  ['address', nullable(text('e.address'))],
  ['browser', nullable(text('e.browser'))],
  ['system', nullable(text('e.system'))],
]

/** The start of a day of the company. */
const dayStart = (parameter: string, days: number): string =>
  `(select ${startOfDay(`${parameter}::date + ${days}`, 'c.timezone')} from companies c where c.company_id = :company_id)`

const found = `from security_events e where e.company_id = :company_id
  and (:kinds::text[] is null or e.kind = any(:kinds::text[]))
  and (:user_id::bigint is null or e.user_id = :user_id or e.about_user_id = :user_id)
  and (:search::text is null or ${foldedSql(`concat_ws(' ', ${nameOf('e.user_id')}, ${nameOf('e.about_user_id')}, e.detail, e.address, e.browser, e.system)`)} like :search)
  and (:date_from::date is null or e.at >= ${dayStart(':date_from', 0)})
  and (:date_to::date is null or e.at < ${dayStart(':date_to', 1)})`

type Filters = {
  readonly kinds: readonly string[] | null
  readonly user_id: number | null
  readonly search: string | null
  readonly date_from: string | null
  readonly date_to: string | null
}
type Row = { readonly total: number; readonly rows: string }

const list = statement<Row, Filters & { company_id: number; limit: number; offset: number }>(
  'security_events.list',
  `select (select count(*) ${found}) as total, (
     select coalesce(string_agg(x.json, ',' order by x.at desc, x.id desc), '') from (
       select ${object(fields)} as json, e.at, e.id ${found} order by e.at desc, e.id desc limit :limit::bigint offset :offset::bigint
     ) x) as rows`,
)

const invalidKinds = `Invalid kinds value. Must be any of: ${securityKinds.join(', ')}`
const tooManyKinds = tooMany('kinds', securityKinds.length)

function readKinds(raw: Raw): readonly string[] | null {
  const kinds = array(raw, 'kinds', securityKinds.length)
  if (kinds === undefined || kinds.length === 0) return null
  return kinds.map(
    (one) =>
      securityKinds.find((kind) => kind === one) ?? refuse(invalidKinds, { code: 'not_a_choice', field: 'kinds' }),
  )
}

const exampleTime = '2026-03-12T09:30:00.000000Z'

export const listSecurityEvents = read({
  path: 'security_events/get_list',
  api: 'app',
  role: 'owner',
  summary: 'List sign-ins, failed sign-ins and changes of access, newest first.',
  notes: ['They are kept for 365 days. At most 100 failed sign-ins in an hour are stored.'],
  input: {
    schema: z.object({
      kinds: z
        .array(z.enum(securityKinds))
        .max(securityKinds.length)
        .optional()
        .describe('Only events of these kinds.'),
      user_id: z.union([z.int(), z.string()]).optional().describe('Only events of this user, or about this user.'),
      search: z.string().optional().describe('Part of a name, a detail, an address or a browser.'),
      date_from: z.string().optional().describe("A day of the company's, `YYYY-MM-DD`."),
      date_to: z.string().optional().describe("A day of the company's, `YYYY-MM-DD`."),
      ...pageSchema,
    }),
    read: (raw) => {
      const user = passed(raw, 'user_id')
      const filters: Filters = {
        kinds: readKinds(raw),
        user_id: user === undefined ? null : id(user),
        search: searchPattern(raw),
        date_from: date(raw, 'date_from') ?? null,
        date_to: date(raw, 'date_to') ?? null,
      }
      return { filters, page: pageOf(raw, 50) }
    },
  },
  output: z.object({
    security_events: z.array(
      z.object({
        id: z.string(),
        at: z.string(),
        kind: z.enum(securityKinds).describe('What happened.'),
        user_id: z.int().nullable(),
        user_name: z
          .string()
          .nullable()
          .describe('Who did it, or was to be signed in as; null for the operator of the server.'),
        about_name: z.string().nullable().describe('Another user whom it is about.'),
        detail: z.string().nullable().describe('The invited email, the new role, or the visible part of a key.'),
        address: z.string().nullable().describe('IP address.'),
        browser: z.string().nullable().describe('Name of the browser, such as Firefox.'),
        system: z.string().nullable().describe('Name of the operating system, such as Windows.'),
      }),
    ),
    total: z.int(),
  }),
  refusals: [
    'Kinds is not an array',
    tooManyKinds,
    invalidKinds,
    'Date is not a valid date in format YYYY-MM-DD',
    ...pageRefusals,
    ...textRefusals,
  ],
  example: {
    request: { limit: 50 },
    response: {
      success: true,
      security_events: [
        {
          id: '5-q8Zb1nV0x_Yc2R',
          at: exampleTime,
          kind: 'signed_in',
          user_id: 1,
          user_name: 'Ada Oak',
          about_name: null,
          detail: null,
          address: '192.0.2.7',
          browser: 'Firefox',
          system: 'Windows',
        },
      ],
      total: 1,
    },
  },
  query: ({ filters, page }, context) =>
    list({ company_id: context.companyId, ...filters, limit: page.limit, offset: page.offset }),
  response: ([row]) => ({ security_events: new JsonText(`[${row?.rows ?? ''}]`), total: row?.total ?? 0 }),
})
