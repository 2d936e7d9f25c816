// The stock section of the interface.

import type { Method } from '../kernel/method.ts'
import { getLevels } from './levels.ts'
import { getMovements } from './movements.ts'

export const stockMethods: readonly Method[] = [getLevels, getMovements]
