// What a test run needs beside the code: a PostgreSQL of its own and folders for temporary files. A separate process, the watchdog, owns them and
// removes them when this process ends, in whatever way.

import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { citusUrl } from '../harness/citus.ts'
import { serverVariable } from '../harness/test-server.ts'
import { runVariable, type Started } from './watchdog.ts'

export type Resources = {
  /** Where databases can be created, as a superuser. */
  readonly serverUrl: string
  /** Ends every process of the run that is left, stops PostgreSQL and removes the folders. */
  readonly stop: () => Promise<void>
}

/** The coordinator of the cluster that was named. */
function citusServer(): string | undefined {
  const url = citusUrl()
  return url === undefined ? undefined : Object.assign(new URL(url), { pathname: '/postgres' }).href
}

/**
 * Uses the cluster named by KONTOR_TEST_CITUS_URL, or the server named by KONTOR_TEST_SERVER_URL, or starts one. The variables that lead to it are set for this process, so that everything it starts
 * finds the same server.
 */
export async function startResources(): Promise<Resources> {
  const named = citusServer() ?? process.env[serverVariable]
  if (named !== undefined) {
    process.env[serverVariable] = named
    return { serverUrl: named, stop: async () => {} }
  }
  // In a session of its own: Ctrl+C in the terminal and a signal to the process group end this run, and then the watchdog cleans up.
  const watchdog = spawn(process.execPath, [join(import.meta.dirname, 'watchdog.ts')], {
    detached: true,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const ended = new Promise<void>((resolve) => watchdog.once('exit', () => resolve()))
  const started = await new Promise<Started>((resolve, reject) => {
    createInterface(watchdog.stdout).once('line', (line) => resolve(JSON.parse(line) as Started))
    watchdog.once('exit', (code) => reject(new Error(`the PostgreSQL of the tests did not start (exit code ${code})`)))
  })
  // It must not keep this process alive.
  watchdog.unref()
  process.env[serverVariable] = started.serverUrl
  process.env[runVariable] = started.run
  process.env['TMPDIR'] = started.folder
  return {
    serverUrl: started.serverUrl,
    stop: async () => {
      watchdog.ref()
      watchdog.stdin.end()
      await ended
    },
  }
}
