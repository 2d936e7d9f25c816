// Requests whose work was started count, also when they end in 503: here the rows they need are locked until their timeout.

import pg from 'pg'
import { post } from '../../server/test/harness/concurrent-calls.ts'
import type { Company } from '../../server/test/harness/given.ts'
import type { Service } from '../scratch-service.ts'

export const countedAttack = 'requests that run out of their time'

export const usedBy = async ({ sql }: Service, companyId: number): Promise<number> =>
  (await sql('select used from quotas where company_id = $1', [companyId]))[0]?.used ?? 0

export async function countsWhatWasBegun(service: Service, company: Company): Promise<string[]> {
  const found: string[] = []
  for (const [path, body] of [
    ['orders/get_entry', { order_id: 1 }],
    ['orders/update_payment', { order_id: 1, status: 1 }],
  ] as const) {
    const lock = new pg.Client({ connectionString: service.databaseUrl })
    await lock.connect()
    try {
      await lock.query('begin; lock table sales in access exclusive mode')
      const before = await usedBy(service, company.id)
      // Once: a caller of the harness asks a busy server again.
      const reply = await post(service.servers[0]?.url ?? '', company.key, path, body)
      const counted = (await usedBy(service, company.id)) - before
      if (reply.status !== 503 || counted !== 1)
        found.push(
          `${countedAttack}: ${path} was answered ${reply.status} and counted ${counted} times instead of once`,
        )
    } finally {
      await lock.end()
    }
  }
  return found
}
