// What a browser gets whose user has just come in: a session, and a mark to know it by.

import type { Pool } from '../platform/database.ts'
import type { Entered } from '../platform/door.ts'
import { rememberDevice } from './devices.ts'
import { beginSession } from './sessions.ts'

export async function welcome(
  pool: Pool,
  companyId: number,
  userId: number,
  known?: Buffer,
): Promise<Pick<Entered, 'session' | 'device'>> {
  const device = await rememberDevice(pool, companyId, userId, known)
  const session = await beginSession(pool, companyId, userId)
  return device === undefined ? { session } : { session, device }
}
