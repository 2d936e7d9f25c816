// Faults that show when a client closes its connection at the wrong moment.

import type { Planted } from './fault.ts'

const caughtBy = 'disconnect'

const readLate = {
  file: 'server/platform/http/http.ts',
  find: "dryRun: headerText(request.headers['kontor-dry-run']),\n        address: addressOf(request),\n",
  replace:
    "dryRun: headerText(request.headers['kontor-dry-run']),\n        get address() {\n          return request.ip\n        },\n",
}
const madeOutside = {
  file: 'server/access/last-use.ts',
  find: '    try {\n      const parts = uses.flatMap(({ companyId',
  replace:
    '    for (const { address } of uses) address.trim()\n    try {\n      const parts = uses.flatMap(({ companyId',
}

export const faultsOfHangingUp: readonly Planted[] = [
  {
    name: 'the address of a client is read when its connection may be closed',
    patches: [readLate, madeOutside],
    caughtBy,
    runs: 1,
    showing: /the metrics count|the log has/,
  },
  {
    name: 'an error in the background ends the process',
    patches: [
      readLate,
      madeOutside,
      {
        file: 'server/access/last-use.ts',
        find: "inBackgroundAfter('last_use', writeAfterMs, () => this.flush())",
        replace: 'setTimeout(() => void this.flush(), writeAfterMs)',
      },
      {
        file: 'server/main.ts',
        find: "  process.on('unhandledRejection', (error) => report('unhandled', error))\n",
        replace: '',
      },
    ],
    caughtBy,
    showing: /processes .* have become/,
  },
]
