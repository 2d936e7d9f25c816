// Secrets of sessions, devices and invitations: a company's id and 256 random bits. Only the hash of the bits is stored.

import { createHash, randomBytes } from 'node:crypto'

export type Secret = { readonly companyId: number; readonly hash: Buffer }

/** The text is shown or set once; the company id in it selects the company in which the hash is looked up. */
export function newSecret(): { readonly hash: Buffer; readonly text: (companyId: number) => string } {
  const secret = randomBits()
  return { hash: hashOf(secret), text: (companyId) => secretText(companyId, secret) }
}

/** The same as texts, for a plan that may run in a thread: the hash is in base64. */
export function newPlainSecret(): { readonly hash: string; readonly secret: string } {
  const secret = randomBits()
  return { hash: hashOf(secret).toString('base64'), secret }
}

const randomBits = (): string => randomBytes(32).toString('base64url')
export const secretText = (companyId: number, secret: string): string => `${companyId}.${secret}`

const wellFormed = /^([1-9]\d{0,15})\.([A-Za-z0-9_-]{43})$/

export function readSecret(text: string | undefined): Secret | undefined {
  const parts = wellFormed.exec(text ?? '')
  if (parts === null) return undefined
  const companyId = Number(parts[1])
  return Number.isSafeInteger(companyId) ? { companyId, hash: hashOf(parts[2] ?? '') } : undefined
}

/** A browser keeps so many sessions besides the one that it uses. */
const maxOthers = 19
const separator = '~'

/** The sessions in a cookie. */
export const readSecrets = (text: string | undefined): string[] =>
  (text ?? '').split(separator, maxOthers).filter((one) => readSecret(one) !== undefined)

/** The cookie for these sessions; null: there is none. */
export const cookieOfSecrets = (texts: readonly string[]): string | null =>
  texts.length === 0 ? null : texts.slice(0, maxOthers).join(separator)

const hashOf = (secret: string): Buffer => createHash('sha256').update(secret).digest()
