// Methods of the stock section.

import type { Method } from '../kernel/method.ts'
import { browseStock } from './browse.ts'
import { getChanges } from './changes.ts'
import { getLevels } from './levels.ts'
import { getMovements } from './movements.ts'
import { getReserved } from './reserved.ts'

export const stockMethods: readonly Method[] = [getLevels, getChanges, getMovements, browseStock, getReserved]
