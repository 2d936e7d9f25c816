// The gate notices what it must: ten things are broken one after the other in a copy of the source, and the gate's own runner fails for each, at the first
// attempt and when it repeats the failed file. A test that fails every other time is reported and does not fail the run.

import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { runIn, withCopy } from '../../../campaign/planted/copy.ts'
import { breaks } from '../../../campaign/planted/faults-of-gate.ts'

const runner = 'server/test/runner/run.ts'

for (const { what, patch, caughtBy } of breaks) {
  test(`the gate notices that this is broken: ${what}`, async () => {
    await withCopy(
      [patch],
      async (folder) => {
        const { code, output } = await runIn(folder, [runner, '--repeat', ...caughtBy])
        assert.equal(code, 1, output.slice(-3_000))
        assert.match(output, new RegExp(`run once more, alone:\n {2}${caughtBy[0]}\n`), output.slice(-3_000))
        assert.match(output, new RegExp(`^failed: ${caughtBy[0]}: `, 'm'), output.slice(-3_000))
        assert.doesNotMatch(output, /^flaky: /m)
      },
      ['web', 'tsconfig.json'],
    )
  })
}

test('the gate notices that a generated file is out of date', async () => {
  const patch = { file: 'docs/openapi.json', find: '"openapi": "3.1.1"', replace: '"openapi": "3.0.0"' }
  await withCopy(
    [patch],
    async (folder) => {
      const { code, output } = await runIn(folder, ['server/generate/main.ts', '--check'])
      assert.equal(code, 1, output)
      assert.match(output, /^docs\/openapi\.json is not up to date/m)
    },
    ['web', 'deploy'],
  )
})

test('a test that fails every other time is reported and passes; one that always fails does not', async () => {
  await withCopy([], async (folder) => {
    const sample = 'server/sample'
    mkdirSync(join(folder, sample))
    const write = (name: string, body: string) =>
      writeFileSync(
        join(folder, sample, name),
        `import { existsSync, rmSync, writeFileSync } from 'node:fs'\nimport { test } from 'node:test'\ntest('sample', () => {\n${body}\n})\n`,
      )
    const other = `if (existsSync('seen')) return rmSync('seen')\nwriteFileSync('seen', '')\nthrow new Error('every other time')`
    write('every-other.test.ts', other)
    write('always.test.ts', `throw new Error('always')`)
    write('never.test.ts', '')
    const runOf = (...names: string[]) =>
      runIn(folder, [runner, '--repeat', ...names.map((name) => `${sample}/${name}.test.ts`)])
    const chance = await runOf('never', 'every-other')
    assert.equal(chance.code, 0, chance.output)
    assert.match(chance.output, /^flaky: server\/sample\/every-other\.test\.ts: sample: every other time$/m)
    assert.match(chance.output, /ℹ pass 2\nℹ fail 0\n/)
    const always = await runOf('never', 'every-other', 'always')
    assert.equal(always.code, 1, always.output)
    assert.match(always.output, /^failed: server\/sample\/always\.test\.ts: sample$/m)
  })
})
