// Frees the buffers that a stream has sent. Socket buffers are referenced by young objects, which V8 collects only when its young space is full:
// without this, a long list kept 60 MB of unused buffers. A smaller young space would slow down every request.

import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
// Garbage is collected when the heap has grown by half. V8 waits until it has grown several times, which kept hundreds of megabytes after large requests.
setFlagsFromString('--heap-growing-percent=50')
const collect = runInNewContext('gc') as (options: { type: 'minor' | 'major' }) => void

/** Takes about a millisecond. */
export const freeYoungMemory = (): void => collect({ type: 'minor' })

/** Frees the garbage of startup. Called once, when the server is ready. */
export const freeStartMemory = (): void => collect({ type: 'major' })
