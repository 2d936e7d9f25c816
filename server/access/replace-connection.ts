// Replacing an API connection by another one, such as when a shop moves to another program: the records keep the ids that they have in the shop.

import { z } from 'zod'
import { id, required } from '../kernel/field.ts'
import { write } from '../kernel/method.ts'
import { refuse } from '../kernel/refusal.ts'
import { statement } from '../kernel/statement.ts'
import { collidingExternalIds, moveExternalIds } from '../platform/lists/external-ids.ts'
import { moveStoredResponses } from '../platform/requests/idempotency.ts'
import { securityEvent } from './security-events.ts'

const noSuch = 'Connection not found'
const itself = 'A connection cannot replace itself'
const collision = (count: number | string): string =>
  `External ids of the two connections collide: ${count}. Remove them from one connection first`

type Values = { readonly company_id: number; readonly connection_id: number; readonly by_connection_id: number }
type Facts = { readonly both_exist: boolean; readonly collisions: number }

const findFacts = statement<Facts, Values>(
  'connections.replace_facts',
  `select
     exists (select from api_connections n where n.company_id = :company_id and n.id = :connection_id)
       and exists (select from api_connections n where n.company_id = :company_id and n.id = :by_connection_id) as both_exist,
     ${collidingExternalIds} as collisions`,
)
const revokeKeys = statement<never, { readonly company_id: number; readonly connection_id: number }>(
  'keys.revoke_of_connection',
  `update api_keys k set revoked_at = now()
   where k.company_id = :company_id and k.connection_id = :connection_id and k.revoked_at is null`,
)

const idSchema = z.union([z.int(), z.string()])

/** The old connection stays in the list, without a valid key, because the history and the request log name it. */
export const replaceConnection = write({
  path: 'connections/replace',
  whenFull: 'always',
  api: 'app',
  role: 'owner',
  needsFreshSignIn: true,
  summary: 'Replace an API connection by another one, which takes over its external ids. Its keys are revoked.',
  notes: [
    'The responses stored under its Idempotency-Keys are taken over too. The records do not change: they get no events.',
  ],
  input: {
    schema: z.object({
      connection_id: idSchema.describe('Id of the connection that is replaced.'),
      by_connection_id: idSchema.describe('Id of the connection that takes over.'),
    }),
    read: (raw) => {
      const connectionId = id(required(raw, 'connection_id'))
      const byConnectionId = id(required(raw, 'by_connection_id'))
      if (connectionId === byConnectionId) refuse(itself, { code: 'replaces_itself', field: 'by_connection_id' })
      return { connectionId, byConnectionId }
    },
  },
  output: z.object({}),
  refusals: ['No connection_id in input', 'No by_connection_id in input', itself, noSuch, collision('<n>')],
  example: { request: { connection_id: 1, by_connection_id: 2 }, response: { success: true } },
  facts: ({ connectionId, byConnectionId }, { companyId }) =>
    findFacts({ company_id: companyId, connection_id: connectionId, by_connection_id: byConnectionId }),
  plan: (input, facts: Facts) => {
    if (!facts.both_exist) refuse(noSuch, { code: 'record_not_found' })
    if (facts.collisions > 0) refuse(collision(facts.collisions), { code: 'external_ids_collide' })
    return input
  },
  write: ({ connectionId, byConnectionId }, transaction) => {
    const { companyId } = transaction.context
    return {
      statements: [
        securityEvent(transaction, 'key_revoked', { detail: String(connectionId) }),
        ...moveExternalIds({ company_id: companyId, connection_id: connectionId, by_connection_id: byConnectionId }),
        moveStoredResponses(companyId, connectionId, byConnectionId),
        revokeKeys({ company_id: companyId, connection_id: connectionId }),
      ],
      event: { record: 'connection', recordId: byConnectionId, change: { replaces: connectionId } },
      related: [
        { record: 'connection', recordId: connectionId, change: { replaced_by: byConnectionId }, action: 'updated' },
      ],
    }
  },
  response: () => ({}),
})
