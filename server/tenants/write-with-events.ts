// A write of a company by a command that works on its tables: with the company's lock, the events of the changed records and the clock, as a request has them.

import { randomBytes } from 'node:crypto'
import type pg from 'pg'
import type { TransactionContext } from '../kernel/clock.ts'
import type { RelatedEvent } from '../kernel/method.ts'
import type { Statement } from '../kernel/statement.ts'
import { advanceClock, eventsOf, lastSeqOf, lockClock, transactionOf } from '../platform/requests/company-clock.ts'

/**
 * In a transaction that sees the rows of the company. `change` runs with the company's lock: no request reads a record before the change and
 * writes it back afterwards. It returns the events, one for each changed record.
 */
export async function writeWithEvents(
  client: pg.Client,
  companyId: number,
  path: string,
  change: (transaction: TransactionContext) => Promise<readonly RelatedEvent[]>,
): Promise<void> {
  const send = ({ text, values }: Statement): Promise<pg.QueryResult> =>
    client.query({ text, values: [...values], types: { getTypeParser: () => (value: string) => value } })
  const { rows } = await send(lockClock(companyId))
  const requestId = `cli_${randomBytes(12).toString('base64url')}`
  const context = { companyId, connectionId: null, userId: null, requestId, source: 'system' } as const
  const transaction = transactionOf(context, rows[0])
  const events = await change(transaction)
  const event = events.at(-1)
  if (event === undefined) return
  const written = { statements: [], event, related: events.slice(0, -1) }
  for (const statement of eventsOf(transaction, { path }, written)) await send(statement)
  await send(advanceClock(transaction, transaction.ids.all, lastSeqOf(transaction, written), 0))
}
