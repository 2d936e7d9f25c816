// A test of a rule of the API. docs/conformance.md lists every rule with its tests.

import { type TestContext, test } from 'node:test'
import { rules } from '../rules/index.ts'

/** One test of one rule. `about` describes which part of the rule it covers, when a rule has several tests. */
export function rule(id: string, ...rest: [body: Body] | [about: string, body: Body]): void {
  const known = rules.find((one) => one.id === id)
  if (known === undefined) throw new Error(`no rule has the id ${id}: see server/test/rules/`)
  const [about, body] = rest.length === 2 ? rest : ['', rest[0]]
  void test(`${id}: ${about === '' ? known.text : about}`, body)
}

type Body = (context: TestContext) => Promise<void> | void
