// Sign-ins that an identity provider does not confirm: the user learns that it failed, and the owners of the company why.

import type { RequestOrigin } from '../../kernel/clock.ts'
import { refuse } from '../../kernel/refusal.ts'
import type { Pool } from '../../platform/postgres/database.ts'
import { noteFailedSingleSignOn } from '../security-events.ts'
import { ProviderProblem } from './openid.ts'

export const providerFailed = 'The identity provider did not confirm the sign-in'

export const refuseProvider =
  (pool: Pool, companyId: number, origin: RequestOrigin) =>
  (error: unknown): never => {
    if (!(error instanceof ProviderProblem)) throw error
    noteFailedSingleSignOn(pool, companyId, origin, error.message)
    return refuse(providerFailed, { code: 'provider_failed' })
  }
