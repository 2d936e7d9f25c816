// Faults in the order of writes, in stock, and between the service and the disk.
// Long because they stand in one table.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: what is found and put in its place is source text.

import type { Planted } from './fault.ts'

const run = 'server/platform/run.ts'
const clock = 'server/platform/clock.ts'
const posting = 'server/stock/posting.ts'
const ledger = 'server/stock/ledger.ts'

/** What one company's order, its ledger and its events rest on. */
const order: readonly Planted[] = [
  {
    name: 'no company lock',
    patches: [
      {
        file: clock,
        find: 'update company_clock set seq = seq + 1, at = greatest(at, $2::timestamptz) where company_id = $1\n   returning seq, at, ',
        replace: 'select seq + 1 as seq, greatest(at, $2::timestamptz) as at, ',
      },
      {
        file: clock,
        find: "`last_${name}`).join(', ')}`,",
        replace: "`last_${name}`).join(', ')} from company_clock where company_id = $1`,",
      },
      {
        file: run,
        find: '      eventOf(moment, method, written.event),\n',
        replace:
          '      eventOf(moment, method, written.event),\n      `update company_clock set seq = ${moment.seq} where company_id = ${companyId}`,\n',
      },
    ],
    caughtBy: 'races',
  },
  {
    name: 'lock and read in one statement',
    patches: [
      {
        file: run,
        find: '  const clockAt = add(advanceClock(',
        replace: `  const lock = \`with clock as materialized (update company_clock set at = at where company_id = \${companyId} returning seq)\`
  const locked = (facts: Statement): Statement => ({
    ...facts,
    name: \`locked.\${companyId}.\${facts.name}\`,
    text: \`\${lock} select facts.* from (\${facts.text}) facts, clock\`,
  })
  const factsAt = input instanceof Refusal ? -1 : add(locked(method.facts(input, call)))
  const clockAt = add(advanceClock(`,
      },
      {
        file: run,
        find: '  const factsAt = input instanceof Refusal ? -1 : add(method.facts(input, call))\n',
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
        find: '  const factsAt = input instanceof Refusal ? -1 : add(method.facts(input, call))\n',
        replace: '',
      },
      {
        file: run,
        find: '  const clockAt = add(advanceClock(',
        replace: `  const factsAt = input instanceof Refusal ? -1 : add(method.facts(input, call))
  const clockAt = add(advanceClock(`,
      },
    ],
    caughtBy: 'races',
  },
  {
    name: 'locks taken in no order',
    patches: [
      {
        file: run,
        find: '  const clockAt = add(advanceClock(',
        replace:
          '  add(`select from items where company_id = ${companyId} order by random() for update`)\n  const clockAt = add(advanceClock(',
      },
    ],
    caughtBy: 'races',
    showing: /deadlocks/,
  },
  {
    name: 'an event is missing',
    patches: [
      {
        file: run,
        find: '      eventOf(moment, method, written.event),\n',
        replace:
          "      ...(method.path === 'orders/update_payment' ? [] : [eventOf(moment, method, written.event)]),\n",
      },
    ],
    caughtBy: 'races',
  },
  {
    name: 'the answer under a key is forgotten',
    patches: [
      {
        file: 'server/platform/idempotency.ts',
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
        find: 'add(findIdempotent(companyId, idempotency.key))',
        replace: 'add(findIdempotent(companyId, `${idempotency.key}?`))',
      },
    ],
    caughtBy: 'races',
    showing: /ran 2 times/,
  },
]

const stock: readonly Planted[] = [
  {
    name: 'the ledger’s reversal is forgotten',
    patches: [
      {
        file: posting,
        find: 'const undo = move === undefined ? old : undonePart(old, move)',
        replace: 'const undo = move === undefined ? undefined : undonePart(old, move)',
      },
    ],
    caughtBy: 'races',
  },
  {
    name: 'what was reserved is not released',
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
    name: 'a customer is made again under the same name',
    patches: [
      {
        file: 'server/contacts/party.ts',
        find: 'u.name = ${nameParameter}::text and u.deleted_at is null',
        replace: 'u.name = ${nameParameter}::text and u.deleted_at is not null',
      },
    ],
    caughtBy: 'races',
  },
  {
    name: 'prices are cut off, not rounded',
    patches: [
      {
        file: 'server/sales/view.ts',
        find: "number('round(l.total / l.amount, 2)')",
        replace: "number('trunc(l.total / l.amount, 2)')",
      },
    ],
    caughtBy: 'races',
  },
  {
    name: 'settings are remembered by the process',
    patches: [
      {
        file: run,
        find: '    const plan = method.plan(input, loadRow(flown.rows<Facts>(factsAt)), moment)\n',
        replace: `    const facts = loadRow(flown.rows<Facts>(factsAt)) as Facts & { company?: object }
    const known = remembered.get(companyId)
    if (facts.company !== undefined && known === undefined) remembered.set(companyId, facts.company)
    const plan = method.plan(input, known === undefined ? facts : { ...facts, company: known }, moment)
`,
      },
      {
        file: run,
        find: '/** Counts a request that goes no further. */\n',
        replace: 'const remembered = new Map<number, object>()\n\n/** Counts a request that goes no further. */\n',
      },
    ],
    caughtBy: 'races',
  },
]

/** What happens when something breaks between the service and the disk. */
const durability: readonly Planted[] = [
  {
    name: 'the answer before the commit',
    patches: [
      {
        file: run,
        find: `      return await pool.useFor(call.companyId, (connection) =>
        attemptWrite(connection, method, input, call, gateNow, idempotency, provisos),
      )
`,
        replace: `      return await new Promise<Outcome>((answer, fail) => {
        const early = { ...provisos, answer }
        pool
          .useFor(call.companyId, (connection) => attemptWrite(connection, method, input, call, gateNow, idempotency, early))
          .then(answer, fail)
      })
`,
      },
      {
        file: run,
        find: '    await commit(connection, statements)\n    return { status: 200, body, seq: moment.seq }\n',
        replace: `    const early = provisos as { answer?: (outcome: Outcome) => void }
    early.answer?.({ status: 200, body, seq: moment.seq })
    await commit(connection, statements)
    return { status: 200, body, seq: moment.seq }
`,
      },
    ],
    caughtBy: 'connection',
  },
  {
    name: 'a retry after the commit',
    patches: [
      {
        file: 'server/platform/faults.ts',
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
    patches: [
      { file: 'server/testing/campaign/crash/postgres.ts', find: "  fsync: 'on',\n", replace: "  fsync: 'off',\n" },
    ],
    caughtBy: 'power-cut',
  },
  {
    name: 'a write that found no room is answered as done',
    patches: [
      {
        file: run,
        find: '    await commit(connection, statements)\n    return { status: 200, body, seq: moment.seq }\n',
        replace: `    await commit(connection, statements).catch((error: unknown) => {
      if (method.path === 'customers/add' || !/^53/.test(sqlState(error) ?? '')) throw error
    })
    return { status: 200, body, seq: moment.seq }
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
    name: 'restored to the end of the backup, not to the moment',
    patches: [
      {
        file: 'server/testing/campaign/crash/restore.ts',
        find: `'--type=time', \`"--target=\${moment}"\`, `,
        replace: `'--type=immediate', `,
      },
    ],
    caughtBy: 'restore',
  },
]

export const faultsOfWriting: readonly Planted[] = [...order, ...stock, ...durability]
