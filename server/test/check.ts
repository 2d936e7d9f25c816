// Runs every check in order and stops at the first failure. Records the duration of each; the test run prints the durations at its end.
// With --quick: only the checks that need neither a browser nor a test database, for use while developing.

import { spawnSync } from 'node:child_process'
import { addTiming, timingsVariable } from './timings.ts'

const quick = [
  ['lint', 'lint'],
  ['types', 'types'],
  ['drift', 'drift'],
] as const
const steps = process.argv.includes('--quick')
  ? ([...quick, ['test:pure', 'pure tests']] as const)
  : ([
      ...quick,
      ['test:web', 'browser tests, with the build of the screens'],
      // The test run prints the timings itself, before its closing lines.
      ['test', undefined],
    ] as const)

const path = process.env[timingsVariable]

for (const [script, part] of steps) {
  const started = performance.now()
  const { status } = spawnSync('npm', ['run', '-s', script], { stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
  if (path !== undefined && part !== undefined) addTiming(path, { part, seconds: (performance.now() - started) / 1000 })
}
