import type { Rule } from './index.ts'

export const stockRules: readonly Rule[] = []
