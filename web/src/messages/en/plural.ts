// Singular and plural in English.

import { count } from '../../format.ts'

/** `3 sales`, `1 sale` */
export const plural = (number: number, one: string, many = `${one}s`): string =>
  `${count(number)} ${number === 1 ? one : many}`
