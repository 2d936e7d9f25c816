// A new epoch of a company's feed after a restore. Numbers and ids go on far beyond those that the lost part of the history may have issued, so
// that none of them is issued again for something else.

import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { counters, newEpochMethod } from '../kernel/clock.ts'

/** More than a company writes between a backup and its restore. */
export const raise = 1_000_000

/** Numbers of documents are not raised: people read them. */
const ids = counters.filter((counter) => counter.endsWith('_id')).map((counter) => `last_${counter}`)

const raised = `update company_clock k set epoch = $2, seq = k.seq + ${raise}, raised_by = k.raised_by + ${raise}, at = greatest(k.at, now()),
    ${ids.map((column) => `${column} = k.${column} + ${raise}`).join(', ')}
  where k.company_id = $1 returning k.epoch`

const recorded = `insert into events (company_id, seq, at, method, source, request_id, record, record_id, action, change)
  select k.company_id, k.seq, k.at, '${newEpochMethod}', 'system', $2, 'company', k.company_id, 'updated',
    jsonb_build_object('seq', jsonb_build_array(k.seq - ${raise}, k.seq))
  from company_clock k where k.company_id = $1`

/** For the test of the rules of a cluster. */
export const statementsOfEpoch = [raised, recorded]

/** In a transaction that sees the rows of the company. Returns the epoch; `undefined` for a company without a clock. */
export async function beginEpoch(client: pg.Client, companyId: number, requestId: string): Promise<string | undefined> {
  const { rows } = await client.query<{ epoch: string }>(raised, [companyId, randomUUID()])
  if (rows.length > 0) await client.query(recorded, [companyId, requestId])
  return rows[0]?.epoch
}
