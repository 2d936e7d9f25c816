// docs/conformance.md is not generated when it would be incorrect.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { conformanceOf } from './conformance.ts'

const rules = [
  { id: 'sale.add', text: 'A sale can be added' },
  { id: 'sale.delete', text: 'A sale can be deleted: <id> or `<id> | <num>`' },
]

/** The source of a test file that names these rules. Written in two halves, so that this file itself names none. */
const file = (...ids: string[]) => ({
  path: 'server/sales/sale.test.ts',
  source: ids.map((id) => `${'rule'}('${id}', async () => {})\n`).join(''),
})

const withoutTest = (id: string): string =>
  `rule ${id} has no test: write one with rule('${id}', …) of server/test/harness/rule.ts, or remove the rule from server/test/rules/`

test('the document lists every rule with the files that test it', () => {
  const document = conformanceOf(rules, [file('sale.add', 'sale.delete', 'sale.add')])
  assert.match(document, /^2 rules, 3 tests\.$/m)
  assert.match(
    document,
    /^\| sale\.add \| A sale can be added \| \[sales\/sale\.test\.ts\]\(\.\.\/server\/sales\/sale\.test\.ts\) \(2\) \|$/m,
  )
  assert.match(document, /^\| sale\.delete \| .*&lt;id> or `<id> \\\| <num>` \| \[sales\/sale\.test\.ts\]/m)
})

test('a rule without a test is reported by its id, with what to do', () => {
  assert.throws(() => conformanceOf(rules, [file('sale.add')]), { message: withoutTest('sale.delete') })
})

test('a test of an unknown rule is reported with its position', () => {
  assert.throws(() => conformanceOf(rules, [file('sale.add', 'sale.delete', 'sale.mislaid')]), {
    message: 'server/sales/sale.test.ts:3 names a rule that is not listed: sale.mislaid',
  })
})

test('all faults are reported together', () => {
  assert.throws(() => conformanceOf(rules, [file('sale.mislaid')]), {
    message: [
      'server/sales/sale.test.ts:1 names a rule that is not listed: sale.mislaid',
      withoutTest('sale.add'),
      withoutTest('sale.delete'),
    ].join('\n'),
  })
})

test('a rule listed twice is reported', () => {
  assert.throws(() => conformanceOf([...rules, ...rules.slice(0, 1)], [file('sale.add', 'sale.delete')]), {
    message: 'rule sale.add is listed twice',
  })
})

test('a rule in a comment or inside another call does not count as a test', () => {
  const commented = {
    path: 'server/sales/sale.test.ts',
    source: `// ${'rule'}('sale.add', …)\nconst text = "${'rule'}('sale.delete')"\n`,
  }
  assert.throws(() => conformanceOf(rules, [commented]), {
    message: `${withoutTest('sale.add')}\n${withoutTest('sale.delete')}`,
  })
})

test('a call on two lines is found, and one that computes its rule is reported', () => {
  const split = { path: 'a.test.ts', source: `${'rule'}(\n  'sale.add',\n  async () => {},\n)\n` }
  assert.match(conformanceOf(rules, [split, file('sale.delete')]), /^2 rules, 2 tests\.$/m)
  const computed = { path: 'a.test.ts', source: `\n  ${'rule'}(one.id, async () => {})\n` }
  assert.throws(() => conformanceOf(rules, [computed]), {
    message: 'a.test.ts:2 does not name its rule by a string literal',
  })
})
