// Faults in the separation of companies, and in the handling of external input.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the search and replacement texts are source code.

import type { Planted } from './fault.ts'

const field = 'server/kernel/field.ts'

const tenancy: readonly Planted[] = [
  {
    name: 'a company filter is missing in a read',
    patches: [
      {
        file: 'server/contacts/store.ts',
        find: 'as record from ${section} r where r.company_id = :company_id and',
        replace: 'as record from ${section} r where :company_id::bigint is not null and',
      },
    ],
    caughtBy: 'tenancy',
    showing: /^row level security off: /,
  },
  {
    name: 'a company filter is missing in a write',
    patches: [
      {
        file: 'server/contacts/store.ts',
        find: 'set deleted_at = :at, updated_at = :at where company_id = :company_id and id = :id',
        replace: 'set deleted_at = :at, updated_at = :at where :company_id::bigint is not null and id = :id',
      },
    ],
    caughtBy: 'tenancy',
    showing: /^row level security off: /,
  },
  {
    name: 'no row level security on one table',
    patches: [
      {
        file: 'migrations/0005_walls.sql',
        find: "execute format('alter table %I enable row level security, force row level security', tenant);",
        replace:
          "if tenant <> 'suppliers' then execute format('alter table %I enable row level security, force row level security', tenant); end if;",
      },
    ],
    caughtBy: 'tenancy',
    showing: /^company filters off: /,
  },
  {
    name: 'the company is set for the session',
    patches: [
      {
        file: 'server/platform/postgres/company-transaction.ts',
        find: '`set local app.company_id =',
        replace: '`set app.company_id =',
      },
    ],
    caughtBy: 'tenancy',
    showing: /still belongs to a company/,
  },
]

/** External input, and its amount. */
const outside: readonly Planted[] = [
  {
    name: 'NaN is accepted as a number',
    patches: [
      {
        file: field,
        find: '  return text === undefined ? undefined : parseDecimal(text, places)\n',
        replace:
          "  if (text === 'NaN') return Number.NaN as unknown as Scaled\n  return text === undefined ? undefined : parseDecimal(text, places)\n",
      },
    ],
    caughtBy: 'fuzz',
    showing: /PostgreSQL logged 22|answered 500/,
  },
  {
    name: 'a zero byte is accepted in texts',
    patches: [
      {
        file: field,
        find: "!text.includes('\\0') && text.isWellFormed()",
        replace: 'text.isWellFormed()',
      },
    ],
    caughtBy: 'fuzz',
    showing: /PostgreSQL logged 22|answered 500/,
  },
  {
    name: 'an id may be of any size',
    patches: [
      {
        file: field,
        find: '  return Number.isSafeInteger(number) ? number : undefined\n',
        replace: '  return number\n',
      },
    ],
    caughtBy: 'fuzz',
    showing: /PostgreSQL logged 22|answered 500/,
  },
  {
    name: 'JSON nests without limit',
    patches: [{ file: 'server/kernel/json.ts', find: '        if (depth > maxDepth) throw notJson()\n', replace: '' }],
    caughtBy: 'fuzz',
    showing: /is not valid JSON/,
  },
  {
    name: 'a slow client may take forever',
    patches: [
      {
        file: 'server/platform/http/http-server.ts',
        find: 'requestTimeout: bounds.bodyMs,',
        replace: 'requestTimeout: 0,',
      },
      {
        file: 'server/platform/requests/bodies.ts',
        find: 'const minBytesPerSecond = 1_024',
        replace: 'const minBytesPerSecond = 0',
      },
    ],
    caughtBy: 'fuzz',
    showing: /neither answered nor closed/,
  },
  {
    name: 'numbers are read as floats',
    patches: [
      {
        file: 'server/kernel/decimal.ts',
        find: '  if (kept < 0) return 0n\n',
        replace: '  if (kept < 18) return BigInt(Math.round(Number(text) * 10 ** places))\n  if (kept < 0) return 0n\n',
      },
    ],
    caughtBy: 'server/test/conformance/request/numbers.test.ts',
  },
  {
    name: 'halves are rounded down',
    patches: [
      {
        file: 'server/kernel/decimal.ts',
        find: '(2n * numerator + denominator) / (2n * denominator)',
        replace: '(2n * numerator + denominator - 1n) / (2n * denominator)',
      },
    ],
    caughtBy: 'server/test/conformance/stock/costs.test.ts',
  },
  {
    name: 'requests are counted in memory',
    patches: [
      {
        file: 'server/access/quota.ts',
        find: '+ ${isWithin}::int',
        replace: '+ 0',
      },
    ],
    caughtBy: 'overload',
    showing: /were counted and/,
  },
  {
    name: 'requests refused as busy are counted',
    patches: [
      {
        file: 'server/platform/requests/public-api.ts',
        find: '    if (!this.#admission.isTight) return false\n',
        replace: '    if (authorization.length > 0) return false\n',
      },
      {
        file: 'server/platform/requests/public-api.ts',
        find: '    return await this.#admission.run(key.owner.company_id,',
        replace: `    const { company_id: companyId } = key.owner
    if (!this.#admission.hasRoom(companyId)) {
      const count = this.#access.countRequest(companyId, key.hash)
      const company = \`begin; set local app.company_id = '\${companyId}'\`
      await this.#database.pool.use((connection) => connection.roundTrip([company, count, 'commit']))
    }
    return await this.#admission.run(companyId,`,
      },
    ],
    caughtBy: 'overload',
    showing: /were counted and/,
  },
  {
    name: 'rows of the request log that could not be written are discarded',
    patches: [
      {
        file: 'server/access/request-log.ts',
        find: '    this.#queue.putBack(rows)\n',
        replace: '    this.#queue.settle(rows)\n',
      },
    ],
    caughtBy: 'overload',
    showing: /in its recorded gaps/,
  },
  {
    name: 'rows that do not fit into the queue of the request log are not recorded',
    patches: [
      {
        file: 'server/access/request-log.ts',
        find: '    for (const row of rows) this.#gaps.add(row, reason)\n',
        replace: '',
      },
    ],
    caughtBy: 'overload',
    showing: /in its recorded gaps/,
  },
  {
    name: 'a stalled reader is never disconnected',
    patches: [
      {
        file: 'server/platform/postgres/list-readers.ts',
        find: "        reader.stop('the reader of a list reads too slowly')\n",
        replace: '',
      },
    ],
    caughtBy: 'overload',
    showing: /not given up/,
  },
  {
    name: 'stopping does not wait for running requests',
    patches: [{ file: 'server/main.ts', find: '    stop().then(\n', replace: '    Promise.resolve().then(\n' }],
    caughtBy: 'rolling',
    showing: /requests failed|were acknowledged/,
    runs: 6,
  },
  {
    name: 'a migration waits for a lock as long as it takes, and requests wait behind it',
    patches: [
      {
        file: 'server/platform/postgres/lock-retries.ts',
        find: 'const lockWaitMs = 150\n',
        replace: 'const lockWaitMs = 60_000\n',
      },
    ],
    caughtBy: 'upgrade',
    showing: /requests failed/,
  },
]

export const faultsFromOutside: readonly Planted[] = [...tenancy, ...outside]
