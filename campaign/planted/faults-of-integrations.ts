// Faults in what programs rely on: shipping over the API.

import type { Planted } from './fault.ts'

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

export const faultsOfIntegrations: readonly Planted[] = [...shipping]
