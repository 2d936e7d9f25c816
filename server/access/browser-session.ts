// Cookies for a browser whose user has just signed in: a session, and a device cookie to recognize it later.

import type { Pool } from '../platform/postgres/database.ts'
import type { SessionMethodResult } from '../platform/requests/request.ts'
import { rememberDevice } from './devices.ts'
import { beginSession } from './sessions.ts'

export async function startBrowserSession(
  pool: Pool,
  companyId: number,
  userId: number,
  known?: Buffer,
): Promise<Pick<SessionMethodResult, 'session' | 'device'>> {
  const device = await rememberDevice(pool, companyId, userId, known)
  const session = await beginSession(pool, companyId, userId)
  return device === undefined ? { session } : { session, device }
}
