import type { Rule } from './index.ts'

export const requestRules: readonly Rule[] = []
