// Every rule of the interface: what docs/conformance.md lists and what the tests are named after.

import { requestRules } from './request.ts'
import type { Rule } from './rule.ts'
import { salesRules } from './sales.ts'
import { stockRules } from './stock.ts'

export const rules: readonly Rule[] = [...requestRules, ...salesRules, ...stockRules]
