// Runs server/test/performance/long-list.timed.test.ts with the given number of sales: npm run long-list -- --sales 1000000

import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const { values } = parseArgs({ options: { sales: { type: 'string', default: '1000000' } } })
const runner = fileURLToPath(new URL('../run.ts', import.meta.url))
const { status } = spawnSync(process.execPath, [runner, 'server/test/performance/long-list.timed.test.ts'], {
  env: { ...process.env, LONG_LIST_SALES: values.sales },
  stdio: 'inherit',
})
process.exitCode = status ?? 1
