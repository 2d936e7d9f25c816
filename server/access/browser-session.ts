// Cookies for a browser whose user has just signed in: a session, and a device cookie to recognize it later.

import type { RequestOrigin } from '../kernel/clock.ts'
import type { Pool } from '../platform/postgres/database.ts'
import type { SessionMethodResult } from '../platform/requests/request.ts'
import { rememberDevice } from './devices.ts'
import { storedOrigin } from './request-origin.ts'
import { beginSession, type SignInProof } from './sessions.ts'

export async function startBrowserSession(
  pool: Pool,
  companyId: number,
  userId: number,
  origin: RequestOrigin,
  { known, ...proof }: SignInProof & { readonly known?: Buffer | undefined } = {},
): Promise<Pick<SessionMethodResult, 'session' | 'device'> | undefined> {
  const session = await beginSession(pool, companyId, userId, { ...proof, origin: storedOrigin(origin) })
  if (session === undefined) return undefined
  const device = await rememberDevice(pool, companyId, userId, known)
  return device === undefined ? { session } : { session, device }
}
