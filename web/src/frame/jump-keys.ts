// The letters that open a page after `g`, one for each page of the navigation. The same in every language, because a
// letter stands for one key of the keyboard.

import { firstKey } from '../kit/key-sequence.ts'

export const jumpKeys = {
  '/': 'h',
  '/sales': 's',
  '/quotes': 'q',
  '/productions': 'm',
  '/purchases': 'p',
  '/stock': 'k',
  '/transfers': 'f',
  '/write-offs': 'w',
  '/audits': 'o',
  '/products': 'i',
  '/materials': 'a',
  '/resources': 'l',
  '/customers': 'c',
  '/suppliers': 'u',
  '/to-fix': 't',
  '/settings': 'e',
} as const

export type JumpAddress = keyof typeof jumpKeys

const isJumpAddress = (to: string): to is JumpAddress => Object.hasOwn(jumpKeys, to)

/** The name of a link with its keys, as in "Sales (g s)". */
export const withJumpKeys = (label: string, to: string): string =>
  isJumpAddress(to) ? `${label} (${firstKey} ${jumpKeys[to]})` : label
