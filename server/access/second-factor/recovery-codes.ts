// Recovery codes: each replaces a second factor once. They are shown once, and only their hashes are stored.

import { createHash, randomBytes } from 'node:crypto'

/** How many a user gets at a time. */
export const codesAtOnce = 10

/** Without letters that look like digits. */
const alphabet = 'abcdefghijkmnpqrstuvwxyz23456789'
const length = 24

/** 120 random bits, so that a fast hash is enough to store them. */
export const newRecoveryCodes = (): string[] =>
  Array.from({ length: codesAtOnce }, () => [...randomBytes(length)].map((byte) => alphabet[byte % 32]).join(''))

/** In groups of four, to be written down. */
export const shownCode = (code: string): string => code.replace(/(.{4})(?=.)/g, '$1-')

export const isRecoveryCode = (code: string): boolean => /^[a-km-np-z2-9]{24}$/.test(code)

export const hashOfCode = (code: string): Buffer => createHash('sha256').update(code).digest()
