// The log of the process cannot be written: the service goes on, counts the lost lines, and stops when asked to.

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { openSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { freePort } from '../../../demo/ports.ts'
import { given } from '../harness/given.ts'
import { until } from '../harness/until.ts'

const root = join(import.meta.dirname, '..', '..', '..')

for (const workers of ['1', '2']) {
  test(`with standard output on a full disk, ${workers} workers serve, count the lost lines and stop`, async (context) => {
    const { key } = await given.company()
    const [port, metricsPort] = [await freePort(), await freePort()]
    const child = spawn(process.execPath, ['server/cli.ts', 'serve'], {
      cwd: root,
      // Every request is logged as slow.
      env: {
        ...process.env,
        PORT: String(port),
        METRICS_PORT: String(metricsPort),
        WORKERS: workers,
        LOG_LEVEL: 'info',
        SLOW_REQUEST_MS: '1',
      },
      stdio: ['ignore', openSync('/dev/full', 'w'), 'inherit'],
    })
    context.after(() => child.kill('SIGKILL'))
    const exit = new Promise((resolve) => child.once('exit', (code, signal) => resolve(code ?? signal)))
    let asked = 0
    const ask = () =>
      fetch(`http://127.0.0.1:${port}/v1/units/add.php`, {
        method: 'POST',
        headers: { authorization: key, connection: 'close' },
        body: JSON.stringify({ name: `m${asked++}` }),
      }).then(
        ({ status }) => status,
        () => 0,
      )
    await until(async () => (await ask()) === 200, { pollMs: 100 })
    for (let n = 0; n < 10; n++) assert.equal(await ask(), 200)
    const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
    assert.ok(Number(/^kontor_log_lines_lost_total (\d+)$/m.exec(metrics)?.[1]) > 10, metrics)
    child.kill('SIGTERM')
    assert.equal(await exit, 0)
  })
}
