// `npm run check`, the gate: everything that is right or wrong however fast the machine is. Stops at the first failing step. With --quick: only the
// checks that need neither a browser nor a server, for use while developing.

import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startResources } from './resources.ts'
import { addTiming, elapsedSeconds, limitSeconds, startVariable, timingsVariable } from './timings.ts'

const quick = ['lint', 'types', 'drift']
const steps = process.argv.includes('--quick') ? [...quick, 'test:pure'] : [...quick, 'test']

process.env[startVariable] ??= String(Date.now() / 1000)

/** Resolves with the exit code. A step that is still running when the time of the gate is over is ended. */
function run(script: string): Promise<number> {
  // npm would not pass the signal on in time, and would not be waited for.
  const child = spawn('npm', ['run', '-s', script], { stdio: 'inherit', detached: true })
  const stop = (signal: NodeJS.Signals) => (child.pid === undefined ? false : process.kill(-child.pid, signal))
  const timer = setTimeout(
    () => {
      console.log(`\nThe gate has taken ${limitSeconds} s. It is stopped in the step "${script}".`)
      stop('SIGTERM')
    },
    Math.max(0, limitSeconds - elapsedSeconds()) * 1000,
  )
  const passOn = (signal: NodeJS.Signals): void => void stop(signal)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, passOn)
  return new Promise((resolve) => {
    child.once('exit', (code) => {
      clearTimeout(timer)
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, passOn)
      resolve(code ?? 1)
    })
  })
}

const resources = await startResources()
const folder = mkdtempSync(join(tmpdir(), 'kontor-check-'))
process.env[timingsVariable] ??= join(folder, 'timings')
try {
  for (const script of steps) {
    const started = performance.now()
    process.exitCode = await run(script)
    if (process.exitCode !== 0) break
    // The test run records its own parts.
    if (script !== 'test')
      addTiming(process.env[timingsVariable], { part: script, seconds: (performance.now() - started) / 1000 })
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
  await resources.stop()
}
