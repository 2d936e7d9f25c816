// Secrets that the server must be able to read again: encrypted with the key of the configuration, or stored plainly when there is none. The first byte says which.

import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import type { Config } from '../../platform/process/config.ts'

const plain = 0
const encrypted = 1
const nonceBytes = 12
const tagBytes = 16
const cipher = 'aes-256-gcm'

let key: Buffer | undefined

/** Called once, when the process starts. */
export function setSecretsKey({ SECRETS_KEY: text }: Pick<Config, 'SECRETS_KEY'>): void {
  key = text === undefined ? undefined : Buffer.from(text, 'base64')
}

export function seal(secret: Buffer): Buffer {
  if (key === undefined) return Buffer.concat([Buffer.of(plain), secret])
  const nonce = randomBytes(nonceBytes)
  const sealing = createCipheriv(cipher, key, nonce)
  const content = Buffer.concat([sealing.update(secret), sealing.final()])
  return Buffer.concat([Buffer.of(encrypted), nonce, content, sealing.getAuthTag()])
}

/** Throws when the key is missing or another than the one the secret was encrypted with. A secret stored plainly stays readable after a key was configured. */
export function unseal(stored: Buffer): Buffer {
  if (stored[0] === plain) return stored.subarray(1)
  if (key === undefined) throw new Error('a stored secret is encrypted, and SECRETS_KEY is not set')
  const opening = createDecipheriv(cipher, key, stored.subarray(1, 1 + nonceBytes))
  opening.setAuthTag(stored.subarray(-tagBytes))
  try {
    return Buffer.concat([opening.update(stored.subarray(1 + nonceBytes, -tagBytes)), opening.final()])
  } catch (error) {
    throw new Error('a stored secret was encrypted with another SECRETS_KEY', { cause: error })
  }
}
