// An authenticator app of a test: codes by RFC 6238, computed without the library of the server.

import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { Browser } from './browser.ts'
import { query } from './database.ts'
import type { User } from './given.ts'

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

function bytesOf(base32: string): Buffer {
  const bits = [...base32].map((sign) => alphabet.indexOf(sign).toString(2).padStart(5, '0')).join('')
  return Buffer.from(bits.match(/.{8}/g)?.map((byte) => Number.parseInt(byte, 2)) ?? [])
}

/** The code of a period of 30 seconds, counted from 1970. */
export function codeOfStep(secret: Buffer, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const hash = createHmac('sha1', secret).update(counter).digest()
  const at = (hash.at(-1) ?? 0) & 15
  return String((hash.readUInt32BE(at) & 0x7f_ff_ff_ff) % 1_000_000).padStart(6, '0')
}

export class AuthenticatorApp {
  readonly #secret: Buffer

  constructor(base32: string) {
    this.#secret = bytesOf(base32)
  }

  /** The code that an app shows now, or some periods later or earlier. */
  code(periods = 0): string {
    return codeOfStep(this.#secret, Math.floor(Date.now() / 30_000) + periods)
  }

  /** A code that is right at no time near the present. */
  wrongCode(): string {
    const near = Array.from({ length: 21 }, (_, at) => this.code(at - 10))
    return ['000000', '111111', '222222'].find((code) => !near.includes(code)) ?? '333333'
  }
}

/** Forgets which code was used last, as if time had passed. */
export const forgetUsedCodes = (company: { readonly id: number }): Promise<unknown> =>
  query(company.id, 'update authenticators set last_step = 0 where company_id = $1', [company.id])

/** Sets up an authenticator app for a signed-in user. Its codes can be used at once. */
export async function withAuthenticator(
  company: { readonly id: number },
  user: Pick<User, 'call'>,
): Promise<{ readonly app: AuthenticatorApp; readonly codes: readonly string[] }> {
  const added = await user.call('second_factors/add_authenticator')
  assert.equal(added.status, 200, added.text)
  const app = new AuthenticatorApp(added.body.secret)
  const confirmed = await user.call('second_factors/confirm_authenticator', { code: app.code() })
  assert.equal(confirmed.status, 200, confirmed.text)
  await forgetUsedCodes(company)
  return { app, codes: confirmed.body.recovery_codes }
}

/** A new browser in which the password was entered, and the token for the second step. */
export async function passwordEntered(
  user: Pick<User, 'email'>,
  password: string,
): Promise<{ readonly browser: Browser; readonly token: string }> {
  const browser = new Browser()
  const { status, text, body } = await browser.call('session/sign_in', { email: user.email, password })
  assert.deepEqual([status, body.needs], [200, 'second_factor'], text)
  return { browser, token: body.token }
}
