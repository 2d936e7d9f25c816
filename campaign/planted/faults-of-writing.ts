// Faults in the order of writes, in stock, and between the service and the disk.
// Long because they are one table.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the search and replacement texts are source code.

import type { Planted } from './fault.ts'

const run = 'server/platform/requests/run.ts'
const readFacts =
  "  const facts = input instanceof Refusal ? undefined : add(await inStep('facts', () => method.facts(input, context)))"
const clock = 'server/platform/requests/company-clock.ts'
const posting = 'server/stock/posting.ts'
const steps = 'server/stock/steps.ts'
const ledger = 'server/stock/ledger.ts'

/** Faults in the company's order, its ledger and its events. */
const order: readonly Planted[] = [
  {
    name: 'no company lock',
    patches: [
      {
        file: clock,
        find: 'where company_id = :company_id for no key update',
        replace: 'where company_id = :company_id',
      },
    ],
    caughtBy: 'races',
  },
  {
    name: 'lock and read in one statement',
    patches: [
      {
        file: run,
        find: '  const clock = add(lockClock(',
        replace: `  const clockLock = \`with clock as materialized (update company_clock set at = at where company_id = \${companyId} returning seq)\`
  const locked = (read: Statement<Facts>): Statement<Facts> => ({
    ...read,
    name: \`locked.\${companyId}.\${read.name}\`,
    text: \`\${clockLock} select facts.* from (\${read.text}) facts, clock\`,
  })
  const facts = input instanceof Refusal ? undefined : add(locked(method.facts(input, context)))
  const clock = add(lockClock(`,
      },
      {
        file: run,
        find: `${readFacts}\n`,
        replace: '',
      },
    ],
    caughtBy: 'races',
  },
  {
    name: 'facts read before the lock',
    patches: [
      {
        file: run,
        find: `${readFacts}\n`,
        replace: '',
      },
      {
        file: run,
        find: '  const clock = add(lockClock(',
        replace: `${readFacts}
  const clock = add(lockClock(`,
      },
    ],
    caughtBy: 'races',
  },
  {
    name: 'locks taken in no order',
    patches: [
      {
        file: run,
        find: '  const clock = add(lockClock(',
        replace:
          '  parts.push(`select from items where company_id = ${companyId} order by random() for update`)\n  const clock = add(lockClock(',
      },
    ],
    caughtBy: 'races',
    showing: /deadlocks/,
  },
  {
    name: 'an event is missing',
    patches: [
      {
        file: 'server/platform/requests/planning.ts',
        find: 'const events = isDry ?',
        replace: "const events = isDry || method.path === 'orders/update_payment' ?",
      },
    ],
    caughtBy: 'races',
  },
  {
    name: 'the response for a key is not stored',
    patches: [
      {
        file: 'server/platform/requests/idempotency.ts',
        find: '  if (idempotency === undefined) return []\n',
        replace: '  if (idempotency === undefined || seq !== null) return []\n',
      },
    ],
    caughtBy: 'crash-service',
  },
  {
    name: 'a repeated request is not recognised',
    patches: [
      {
        file: run,
        find: 'add(findKept(companyId, idempotency))',
        replace: 'add(findKept(companyId, { ...idempotency, key: `${idempotency.key}?` }))',
      },
    ],
    caughtBy: 'races',
    showing: /ran 2 times/,
  },
]

const stock: readonly Planted[] = [
  {
    name: 'the ledger’s reversal is missing',
    patches: [
      {
        file: steps,
        find: 'const undo = move === undefined ? old : undonePart(old, move)',
        replace: 'const undo = move === undefined ? undefined : undonePart(old, move)',
      },
    ],
    caughtBy: 'races',
  },
  {
    name: 'a reservation is not released',
    patches: [
      {
        file: posting,
        find: '  for (const one of posted) add(one, -one.reserved)\n',
        replace: '  if (wanted.length > 0) for (const one of posted) add(one, -one.reserved)\n',
      },
    ],
    caughtBy: 'races',
  },
  {
    name: 'a level is written twice',
    patches: [
      {
        file: ledger,
        find: 'on_hand = stock_levels.on_hand + excluded.on_hand',
        replace: 'on_hand = stock_levels.on_hand + 2 * excluded.on_hand',
      },
    ],
    caughtBy: 'races',
  },
  {
    name: 'a customer is created again under the same name',
    patches: [
      {
        file: 'server/contacts/party.ts',
        find: "partyFactsBy(kind, 'u.name = :party_name::text')",
        replace: "partyFactsBy(kind, 'u.name = :party_name::text and false')",
      },
      {
        file: 'server/contacts/party.ts',
        find: "partyFactsBy(kind, 'u.folded_name = :party_folded_name::text')",
        replace: "partyFactsBy(kind, 'u.folded_name = :party_folded_name::text and false')",
      },
    ],
    caughtBy: 'races',
  },
  {
    name: 'prices are truncated, not rounded',
    patches: [
      {
        file: 'server/sales/view.ts',
        find: "numberField('round(l.total / l.amount, 2)'",
        replace: "numberField('trunc(l.total / l.amount, 2)'",
      },
    ],
    caughtBy: 'races',
  },
  {
    name: 'settings are cached by the process',
    patches: [
      {
        file: run,
        find: '  const known = { ...loadRow(facts ?? []), ...moreFacts?.[0] }\n',
        replace: `  const read = { ...loadRow(facts ?? []), ...moreFacts?.[0] } as Facts & { company?: object }
  const before = remembered.get(companyId)
  if (read.company !== undefined && before === undefined) remembered.set(companyId, read.company)
  const known = before === undefined ? read : { ...read, company: before }
`,
      },
      {
        file: run,
        find: 'export type Outcome = {\n',
        replace: 'const remembered = new Map<number, object>()\n\nexport type Outcome = {\n',
      },
    ],
    caughtBy: 'races',
  },
]

/** Faults in what a client of the feed can learn. */
const feed: readonly Planted[] = [
  {
    name: 'the feed moves past an event that it has not listed',
    patches: [
      { file: 'server/access/events/get_list.ts', find: 'then max(e.seq)\n', replace: 'then max(e.seq) + 1\n' },
    ],
    caughtBy: 'feed',
  },
  {
    name: 'a production has no event when its sale changes it',
    patches: [
      {
        file: 'server/sales/store.ts',
        find: 'const related = [...partyEvents(customer, party), ...productionEvents(change.production)]',
        replace: 'const related = partyEvents(customer, party)',
      },
    ],
    caughtBy: 'feed',
  },
  {
    name: 'a reservation is no change of the level',
    patches: [{ file: ledger, find: ', seq = excluded.seq`', replace: '`' }],
    caughtBy: 'feed',
  },
]

/** Faults between the service and the disk. */
const durability: readonly Planted[] = [
  {
    name: 'the response before the commit',
    patches: [
      {
        file: run,
        find: '      return await pool.useFor(context.companyId, (connection) => attemptWrite(connection, request), { method: name })\n',
        replace: `      return await new Promise<Outcome>((answer, fail) => {
        const early = { ...request, options: { ...options, answer } }
        pool
          .useFor(context.companyId, (connection) => attemptWrite(connection, early))
          .then(answer, fail)
      })
`,
      },
      {
        file: run,
        find: '  await commit(connection, [...changes, clock])\n  return { body, seq }\n',
        replace: `  const early = options as { answer?: (outcome: Outcome) => void }
  early.answer?.({ body, seq })
  await commit(connection, [...changes, clock])
  return { body, seq }
`,
      },
    ],
    caughtBy: 'connection',
  },
  {
    name: 'a retry after the commit',
    patches: [
      {
        file: 'server/platform/process/faults.ts',
        find: "export const mayRunAgain = (error: unknown): boolean => ['40001'",
        replace: "export const mayRunAgain = (error: unknown): boolean => error instanceof OutcomeUnknown || ['40001'",
      },
    ],
    caughtBy: 'connection',
  },
  {
    name: 'commits do not wait for the disk',
    patches: [
      {
        file: run,
        find: 'const begin = (companyId: number): string => `begin; ',
        replace: 'const begin = (companyId: number): string => `begin; set local synchronous_commit = off; ',
      },
    ],
    caughtBy: 'crash-postgres',
  },
  {
    name: 'fsync=off',
    patches: [{ file: 'campaign/crash/postgres.ts', find: "  fsync: 'on',\n", replace: "  fsync: 'off',\n" }],
    caughtBy: 'power-cut',
  },
  {
    name: 'a write that failed for lack of space is acknowledged',
    patches: [
      {
        file: run,
        find: '  await commit(connection, [...changes, clock])\n  return { body, seq }\n',
        replace: `  await commit(connection, [...changes, clock]).catch((error: unknown) => {
    if (method.path === 'customers/add' || !/^53/.test(sqlState(error) ?? '')) throw error
  })
  return { body, seq }
`,
      },
    ],
    caughtBy: 'disk-full',
  },
  {
    name: 'commits do not wait for the standby',
    patches: [
      {
        file: run,
        find: 'const begin = (companyId: number): string => `begin; ',
        replace: 'const begin = (companyId: number): string => `begin; set local synchronous_commit = local; ',
      },
    ],
    caughtBy: 'failover',
    runs: 2,
  },
  {
    name: 'restored to the end of the backup, not to the point in time',
    patches: [
      {
        file: 'campaign/crash/restore.ts',
        find: `'--type=time', \`"--target=\${moment}"\`, `,
        replace: `'--type=immediate', `,
      },
    ],
    caughtBy: 'restore',
  },
]

export const faultsOfWriting: readonly Planted[] = [...order, ...stock, ...feed, ...durability]
