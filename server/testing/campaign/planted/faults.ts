// All planted faults, each the smallest change that somebody could make by mistake.

import type { Planted } from './fault.ts'
import { faultsFromOutside } from './faults-from-outside.ts'
import { faultsOfWriting } from './faults-of-writing.ts'

export const faults: readonly Planted[] = [...faultsOfWriting, ...faultsFromOutside]
