// Every test of the campaign, in the order of the report.

import { blocking } from './blocking/blocking.ts'
import type { Campaign } from './campaign.ts'
import { connection } from './crash/connection.ts'
import { crashPostgres } from './crash/crash-postgres.ts'
import { crashService } from './crash/crash-service.ts'
import { diskFull } from './crash/disk-full.ts'
import { failover } from './crash/failover.ts'
import { powerCut } from './crash/power-cut.ts'
import { restore } from './crash/restore.ts'
import { disconnect } from './disconnect/disconnect.ts'
import { feed } from './feed/feed.ts'
import { fuzz } from './fuzz/fuzz.ts'
import { hostile } from './hostile/hostile.ts'
import { mails } from './mails/mails.ts'
import { overload } from './overload/overload.ts'
import { rolling } from './overload/rolling.ts'
import { planted } from './planted/planted.ts'
import { races } from './races/races.ts'
import { tenancy } from './tenancy/tenancy.ts'
import { upgrade } from './upgrade/upgrade.ts'
import { webhooks } from './webhooks/webhooks.ts'

export const tests: readonly Campaign[] = [
  crashService,
  crashPostgres,
  powerCut,
  diskFull,
  connection,
  failover,
  restore,
  races,
  feed,
  webhooks,
  mails,
  tenancy,
  fuzz,
  disconnect,
  blocking,
  overload,
  hostile,
  rolling,
  upgrade,
  planted,
]

export function loadTest(name: string): Campaign {
  const found = tests.find((test) => test.name === name)
  if (found === undefined)
    throw new Error(`there is no test "${name}": there are ${tests.map((test) => test.name).join(', ')}`)
  return found
}
