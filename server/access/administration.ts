// API keys of a company: the command line issues, lists and revokes them. The screens revoke them with the same method.

import { z } from 'zod'
import { text } from '../kernel/field.ts'
import { write } from '../kernel/method.ts'
import { refuse } from '../kernel/refusal.ts'
import { statement } from '../kernel/statement.ts'
import { insertConnection, insertKey } from './companies.ts'
import { hashOf, hintOf, keyIdOf, keyOf } from './keys.ts'
import type { Scope } from './scope.ts'
import { securityEvent } from './security-events.ts'

export type KeyInput = {
  /** What the key is made of. */
  readonly secret: string
  /** Absent: a new connection is created for the key. */
  readonly connectionId: number | undefined
  readonly name: string
  readonly prefix: string
  /** Of the new connection. */
  readonly scope: Scope
}

type ConnectionFacts = { readonly exists: boolean; readonly is_test: boolean }
const connectionFacts = statement<ConnectionFacts, { company_id: number; connection_id: number | null }>(
  'connections.facts',
  `select exists (select from api_connections where company_id = :company_id and id = :connection_id) as exists,
     (select c.test_of is not null from companies c where c.company_id = :company_id) as is_test`,
)

/** The caller generates the secret, because a plan is deterministic, and shows the key once: keys are never stored. */
export const addKey = write({
  path: 'keys/add',
  api: 'app',
  summary: 'Issue an API key.',
  input: {
    schema: z.object({}),
    read: (): KeyInput => refuse('Keys are issued in the settings', { code: 'not_for_requests' }),
  },
  output: z.object({ connection_id: z.int(), is_test: z.boolean() }),
  refusals: ['Connection not found'],
  example: { request: {}, response: { success: true, connection_id: 2, is_test: false } },
  facts: (input, context) =>
    connectionFacts({ company_id: context.companyId, connection_id: input.connectionId ?? null }),
  plan: ({ secret, ...input }: KeyInput, { exists, is_test: isTest }: ConnectionFacts, transaction) => {
    if (input.connectionId !== undefined && !exists) refuse('Connection not found', { code: 'record_not_found' })
    const key = keyOf(secret, { isTest })
    const id = input.connectionId ?? transaction.ids.next('connection_id')
    return { ...input, id, isTest, hash: hashOf(key), hint: hintOf(key) }
  },
  write: (plan, transaction) => {
    const { companyId } = transaction.context
    return {
      statements: [
        securityEvent(transaction, 'key_created', { detail: `${plan.hint} (${plan.name})` }),
        ...(plan.connectionId === undefined
          ? [
              insertConnection({
                company_id: companyId,
                connection_id: plan.id,
                name: plan.name,
                number_prefix: plan.prefix,
                ...plan.scope,
              }),
            ]
          : []),
        insertKey({ company_id: companyId, key_hash: plan.hash, connection_id: plan.id, hint: plan.hint }),
      ],
      event: {
        record: 'connection',
        recordId: plan.id,
        change: { key: plan.hint, name: plan.name, number_prefix: plan.prefix, ...plan.scope },
      },
    }
  },
  response: ({ id, isTest }) => ({ connection_id: id, is_test: isTest }),
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
  readonly last_used_on: string | null
  readonly last_used_from: string | null
} & Scope

const keyId = keyIdOf('k')

export const listKeys = statement<ConnectionKey, { company_id: number }>(
  'keys.list',
  `select k.connection_id, n.name, n.number_prefix, ${keyId} as key_id, k.hint, k.created_at, k.expires_at, k.revoked_at,
     n.read_only, to_json(n.sections) as sections, n.expires_on::text, to_json(n.networks) as networks, n.hides_costs, n.daily_limit, n.last_used_on::text, n.last_used_from
   from api_keys k join api_connections n on n.company_id = :company_id and n.id = k.connection_id
   where k.company_id = :company_id order by k.connection_id, k.created_at`,
)

type RevokeFacts = { readonly connection_id: number | null }
const revokeFacts = statement<RevokeFacts, { company_id: number; key_id: string }>(
  'keys.revoke_facts',
  `select (select k.connection_id from api_keys k where k.company_id = :company_id and ${keyId} = :key_id and k.revoked_at is null) as connection_id`,
)
const revoke = statement<never, { company_id: number; key_id: string }>(
  'keys.revoke',
  `update api_keys k set revoked_at = now() where k.company_id = :company_id and ${keyId} = :key_id and k.revoked_at is null`,
)

export const revokeKey = write({
  path: 'keys/revoke',
  whenFull: 'always',
  api: 'app',
  role: 'owner',
  summary: 'Revoke an API key immediately.',
  input: {
    schema: z.object({
      key_id: z.string().describe('The first eight digits of the hash, as the list of keys shows them.'),
    }),
    read: (raw) => ({
      keyId:
        text(raw, 'key_id', { max: 8, trim: true }) ??
        refuse('No key_id in input', { code: 'required', field: 'key_id' }),
    }),
  },
  output: z.object({}),
  refusals: ['No key_id in input', 'Key not found'],
  example: { request: { key_id: '9f86d081' }, response: { success: true } },
  facts: (input, context) => revokeFacts({ company_id: context.companyId, key_id: input.keyId }),
  plan: (input, facts: RevokeFacts) => ({
    ...input,
    connectionId: facts.connection_id ?? refuse('Key not found', { code: 'record_not_found' }),
  }),
  write: (plan, transaction) => ({
    statements: [
      revoke({ company_id: transaction.context.companyId, key_id: plan.keyId }),
      securityEvent(transaction, 'key_revoked', { detail: plan.keyId }),
    ],
    event: { record: 'connection', recordId: plan.connectionId, change: { revoked: plan.keyId } },
  }),
  response: () => ({}),
})
