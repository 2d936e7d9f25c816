// Faults in what programs rely on: shipping over the API, and external ids.

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

export const faultsOfIntegrations: readonly Planted[] = [...shipping, ...externalIds]
