// Singular and plural in German.

import { count } from '../../format.ts'

/** `3 Verkäufe`, `1 Verkauf` */
export const plural = (number: number, one: string, many: string): string =>
  `${count(number)} ${number === 1 ? one : many}`

/** The verb of the passive that agrees with a number of things. */
export const willBe = (number: number): string => (number === 1 ? 'wird' : 'werden')
