// API connections and their keys, as the screens show and change them. A key is shown once, when it is made.

import { z } from 'zod'
import { id, integer, nameLength, passed, required, text, textRefusals } from '../kernel/field.ts'
import type { Raw } from '../kernel/json.ts'
import { JsonText, read, write } from '../kernel/method.ts'
import { requiredName } from '../kernel/name.ts'
import { difference } from '../kernel/patch.ts'
import { refuse } from '../kernel/refusal.ts'
import { statement } from '../kernel/statement.ts'
import { array, integer as integerSql, nullable, object, text as textSql, time } from '../platform/json-sql.ts'
import { insertConnection, insertKey } from './companies.ts'
import { hashOf, hintOf, keyIdOf, newKey } from './keys.ts'

const noSuch = 'Connection not found'
const longestPrefix = 32

const connectionIdWire = z.union([z.int(), z.string()]).describe('Id of the connection.')
const prefixWire = z.string().describe('What stands before the numbers of sales made through the connection.')

const readPrefix = (raw: Raw): string | undefined => text(raw, 'number_prefix', { max: longestPrefix })
const readConnectionId = (raw: Raw): number => id(required(raw, 'connection_id'))

const list = statement<{ rows: string }>(
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
          'from api_keys k where k.company_id = $1 and k.connection_id = n.id',
          'k.created_at, k.key_hash',
        ),
      ],
    ]),
    'from api_connections n where n.company_id = $1',
    'n.id',
  )} as rows`,
)

const keyOnWire = z.object({
  key_id: z.string(),
  hint: z.string(),
  created_at: z.string(),
  expires_at: z.string().nullable(),
  revoked_at: z.string().nullable(),
})

const listConnections = read({
  path: 'connections/get_list',
  door: 'screens',
  role: 'owner',
  summary: 'List the API connections with what may be shown of their keys.',
  input: { wire: z.object({}), read: () => ({}) },
  output: z.object({
    connections: z.array(
      z.object({
        id: z.int(),
        name: z.string(),
        number_prefix: z.string(),
        created_at: z.string(),
        keys: z.array(keyOnWire),
      }),
    ),
  }),
  refusals: [],
  example: { request: {}, response: { success: true, connections: [] } },
  query: (_input, call) => list(call.companyId),
  answer: ([row]) => ({ connections: new JsonText(row?.rows ?? '[]') }),
})

const nothing = statement<object>('connections.no_facts', 'select seq from company_clock where company_id = $1')

const addConnection = write({
  path: 'connections/add',
  door: 'screens',
  role: 'owner',
  showsSecret: true,
  summary: 'Make an API connection and its first key.',
  input: {
    wire: z.object({ name: z.string(), number_prefix: prefixWire.optional() }),
    // The key is drawn before the plan, which draws nothing.
    read: (raw) => ({ name: requiredName(raw, 'Connection'), prefix: readPrefix(raw) ?? '', key: newKey() }),
  },
  output: z.object({ connection_id: z.int(), api_key: z.string().describe('Shown this once.') }),
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
  facts: (_input, call) => nothing(call.companyId),
  plan: (input, _facts, moment) => ({ ...input, id: moment.ids.next('connection_id') }),
  write: ({ id: connectionId, name, prefix, key }, { call: { companyId } }) => ({
    statements: [
      insertConnection(companyId, connectionId, name, prefix),
      insertKey(companyId, hashOf(key), connectionId, hintOf(key)),
    ],
    event: {
      record: 'connection',
      recordId: connectionId,
      change: { key: hintOf(key), name, number_prefix: prefix },
    },
  }),
  answer: ({ id: connectionId, key }) => ({ connection_id: connectionId, api_key: key }),
})

type Facts = { readonly connection: { readonly name: string; readonly number_prefix: string } | null }
const facts = statement<Facts>(
  'connections.find',
  `select (select json_build_object('name', n.name, 'number_prefix', n.number_prefix)
     from api_connections n where n.company_id = $1 and n.id = $2) as connection`,
)
const update = statement(
  'connections.update',
  'update api_connections set name = $3, number_prefix = $4 where company_id = $1 and id = $2',
)

const editConnection = write({
  path: 'connections/edit',
  door: 'screens',
  role: 'owner',
  summary: 'Change the name or the number prefix of an API connection.',
  input: {
    wire: z.object({
      connection_id: connectionIdWire,
      name: z.string().optional(),
      number_prefix: prefixWire.optional(),
    }),
    read: (raw) => {
      const connectionId = readConnectionId(raw)
      const name = text(raw, 'name', { max: nameLength, trim: true })
      if (name === '') refuse('Connection name must not be empty')
      return { id: connectionId, name, prefix: readPrefix(raw) }
    },
  },
  output: z.object({}),
  refusals: ['No connection_id in input', 'Connection name must not be empty', noSuch, ...textRefusals],
  example: { request: { connection_id: 2, name: 'Web shop' }, response: { success: true } },
  facts: (input, call) => facts(call.companyId, input.id),
  plan: (input, { connection }: Facts) => {
    const before = connection ?? refuse(noSuch)
    const after = { name: input.name ?? before.name, number_prefix: input.prefix ?? before.number_prefix }
    return { id: input.id, after, change: difference(before, after) }
  },
  write: ({ id: connectionId, after, change }, { call: { companyId } }) =>
    Object.keys(change).length === 0
      ? undefined
      : {
          statements: [update(companyId, connectionId, after.name, after.number_prefix)],
          event: { record: 'connection', recordId: connectionId, change },
        },
  answer: () => ({}),
})

const longestOverlap = 168
const overlapRefusal = `Invalid overlap_hours value. Must be between 0 and ${longestOverlap}`

// Keys that would end earlier anyway keep their own end.
const expireOthers = statement(
  'keys.expire_others',
  `update api_keys set expires_at = least(expires_at, $3::timestamptz)
   where company_id = $1 and connection_id = $2 and revoked_at is null`,
)

const rollKey = write({
  path: 'keys/roll',
  door: 'screens',
  role: 'owner',
  showsSecret: true,
  summary: 'Issue a new key of a connection; its older keys end after the overlap.',
  input: {
    wire: z.object({
      connection_id: connectionIdWire,
      overlap_hours: z.int().optional().describe('How long the older keys still live, 0 to 168. Default 24.'),
    }),
    read: (raw) => {
      const connectionId = readConnectionId(raw)
      const given = passed(raw, 'overlap_hours')
      const hours = given === undefined ? 24 : (integer(given) ?? -1)
      if (hours < 0 || hours > longestOverlap) refuse(overlapRefusal)
      return { id: connectionId, hours, key: newKey() }
    },
  },
  output: z.object({ api_key: z.string().describe('Shown this once.') }),
  refusals: ['No connection_id in input', overlapRefusal, noSuch],
  example: { request: { connection_id: 1, overlap_hours: 24 }, response: { success: true, api_key: 'kontor_live_…' } },
  facts: (input, call) => facts(call.companyId, input.id),
  plan: (input, { connection }: Facts) => {
    if (connection === null) refuse(noSuch)
    return input
  },
  write: ({ id: connectionId, hours, key }, { call: { companyId }, at }) => ({
    statements: [
      expireOthers(companyId, connectionId, new Date(Date.parse(at) + hours * 3_600_000).toISOString()),
      insertKey(companyId, hashOf(key), connectionId, hintOf(key)),
    ],
    event: { record: 'connection', recordId: connectionId, change: { key: hintOf(key), overlap_hours: hours } },
  }),
  answer: ({ key }) => ({ api_key: key }),
})

export const connectionMethods = [listConnections, addConnection, editConnection, rollKey]
