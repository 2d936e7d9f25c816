// Loaded into a server before its own code: measures how long its event loop is held, and returns the longest time since the last question on a socket.

import { rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { isMainThread } from 'node:worker_threads'

const path = process.env['LOOP_METER_SOCKET']
if (path !== undefined && isMainThread) {
  // The command may start itself again, in the same process, with other settings of Node.
  rmSync(path, { force: true })
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  createServer((_request, response) => {
    const longestMs = delay.max / 1e6
    delay.reset()
    response.setHeader('connection', 'close')
    response.end(JSON.stringify({ longestMs }))
  })
    .listen(path)
    .unref()
}
