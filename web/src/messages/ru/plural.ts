// The plural forms of Russian.

import { count } from '../../format.ts'

const rules = new Intl.PluralRules('ru')

/** The word alone, in the form that goes with the number. */
export const form = (number: number, one: string, few: string, many: string): string => {
  const rule = rules.select(number)
  return rule === 'one' ? one : rule === 'few' ? few : many
}

/** `1 продажа`, `3 продажи`, `5 продаж` */
export const plural = (number: number, one: string, few: string, many: string): string =>
  `${count(number)} ${form(number, one, few, many)}`
