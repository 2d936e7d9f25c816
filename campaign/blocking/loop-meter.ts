// Loaded into a server before its own code: measures how long its event loop is held, and returns the longest time since the last question on a socket.
// On a request of `/begin` it collects the garbage of earlier requests first: a collection of their garbage would count for whichever request comes next.

import { rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { isMainThread } from 'node:worker_threads'

const path = process.env['LOOP_METER_SOCKET']
if (path !== undefined && isMainThread) {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  // The command may start itself again, in the same process, with other settings of Node.
  rmSync(path, { force: true })
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  createServer((request, response) => {
    if (request.url === '/begin') collect()
    const longestMs = delay.max / 1e6
    response.setHeader('connection', 'close')
    response.end(JSON.stringify({ longestMs }))
    // The collection itself is seen in the next turn of the event loop.
    setImmediate(() => setTimeout(() => delay.reset(), 2))
  })
    .listen(path)
    .unref()
}
