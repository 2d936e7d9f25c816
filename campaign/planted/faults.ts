// All injected faults, each the smallest change that could be made by mistake.

import type { Planted } from './fault.ts'
import { faultsFromOutside } from './faults-from-outside.ts'
import { faultsOfHangingUp } from './faults-of-hanging-up.ts'
import { faultsOfHostility } from './faults-of-hostility.ts'
import { faultsOfIntegrations } from './faults-of-integrations.ts'
import { faultsOfMails } from './faults-of-mails.ts'
import { faultsOfSkippedLines } from './faults-of-skipped-lines.ts'
import { faultsOfWebhooks } from './faults-of-webhooks.ts'
import { faultsOfWriting } from './faults-of-writing.ts'

export const faults: readonly Planted[] = [
  ...faultsOfWriting,
  ...faultsFromOutside,
  ...faultsOfHostility,
  ...faultsOfHangingUp,
  ...faultsOfIntegrations,
  ...faultsOfWebhooks,
  ...faultsOfMails,
  ...faultsOfSkippedLines,
]
