// The gate notices what it must: ten things are broken one after the other in a copy of the source, and the gate's own runner fails for each, at the first
// attempt and when it repeats the failed file. A test that fails every other time is reported and does not fail the run.

import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { runIn, withCopy } from '../../../campaign/planted/copy.ts'
import type { Patch } from '../../../campaign/planted/fault.ts'

const runner = 'server/test/runner/run.ts'

type Break = {
  readonly what: string
  readonly patch: Patch
  /** The test file that must fail, with options that select its tests. */
  readonly caughtBy: readonly [file: string, ...options: string[]]
}

const breaks: readonly Break[] = [
  {
    what: 'the text of a rule',
    patch: {
      file: 'server/kernel/page.ts',
      find: "refuse('Offset requires limit')",
      replace: "refuse('Offset needs a limit')",
    },
    caughtBy: ['server/sales/orders/get_list.test.ts'],
  },
  {
    what: 'a sum',
    patch: {
      file: 'server/documents/document.ts',
      find: 'moneyText(subtotal + deliveryPrice - discount)',
      replace: 'moneyText(subtotal + deliveryPrice)',
    },
    caughtBy: ['server/test/conformance/worked-example.test.ts'],
  },
  {
    what: 'the lock of a company',
    patch: {
      file: 'server/platform/requests/company-clock.ts',
      find: 'where company_id = :company_id for no key update',
      replace: 'where company_id = :company_id',
    },
    caughtBy: ['campaign/sample.test.ts', '--test-name-pattern=^races'],
  },
  {
    what: 'the role that may call a method',
    patch: { file: 'server/access/settings/edit.ts', find: "role: 'owner',", replace: "role: 'worker'," },
    caughtBy: ['server/test/contract/screens.test.ts', '--test-name-pattern=declare that role'],
  },
  {
    what: 'a privilege of the server',
    patch: {
      file: 'server/platform/postgres/rights.ts',
      find: "sign_ins: ['select', 'insert', 'delete'],",
      replace: "sign_ins: ['select', 'insert'],",
    },
    caughtBy: ['server/access/users/users.test.ts'],
  },
  {
    what: 'a screen, which does not load',
    patch: {
      file: 'web/src/sales/sales-list.tsx',
      find: 'export function Component() {',
      replace: "export function Component() {\n  if (Date.now() > 0) throw new Error('broken')",
    },
    caughtBy: ['web/tests/sales.test.ts'],
  },
  {
    what: 'a request, which ends the process',
    patch: {
      file: 'server/sales/orders/update_payment.ts',
      find: 'facts: (input, context) => factsOfSale(',
      replace:
        "facts: (input, context) => void setImmediate(() => { throw new Error('broken') }) as never ?? factsOfSale(",
    },
    caughtBy: ['server/sales/orders/update_payment.test.ts'],
  },
  {
    what: 'an event, which is not written',
    patch: {
      file: 'server/platform/requests/company-clock.ts',
      find: 'return insertEvents(origin, rows)',
      replace: 'return insertEvents(origin, rows.slice(-1))',
    },
    caughtBy: ['server/access/events/own.test.ts'],
  },
  {
    what: 'a status code',
    patch: {
      file: 'server/platform/requests/public-request.ts',
      find: "new Refusal('Unknown method', 404)",
      replace: "new Refusal('Unknown method', 400)",
    },
    caughtBy: ['server/test/conformance/request/checks.test.ts'],
  },
]

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
