// Names and SKUs are found by an index, however many a company has.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { methods } from '../methods.ts'
import { query } from '../test/harness/database.ts'
import { given } from '../test/harness/given.ts'
import { plansOf, skipOnCluster } from '../test/harness/plans.ts'

/** The conditions that are checked row by row. */
const filtersOf = (plan: string): string[] =>
  withoutOldCodes(plan)
    .split('\n')
    .filter((line) => /^\s*(Join )?Filter:/.test(line))

/** Codes without a key, usually none, have an index of their own: with another one all codes of a new company were read for each code. */
const withoutOldCodes = (plan: string): string =>
  plan.replace(/using item_codes_without_key .*\n.*Index Cond: .*\n.*Filter: .*/g, '')

test('no statement reads the names or codes of a company one by one', { skip: skipOnCluster }, async () => {
  assert.ok(methods.length > 0)
  const company = await given.company()
  const { id } = await given.product(company)
  const rows = 'from generate_series(1000, 3000) g'
  for (const table of ['customers', 'suppliers'])
    await query(
      company.id,
      `insert into ${table} (company_id, id, name, name_key, folded_name) select $1, g, 'Name ' || g, 'name ' || g, 'name ' || g ${rows}`,
      [company.id],
    )
  for (const space of ['product', 'material'])
    await query(
      company.id,
      `insert into item_codes (company_id, space, code, code_key, item_id, role) select $1, '${space}', 'SKU-' || g, 'sku-' || g, ${id}, 'alternative' ${rows}`,
      [company.id],
    )
  await query(company.id, 'analyze customers, suppliers, item_codes')
  // Statements of the tests have other names than those of the server.
  const plans = await plansOf(
    (name, { text }) => !name.startsWith('given.') && /\b(?:folded_name|code_key)\b/.test(text),
  )
  const indexed = [...plans.values()].filter((plan) => /Index Cond: .*\b(?:folded_name|code_key) = /.test(plan))
  assert.ok(indexed.length > 50, `only ${indexed.length} statements use the indexes`)
  for (const [name, plan] of plans) {
    const slow = filtersOf(plan).filter((line) =>
      /\b(?:folded_name|code_key|name|code)\)? = |code_key IS NULL/.test(line),
    )
    assert.deepEqual(slow, [], name)
  }
})
