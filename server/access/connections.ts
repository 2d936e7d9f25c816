// API connections and their keys, as the screens show and change them. A key is shown once, when it is created.
// Long because the list, the changes and the keys of a connection are declared side by side.

import { z } from 'zod'
import { id, integer, nameLength, passed, required, text, textRefusals } from '../kernel/field.ts'
import type { Raw } from '../kernel/json.ts'
import { JsonText, read, write } from '../kernel/method.ts'
import { requiredName } from '../kernel/name.ts'
import { difference } from '../kernel/patch.ts'
import { refuse } from '../kernel/refusal.ts'
import { statement } from '../kernel/statement.ts'
import {
  array,
  boolean,
  integer as integerSql,
  nullable,
  object,
  text as textSql,
  time,
} from '../platform/postgres/json-sql.ts'
import { insertConnection, insertKey } from './companies.ts'
import { hashOf, hintOf, keyIdOf, keyOf, newKeySecret } from './keys.ts'
import { apiSections, readScope, type Scope, scopeRefusals, scopeSchema, wholeScope } from './scope.ts'
import { securityEvent } from './security-events.ts'

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
      ['read_only', boolean('n.read_only')],
      ['sections', nullable('to_json(n.sections)::text')],
      ['expires_on', nullable(textSql('n.expires_on'))],
      ['networks', nullable('to_json(n.networks)::text')],
      ['hides_costs', boolean('n.hides_costs')],
      ['daily_limit', nullable(integerSql('n.daily_limit'))],
      ['last_used_on', nullable(textSql('n.last_used_on'))],
      ['last_used_from', nullable(textSql('n.last_used_from'))],
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
        read_only: z.boolean().describe('Its keys may call only methods that read.'),
        sections: z.array(z.string()).nullable().describe('Sections that its keys may call; null: all.'),
        expires_on: z.string().nullable().describe('The last day on which its keys work.'),
        networks: z.array(z.string()).nullable().describe('Networks from which its keys may be used; null: any.'),
        hides_costs: z.boolean().describe('Costs are left out of the responses to its keys.'),
        daily_limit: z.int().nullable().describe('Requests per day; null: all those of the company.'),
        last_used_on: z.string().nullable().describe('Day of its last use, in UTC.'),
        last_used_from: z.string().nullable().describe('Address of its last use.'),
        keys: z.array(keySchema),
      }),
    ),
    api_sections: z.array(z.string()).describe('All sections of the API.'),
  }),
  refusals: [],
  example: { request: {}, response: { success: true, connections: [], api_sections: [] } },
  query: (_input, context) => list({ company_id: context.companyId }),
  response: ([row]) => ({ connections: new JsonText(row?.rows ?? '[]'), api_sections: apiSections }),
})

type CompanyFacts = { readonly is_test: boolean }
const companyFacts = statement<CompanyFacts, { company_id: number }>(
  'connections.company',
  'select test_of is not null as is_test from companies where company_id = :company_id',
)

const addConnection = write({
  path: 'connections/add',
  api: 'app',
  role: 'owner',
  needsFreshSignIn: true,
  showsSecret: true,
  summary: 'Create an API connection and its first key.',
  input: {
    schema: z.object({ name: z.string(), number_prefix: prefixSchema.optional(), ...scopeSchema }),
    // The key is generated before the plan, which must be deterministic.
    read: (raw) => ({
      name: requiredName(raw, 'Connection'),
      prefix: readPrefix(raw) ?? '',
      scope: { ...wholeScope, ...readScope(raw) },
      secret: newKeySecret(),
    }),
  },
  output: z.object({ connection_id: z.int(), api_key: z.string().describe('Shown only once.') }),
  refusals: [
    'No name in input',
    'Connection name must not be empty',
    'Connection name must be a string',
    ...scopeRefusals,
    ...textRefusals,
  ],
  example: {
    request: { name: 'Web shop', number_prefix: 'W-', sections: ['orders', 'stock'] },
    response: { success: true, connection_id: 2, api_key: 'kontor_live_…' },
  },
  facts: (_input, context) => companyFacts({ company_id: context.companyId }),
  plan: ({ secret, ...input }, { is_test: isTest }: CompanyFacts, transaction) => ({
    ...input,
    key: keyOf(secret, { isTest }),
    id: transaction.ids.next('connection_id'),
  }),
  write: ({ id: connectionId, name, prefix, scope, key }, transaction) => {
    const { companyId } = transaction.context
    return {
      statements: [
        securityEvent(transaction, 'key_created', { detail: `${hintOf(key)} (${name})` }),
        insertConnection({ company_id: companyId, connection_id: connectionId, name, number_prefix: prefix, ...scope }),
        insertKey({ company_id: companyId, key_hash: hashOf(key), connection_id: connectionId, hint: hintOf(key) }),
      ],
      event: {
        record: 'connection',
        recordId: connectionId,
        change: { key: hintOf(key), name, number_prefix: prefix, ...scope },
      },
    }
  },
  response: ({ id: connectionId, key }) => ({ connection_id: connectionId, api_key: key }),
})

type Connection = Scope & { readonly name: string; readonly number_prefix: string }
type Facts = CompanyFacts & { readonly connection: Connection | null }
const facts = statement<Facts, { company_id: number; connection_id: number }>(
  'connections.find',
  `select (select json_build_object('name', n.name, 'number_prefix', n.number_prefix, 'read_only', n.read_only, 'sections', n.sections,
       'expires_on', n.expires_on, 'networks', n.networks, 'hides_costs', n.hides_costs, 'daily_limit', n.daily_limit)
     from api_connections n where n.company_id = :company_id and n.id = :connection_id) as connection,
     (select c.test_of is not null from companies c where c.company_id = :company_id) as is_test`,
)
const update = statement<never, Connection & { company_id: number; connection_id: number }>(
  'connections.update',
  `update api_connections set name = :name, number_prefix = :number_prefix, read_only = :read_only, sections = :sections,
     expires_on = :expires_on, networks = :networks, hides_costs = :hides_costs, daily_limit = :daily_limit where company_id = :company_id and id = :connection_id`,
)

const editConnection = write({
  path: 'connections/edit',
  api: 'app',
  role: 'owner',
  needsFreshSignIn: true,
  summary:
    'Change the name, the number prefix or the rights of an API connection. Its keys have the new rights at once.',
  input: {
    schema: z.object({
      connection_id: connectionIdSchema,
      name: z.string().optional(),
      number_prefix: prefixSchema.optional(),
      ...scopeSchema,
    }),
    read: (raw) => {
      const connectionId = readConnectionId(raw)
      const name = text(raw, 'name', { max: nameLength, trim: true })
      if (name === '') refuse('Connection name must not be empty', { code: 'required', field: 'name' })
      return { id: connectionId, name, prefix: readPrefix(raw), scope: readScope(raw) }
    },
  },
  output: z.object({}),
  refusals: [
    'No connection_id in input',
    'Connection name must not be empty',
    ...scopeRefusals,
    noSuch,
    ...textRefusals,
  ],
  example: { request: { connection_id: 2, name: 'Web shop' }, response: { success: true } },
  facts: (input, context) => facts({ company_id: context.companyId, connection_id: input.id }),
  plan: (input, { connection }: Facts) => {
    const before = connection ?? refuse(noSuch, { code: 'record_not_found' })
    const own = { name: input.name ?? before.name, number_prefix: input.prefix ?? before.number_prefix }
    const after = { ...before, ...input.scope, ...own }
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
  whenFull: 'in reserve',
  api: 'app',
  role: 'owner',
  needsFreshSignIn: true,
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
      return { id: connectionId, hours, secret: newKeySecret() }
    },
  },
  output: z.object({ api_key: z.string().describe('Shown only once.') }),
  refusals: ['No connection_id in input', overlapRefusal, noSuch],
  example: { request: { connection_id: 1, overlap_hours: 24 }, response: { success: true, api_key: 'kontor_live_…' } },
  facts: (input, context) => facts({ company_id: context.companyId, connection_id: input.id }),
  plan: ({ secret, ...input }, { connection, is_test: isTest }: Facts) => {
    if (connection === null) return refuse(noSuch, { code: 'record_not_found' })
    return { ...input, key: keyOf(secret, { isTest }), name: connection.name }
  },
  write: ({ id: connectionId, hours, key, name }, transaction) => {
    const {
      at,
      context: { companyId },
    } = transaction
    return {
      statements: [
        securityEvent(transaction, 'key_created', { detail: `${hintOf(key)} (${name})` }),
        expireOthers({
          company_id: companyId,
          connection_id: connectionId,
          expires_at: new Date(Date.parse(at) + hours * 3_600_000).toISOString(),
        }),
        insertKey({ company_id: companyId, key_hash: hashOf(key), connection_id: connectionId, hint: hintOf(key) }),
      ],
      event: { record: 'connection', recordId: connectionId, change: { key: hintOf(key), overlap_hours: hours } },
    }
  },
  response: ({ key }) => ({ api_key: key }),
})

export const connectionMethods = [listConnections, addConnection, editConnection, rollKey]
