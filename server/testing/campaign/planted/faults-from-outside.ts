// Faults in the walls between companies, and in what comes in from outside.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: what is found and put in its place is source text.

import type { Planted } from './fault.ts'

const run = 'server/platform/run.ts'
const field = 'server/kernel/field.ts'

const walls: readonly Planted[] = [
  {
    name: 'a company filter is missing in a read',
    patches: [
      {
        file: 'server/contacts/store.ts',
        find: 'as record from ${section} r where r.company_id = $1 and r.id = $2 and',
        replace: 'as record from ${section} r where $1::bigint is not null and r.id = $2 and',
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
        find: 'set deleted_at = $3, updated_at = $3 where company_id = $1 and id = $2',
        replace: 'set deleted_at = $3, updated_at = $3 where $1::bigint is not null and id = $2',
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
        file: run,
        find: "`set local app.company_id = '${companyId}'`",
        replace: "`set app.company_id = '${companyId}'`",
      },
    ],
    caughtBy: 'tenancy',
    showing: /still belongs to a company/,
  },
]

/** What comes in from outside, and how much of it. */
const outside: readonly Planted[] = [
  {
    name: 'NaN is a number',
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
    name: 'a zero byte is text',
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
    name: 'an id may be larger than any',
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
    patches: [{ file: 'server/kernel/json.ts', find: '  if (nestsTooDeep(text)) throw notJson()\n', replace: '' }],
    caughtBy: 'fuzz',
    showing: /is not valid JSON/,
  },
  {
    name: 'a slow client may take for ever',
    patches: [
      {
        file: 'server/platform/http.ts',
        find: 'requestTimeout: bounds.bodyMs,',
        replace: 'requestTimeout: 0,',
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
    caughtBy: 'server/conformance/request/numbers.test.ts',
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
    caughtBy: 'server/conformance/stock/costs.test.ts',
  },
  {
    name: 'requests are counted in memory',
    patches: [
      {
        file: 'server/access/gate.ts',
        find: 'then 1 else q.used + 1 end',
        replace: 'then 1 else q.used end',
      },
    ],
    caughtBy: 'overload',
    showing: /were counted and/,
  },
  {
    name: 'what is refused as busy is counted',
    patches: [
      {
        file: 'server/platform/dispatch.ts',
        find: '    if (!this.#admission.isTight) return false\n',
        replace: '    if (authorization.length > 0) return false\n',
      },
      {
        file: 'server/platform/dispatch.ts',
        find: '      return await this.#admission.run(owner.company_id,',
        replace: `      if (!this.#admission.hasRoom(owner.company_id)) {
        const count = this.#access.countRequest(owner.company_id, hash, new Date().toISOString())
        const company = \`begin; set local app.company_id = '\${owner.company_id}'\`
        await this.#database.pool.use((connection) => connection.flight([company, count, 'commit']))
      }
      return await this.#admission.run(owner.company_id,`,
      },
    ],
    caughtBy: 'overload',
    showing: /were counted and/,
  },
  {
    name: 'a stalled reader is never given up',
    patches: [
      {
        file: 'server/platform/stream.ts',
        find: "const stalled = () => answer.destroy(new Error('the reader of a list took nothing for too long'))",
        replace: 'const stalled = () => {}',
      },
    ],
    caughtBy: 'overload',
    showing: /not given up/,
  },
  {
    name: 'stopping does not wait for what is under way',
    patches: [{ file: 'server/main.ts', find: '    stop().then(\n', replace: '    Promise.resolve().then(\n' }],
    caughtBy: 'rolling',
    showing: /requests failed|were acknowledged/,
    runs: 6,
  },
]

export const faultsFromOutside: readonly Planted[] = [...walls, ...outside]
