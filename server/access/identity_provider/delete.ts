// identity_provider/delete: users of the company no longer sign in at an identity provider.

import { z } from 'zod'
import { write } from '../../kernel/method.ts'
import { statement } from '../../kernel/statement.ts'
import { securityEvent } from '../security-events.ts'
import { forgetIdentities } from '../single-sign-on/identities.ts'
import { findProvider, type ProviderFacts, providerFrom } from '../single-sign-on/provider.ts'

const remove = statement<never, { company_id: number }>(
  'identity_providers.delete',
  'delete from identity_providers where company_id = :company_id',
)

export const deleteIdentityProvider = write({
  path: 'identity_provider/delete',
  whenFull: 'always',
  api: 'app',
  role: 'owner',
  summary: 'No longer let users sign in at the identity provider.',
  input: { schema: z.object({}), read: () => ({}) },
  output: z.object({}),
  refusals: [],
  example: { request: {}, response: { success: true } },
  facts: (_input, { companyId }) => findProvider({ company_id: companyId }),
  plan: (_input, facts: ProviderFacts) => ({ before: providerFrom(facts) }),
  write: ({ before }, transaction) => {
    if (before === undefined) return undefined
    const company = { company_id: transaction.context.companyId }
    return {
      statements: [
        remove(company),
        forgetIdentities(company),
        securityEvent(transaction, 'identity_provider_removed', { detail: before.issuer }),
      ],
      event: {
        record: 'company',
        recordId: company.company_id,
        change: { identity_provider: [before.name, null] },
        action: 'updated',
      },
    }
  },
  response: () => ({}),
})
