// API connections and their keys, as the screens show and change them. A key is shown once, when it is created.

import { z } from 'zod'
import { id, integer, nameLength, passed, required, text, textRefusals } from '../kernel/field.ts'
import type { Raw } from '../kernel/json.ts'
import { JsonText, read, write } from '../kernel/method.ts'
import { requiredName } from '../kernel/name.ts'
import { difference } from '../kernel/patch.ts'
import { refuse } from '../kernel/refusal.ts'
import { statement } from '../kernel/statement.ts'
import { array, integer as integerSql, nullable, object, text as textSql, time } from '../platform/postgres/json-sql.ts'
import { insertConnection, insertKey } from './companies.ts'
import { hashOf, hintOf, keyIdOf, newKey } from './keys.ts'

const noSuch = 'Connection not found'
const longestPrefix = 32

const connectionIdSchema = z.union([z.int(), z.string()]).describe('Id of the connection.')
const prefixSchema = z.string().describe('Prefix of the numbers of sales added through the connection.')

const readPrefix = (raw: Raw): string | undefined => text(raw, 'number_prefix', { max: longestPrefix })
const readConnectionId = (raw: Raw): number => id(required(raw, 'connection_id'))

const list = statement<{ rows: string }, { company_id: number }>(
  'connections.list',
  `select ${array(
    object([
      ['id', integerSql('n.id')],
      ['name', textSql('n.name')],
      ['number_prefix', textSql('n.number_prefix')],
      ['created_at', time('n.created_at')],
      [
        'keys',
        array(
          object([
            ['key_id', textSql(keyIdOf('k'))],
            ['hint', textSql('k.hint')],
            ['created_at', time('k.created_at')],
            ['expires_at', nullable(time('k.expires_at'))],
            ['revoked_at', nullable(time('k.revoked_at'))],
          ]),
          'from api_keys k where k.company_id = :company_id and k.connection_id = n.id',
          'k.created_at, k.key_hash',
        ),
      ],
    ]),
    'from api_connections n where n.company_id = :company_id',
    'n.id',
  )} as rows`,
)

const keySchema = z.object({
  key_id: z.string(),
  hint: z.string(),
  created_at: z.string(),
  expires_at: z.string().nullable(),
  revoked_at: z.string().nullable(),
})

const listConnections = read({
  path: 'connections/get_list',
  api: 'app',
  role: 'owner',
  summary: 'List the API connections with the visible part of their keys.',
  input: { schema: z.object({}), read: () => ({}) },
  output: z.object({
    connections: z.array(
      z.object({
        id: z.int(),
        name: z.string(),
        number_prefix: z.string(),
        created_at: z.string(),
        keys: z.array(keySchema),
      }),
    ),
  }),
  refusals: [],
  example: { request: {}, response: { success: true, connections: [] } },
  query: (_input, context) => list({ company_id: context.companyId }),
  response: ([row]) => ({ connections: new JsonText(row?.rows ?? '[]') }),
})

const nothing = statement<object, { company_id: number }>(
  'connections.no_facts',
  'select seq from company_clock where company_id = :company_id',
)

const addConnection = write({
  path: 'connections/add',
  api: 'app',
  role: 'owner',
  showsSecret: true,
  summary: 'Create an API connection and its first key.',
  input: {
    schema: z.object({ name: z.string(), number_prefix: prefixSchema.optional() }),
    // The key is generated before the plan, which must be deterministic.
    read: (raw) => ({ name: requiredName(raw, 'Connection'), prefix: readPrefix(raw) ?? '', key: newKey() }),
  },
  output: z.object({ connection_id: z.int(), api_key: z.string().describe('Shown only once.') }),
  refusals: [
    'No name in input',
    'Connection name must not be empty',
    'Connection name must be a string',
    ...textRefusals,
  ],
  example: {
    request: { name: 'Web shop', number_prefix: 'W-' },
    response: { success: true, connection_id: 2, api_key: 'kontor_live_…' },
  },
  facts: (_input, context) => nothing({ company_id: context.companyId }),
  plan: (input, _facts, transaction) => ({ ...input, id: transaction.ids.next('connection_id') }),
  write: ({ id: connectionId, name, prefix, key }, { context: { companyId } }) => ({
    statements: [
      insertConnection({ company_id: companyId, connection_id: connectionId, name, number_prefix: prefix }),
      insertKey({ company_id: companyId, key_hash: hashOf(key), connection_id: connectionId, hint: hintOf(key) }),
    ],
    event: {
      record: 'connection',
      recordId: connectionId,
      change: { key: hintOf(key), name, number_prefix: prefix },
    },
  }),
  response: ({ id: connectionId, key }) => ({ connection_id: connectionId, api_key: key }),
})

type Facts = { readonly connection: { readonly name: string; readonly number_prefix: string } | null }
const facts = statement<Facts, { company_id: number; connection_id: number }>(
  'connections.find',
  `select (select json_build_object('name', n.name, 'number_prefix', n.number_prefix)
     from api_connections n where n.company_id = :company_id and n.id = :connection_id) as connection`,
)
const update = statement<never, { company_id: number; connection_id: number; name: string; number_prefix: string }>(
  'connections.update',
  'update api_connections set name = :name, number_prefix = :number_prefix where company_id = :company_id and id = :connection_id',
)

const editConnection = write({
  path: 'connections/edit',
  api: 'app',
  role: 'owner',
  summary: 'Change the name or the number prefix of an API connection.',
  input: {
    schema: z.object({
      connection_id: connectionIdSchema,
      name: z.string().optional(),
      number_prefix: prefixSchema.optional(),
    }),
    read: (raw) => {
      const connectionId = readConnectionId(raw)
      const name = text(raw, 'name', { max: nameLength, trim: true })
      if (name === '') refuse('Connection name must not be empty', { code: 'required', field: 'name' })
      return { id: connectionId, name, prefix: readPrefix(raw) }
    },
  },
  output: z.object({}),
  refusals: ['No connection_id in input', 'Connection name must not be empty', noSuch, ...textRefusals],
  example: { request: { connection_id: 2, name: 'Web shop' }, response: { success: true } },
  facts: (input, context) => facts({ company_id: context.companyId, connection_id: input.id }),
  plan: (input, { connection }: Facts) => {
    const before = connection ?? refuse(noSuch, { code: 'record_not_found' })
    const after = { name: input.name ?? before.name, number_prefix: input.prefix ?? before.number_prefix }
    return { id: input.id, after, change: difference(before, after) }
  },
  write: ({ id: connectionId, after, change }, { context: { companyId } }) =>
    Object.keys(change).length === 0
      ? undefined
      : {
          statements: [update({ company_id: companyId, connection_id: connectionId, ...after })],
          event: { record: 'connection', recordId: connectionId, change },
        },
  response: () => ({}),
})

const longestOverlap = 168
const overlapRefusal = `Invalid overlap_hours value. Must be between 0 and ${longestOverlap}`

// Keys that expire earlier keep their own expiry.
const expireOthers = statement<never, { company_id: number; connection_id: number; expires_at: string }>(
  'keys.expire_others',
  `update api_keys set expires_at = least(expires_at, :expires_at::timestamptz)
   where company_id = :company_id and connection_id = :connection_id and revoked_at is null`,
)

const rollKey = write({
  path: 'keys/roll',
  isAllowedWhenFull: true,
  api: 'app',
  role: 'owner',
  showsSecret: true,
  summary: 'Issue a new key for a connection; its older keys expire after the overlap.',
  input: {
    schema: z.object({
      connection_id: connectionIdSchema,
      overlap_hours: z.int().optional().describe('How many hours the older keys stay valid, 0 to 168. Default 24.'),
    }),
    read: (raw) => {
      const connectionId = readConnectionId(raw)
      const value = passed(raw, 'overlap_hours')
      const hours = value === undefined ? 24 : (integer(value) ?? -1)
      if (hours < 0 || hours > longestOverlap) refuse(overlapRefusal, { code: 'out_of_range', field: 'overlap_hours' })
      return { id: connectionId, hours, key: newKey() }
    },
  },
  output: z.object({ api_key: z.string().describe('Shown only once.') }),
  refusals: ['No connection_id in input', overlapRefusal, noSuch],
  example: { request: { connection_id: 1, overlap_hours: 24 }, response: { success: true, api_key: 'kontor_live_…' } },
  facts: (input, context) => facts({ company_id: context.companyId, connection_id: input.id }),
  plan: (input, { connection }: Facts) => {
    if (connection === null) refuse(noSuch, { code: 'record_not_found' })
    return input
  },
  write: ({ id: connectionId, hours, key }, { context: { companyId }, at }) => ({
    statements: [
      expireOthers({
        company_id: companyId,
        connection_id: connectionId,
        expires_at: new Date(Date.parse(at) + hours * 3_600_000).toISOString(),
      }),
      insertKey({ company_id: companyId, key_hash: hashOf(key), connection_id: connectionId, hint: hintOf(key) }),
    ],
    event: { record: 'connection', recordId: connectionId, change: { key: hintOf(key), overlap_hours: hours } },
  }),
  response: ({ key }) => ({ api_key: key }),
})

export const connectionMethods = [listConnections, addConnection, editConnection, rollKey]
