// Freeing what a stream has just passed on. Buffers of a socket hang on young objects, and V8 looks at those only when its young space is full:
// left alone, a long list kept 60 MB of buffers that nobody needed. A smaller young space for all would slow every request down instead.

import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as (options: { type: 'minor' | 'major' }) => void

/** Takes about a millisecond. */
export const freeYoungMemory = (): void => collect({ type: 'minor' })

/** What starting left behind. Once, when the server stands. */
export const freeStartMemory = (): void => collect({ type: 'major' })
