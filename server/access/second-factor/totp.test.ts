// Codes of authenticator apps, recovery codes, and how secrets are stored.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { codeOfStep } from '../../test/harness/authenticator.ts'
import { hashOfCode, isRecoveryCode, newRecoveryCodes, shownCode } from './recovery-codes.ts'
import { seal, setSecretsKey, unseal } from './sealed-secrets.ts'
import { newTotpSecret, stepOfCode, totpAddress, totpSecretText } from './totp.ts'

test('codes are those of RFC 6238', () => {
  const secret = Buffer.from('12345678901234567890')
  // The last six digits of the eight in appendix B.
  for (const [seconds, code] of [
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_234_567_890, '005924'],
    [20_000_000_000, '353130'],
  ] as const) {
    const step = Math.floor(seconds / 30)
    const at = (moved: number) => new Date((seconds + moved * 30) * 1000).toISOString()
    assert.equal(codeOfStep(secret, step), code)
    for (const moved of [-1, 0, 1]) assert.equal(stepOfCode(secret, code, at(moved)), step, `${moved} periods later`)
    for (const moved of [-2, 2]) assert.equal(stepOfCode(secret, code, at(moved)), undefined, `${moved} periods later`)
  }
})

test('the address of the QR code names the user and contains the secret', () => {
  const secret = newTotpSecret()
  assert.equal(secret.length, 20)
  const url = new URL(totpAddress(secret, 'ada+1@oak.example'))
  assert.equal(decodeURIComponent(url.pathname), '/Kontor:ada+1@oak.example')
  assert.deepEqual(
    ['secret', 'issuer', 'algorithm', 'digits', 'period'].map((name) => url.searchParams.get(name)),
    [totpSecretText(secret), 'Kontor', 'SHA1', '6', '30'],
  )
})

test('recovery codes are random and can be written down', () => {
  const codes = newRecoveryCodes()
  assert.equal(codes.length, 10)
  for (const code of codes) assert.ok(isRecoveryCode(code) && shownCode(code).replaceAll('-', '') === code, code)
  assert.equal(new Set(codes.map((code) => hashOfCode(code).toString('hex'))).size, 10)
  for (const wrong of ['', '123456', 'a'.repeat(23), 'l'.repeat(24)]) assert.ok(!isRecoveryCode(wrong), wrong)
})

test('with a key secrets are encrypted; without it, or with another key, they cannot be read', () => {
  const secret = newTotpSecret()
  const keys = [0, 1].map(() => randomBytes(32).toString('base64'))
  const plain = seal(secret)
  assert.deepEqual(unseal(plain), secret)
  try {
    setSecretsKey({ SECRETS_KEY: keys[0] })
    const sealed = seal(secret)
    assert.ok(!sealed.includes(secret) && !sealed.equals(seal(secret)), 'encrypted, each time with another nonce')
    assert.deepEqual(unseal(sealed), secret)
    assert.deepEqual(unseal(plain), secret, 'what was stored before the key was set stays readable')
    const changed = Buffer.from(sealed)
    changed.writeUInt8((changed.at(-1) ?? 0) ^ 1, changed.length - 1)
    assert.throws(() => unseal(changed), /another SECRETS_KEY/)
    setSecretsKey({ SECRETS_KEY: keys[1] })
    assert.throws(() => unseal(sealed), /another SECRETS_KEY/)
    setSecretsKey({ SECRETS_KEY: undefined })
    assert.throws(() => unseal(sealed), /SECRETS_KEY is not set/)
  } finally {
    setSecretsKey({ SECRETS_KEY: undefined })
  }
})
