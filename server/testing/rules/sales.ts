import type { Rule } from './index.ts'

export const salesRules: readonly Rule[] = []
