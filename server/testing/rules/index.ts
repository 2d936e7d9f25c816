// Every rule of the interface: what docs/conformance.md lists and what the tests are named after.

import { requestRules } from './request.ts'
import { salesRules } from './sales.ts'
import { stockRules } from './stock.ts'

export type Rule = {
  /** Dotted, stable: `orders/add.error.no-num`. */
  readonly id: string
  /** The rule in one sentence, or the exact error text with its condition. */
  readonly text: string
}

export const rules: readonly Rule[] = [...requestRules, ...salesRules, ...stockRules]
