// Rules that share the beginning of their ids.

import type { Rule } from './rule.ts'

export const under = (prefix: string, texts: Readonly<Record<string, string>>): Rule[] =>
  Object.entries(texts).map(([name, text]) => ({ id: `${prefix}.${name}`, text }))
