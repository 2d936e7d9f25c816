// Codes of an authenticator app by TOTP (RFC 6238): six digits, a new one every 30 seconds.

import { randomBytes } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'

const periodSeconds = 30
const secretBytes = 20
/** Codes of the period before and after the present one are right, too: clocks differ, and typing takes time. */
const window = 1

export const newTotpSecret = (): Buffer => randomBytes(secretBytes)

function totpOf(secret: Buffer, label = ''): TOTP {
  const bytes = new Uint8Array(secret)
  return new TOTP({
    issuer: 'Kontor',
    label,
    algorithm: 'SHA1',
    digits: 6,
    period: periodSeconds,
    secret: new Secret({ buffer: bytes.buffer }),
  })
}

/** To type into an app that cannot read the QR code. */
export const totpSecretText = (secret: Buffer): string => totpOf(secret).secret.base32

/** `otpauth://…`, the content of the QR code. */
export const totpAddress = (secret: Buffer, label: string): string => totpOf(secret, label).toString()

export const isTotpCode = (code: string): boolean => /^\d{6}$/.test(code)

/** The period that the code belongs to; `undefined` when it is wrong at this time. */
export function stepOfCode(secret: Buffer, code: string, at: string): number | undefined {
  const timestamp = Date.parse(at)
  const delta = totpOf(secret).validate({ token: code, timestamp, window })
  return delta === null ? undefined : Math.floor(timestamp / 1000 / periodSeconds) + delta
}
