// Keys of a company as the command line issues, lists and ends them. The screens end them by the same method.

import { z } from 'zod'
import { text } from '../kernel/field.ts'
import { write } from '../kernel/method.ts'
import { refuse } from '../kernel/refusal.ts'
import { statement } from '../kernel/statement.ts'
import { insertConnection, insertKey } from './companies.ts'
import { keyIdOf } from './keys.ts'

export type KeyInput = {
  readonly hash: Buffer
  readonly hint: string
  /** Absent: a new connection is made for the key. */
  readonly connectionId: number | undefined
  readonly name: string
  readonly prefix: string
}

type ConnectionFacts = { readonly exists: boolean }
const connectionFacts = statement<ConnectionFacts>(
  'connections.facts',
  'select exists (select from api_connections where company_id = $1 and id = $2) as exists',
)

/** The key itself is made by the caller, who shows it once: a plan draws nothing at random and a key is never kept. */
export const addKey = write({
  path: 'keys/add',
  door: 'screens',
  summary: 'Issue an API key.',
  input: { wire: z.object({}), read: (): KeyInput => refuse('Keys are issued in the settings') },
  output: z.object({ connection_id: z.int() }),
  refusals: ['Connection not found'],
  example: { request: {}, response: { success: true, connection_id: 2 } },
  facts: (input, call) => connectionFacts(call.companyId, input.connectionId ?? null),
  plan: (input: KeyInput, facts: ConnectionFacts, moment) => {
    if (input.connectionId !== undefined && !facts.exists) refuse('Connection not found')
    return { ...input, id: input.connectionId ?? moment.ids.next('connection_id') }
  },
  write: (plan, { call: { companyId } }) => ({
    statements: [
      ...(plan.connectionId === undefined ? [insertConnection(companyId, plan.id, plan.name, plan.prefix)] : []),
      insertKey(companyId, plan.hash, plan.id, plan.hint),
    ],
    event: {
      record: 'connection',
      recordId: plan.id,
      change: { key: plan.hint, name: plan.name, number_prefix: plan.prefix },
    },
  }),
  answer: (plan) => ({ connection_id: plan.id }),
})

export type ConnectionKey = {
  readonly connection_id: number
  readonly name: string
  readonly number_prefix: string
  readonly key_id: string
  readonly hint: string
  readonly created_at: string
  readonly expires_at: string | null
  readonly revoked_at: string | null
}

const keyId = keyIdOf('k')

export const listKeys = statement<ConnectionKey>(
  'keys.list',
  `select k.connection_id, n.name, n.number_prefix, ${keyId} as key_id, k.hint, k.created_at, k.expires_at, k.revoked_at
   from api_keys k join api_connections n on n.company_id = $1 and n.id = k.connection_id
   where k.company_id = $1 order by k.connection_id, k.created_at`,
)

type RevokeFacts = { readonly connection_id: number | null }
const revokeFacts = statement<RevokeFacts>(
  'keys.revoke_facts',
  `select (select k.connection_id from api_keys k where k.company_id = $1 and ${keyId} = $2 and k.revoked_at is null) as connection_id`,
)
const revoke = statement(
  'keys.revoke',
  `update api_keys k set revoked_at = now() where k.company_id = $1 and ${keyId} = $2 and k.revoked_at is null`,
)

export const revokeKey = write({
  path: 'keys/revoke',
  door: 'screens',
  role: 'owner',
  summary: 'End an API key at once.',
  input: {
    wire: z.object({
      key_id: z.string().describe('The first eight digits of the hash, as the list of keys shows them.'),
    }),
    read: (raw) => ({ keyId: text(raw, 'key_id', { max: 8, trim: true }) ?? refuse('No key_id in input') }),
  },
  output: z.object({}),
  refusals: ['No key_id in input', 'Key not found'],
  example: { request: { key_id: '9f86d081' }, response: { success: true } },
  facts: (input, call) => revokeFacts(call.companyId, input.keyId),
  plan: (input, facts: RevokeFacts) => ({ ...input, connectionId: facts.connection_id ?? refuse('Key not found') }),
  write: (plan, { call }) => ({
    statements: [revoke(call.companyId, plan.keyId)],
    event: { record: 'connection', recordId: plan.connectionId, change: { revoked: plan.keyId } },
  }),
  answer: () => ({}),
})
