// Faults in what programs rely on: shipping over the API, external ids, and the limit of a connection.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the search and replacement texts are source code.

import type { Planted } from './fault.ts'

const recordKey = 'server/platform/lists/record-key.ts'
const parts = 'server/documents/parts.ts'

const shipping: readonly Planted[] = [
  {
    name: 'goods are shipped twice',
    patches: [
      {
        file: parts,
        find: '  for (const { itemId, amount } of parts) left.set(itemId, (left.get(itemId) ?? 0n) - amount)\n',
        replace: '  if (parts.length > 10_000) left.clear()\n',
      },
    ],
    caughtBy: 'server/sales/orders/ship.test.ts',
    showing: /orders\/ship\.(?:repeated|rest)/,
  },
  {
    name: 'more is shipped than is left',
    patches: [{ file: parts, find: '    if (amount > remaining) {\n', replace: '    if (remaining === 0n) {\n' }],
    caughtBy: 'server/sales/orders/ship.test.ts',
    showing: /orders\/ship\.error\.more-than-left/,
  },
]

const externalIds: readonly Planted[] = [
  {
    name: 'an external id of another company names a record',
    patches: [
      {
        file: recordKey,
        find: 'where x.company_id = :company_id and x.connection_id',
        replace: 'where :company_id::bigint is not null and x.connection_id',
      },
      {
        file: 'migrations/0044_external_ids.sql',
        find: 'alter table external_ids enable row level security, force row level security;',
        replace: 'alter table external_ids disable row level security;',
      },
    ],
    caughtBy: 'server/sales/orders/by-external-id.test.ts',
    showing: /external-id\.write-unknown/,
  },
  {
    name: 'an external id of another connection names a record',
    patches: [
      {
        file: recordKey,
        find: 'x.connection_id = :connection_id and x.record',
        replace: 'x.connection_id > 0 * :connection_id and x.record',
      },
    ],
    caughtBy: 'server/sales/orders/by-external-id.test.ts',
    showing: /external-id\.write-unknown/,
  },
]

const limits: readonly Planted[] = [
  {
    name: 'the requests of a connection are not counted',
    patches: [
      { file: 'server/access/quota.ts', find: '(${countedBefore} + 1)::text', replace: '(${countedBefore} + 0)::text' },
    ],
    caughtBy: 'server/test/conformance/request/connection-limit.test.ts',
    showing: /limit\.connection\.(?:beyond|exact)/,
  },
  {
    name: 'a connection beyond its limit uses up that of the company',
    patches: [
      {
        file: 'server/access/quota.ts',
        find: '+ ${isWithin}::int',
        replace: '+ 1',
      },
    ],
    caughtBy: 'server/test/conformance/request/connection-limit.test.ts',
    showing: /limit\.connection\.company/,
  },
]

export const faultsOfIntegrations: readonly Planted[] = [...shipping, ...externalIds, ...limits]
