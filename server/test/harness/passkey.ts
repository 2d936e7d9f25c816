// A passkey of a test: an authenticator with one ES256 key, computed here, so that every field of what it signs can be made wrong.

import assert from 'node:assert/strict'
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'

export const testOrigin = 'https://kontor.example'

const sha256 = (text: string | Buffer): Buffer => createHash('sha256').update(text).digest()
const base64url = (bytes: Buffer | string): string => Buffer.from(bytes).toString('base64url')
const flags = { userPresent: 1, userVerified: 4, hasCredential: 0x40 } as const

/** What a browser and an authenticator would not do. */
export type Faults = {
  readonly origin?: string
  readonly rpId?: string
  readonly type?: string
  readonly crossOrigin?: boolean
  readonly isUnverified?: boolean
  readonly counter?: number
  readonly signed?: Buffer
  readonly credential?: string
  readonly userHandle?: string
}

/** The beginning of a byte string in CBOR. */
const bytesHead = (length: number): Buffer =>
  length < 256 ? Buffer.of(0x58, length) : Buffer.of(0x59, length >> 8, length & 255)

export class TestPasskey {
  readonly credentialId = randomBytes(32)
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  readonly #isCounting: boolean
  #counter = 0
  userHandle = ''

  /** Many authenticators, such as those that synchronize passkeys, do not count. */
  constructor({ isCounting = true }: { isCounting?: boolean } = {}) {
    this.#isCounting = isCounting
  }

  get credential(): string {
    return base64url(this.credentialId)
  }

  #clientData(
    type: string,
    challenge: string,
    { origin = testOrigin, crossOrigin = false, ...faults }: Faults,
  ): Buffer {
    return Buffer.from(JSON.stringify({ type: faults.type ?? type, challenge, origin, crossOrigin }))
  }

  #authenticatorData(more: number, { rpId = new URL(testOrigin).hostname, isUnverified = false, counter }: Faults) {
    const count = Buffer.alloc(4)
    count.writeUInt32BE(counter ?? this.#counter)
    const set = flags.userPresent | (isUnverified ? 0 : flags.userVerified) | more
    return Buffer.concat([sha256(rpId), Buffer.of(set), count])
  }

  /** The key in COSE form: a map of type, algorithm, curve and coordinates. */
  #coseKey(): Buffer {
    const { x = '', y = '' } = this.#keys.publicKey.export({ format: 'jwk' })
    const coordinate = (label: number, text: string) =>
      Buffer.concat([Buffer.of(label, 0x58, 32), Buffer.from(text, 'base64url')])
    return Buffer.concat([Buffer.from('a5010203262001', 'hex'), coordinate(0x21, x), coordinate(0x22, y)])
  }

  /** What passkeys/add takes. */
  made(begun: { challenge: string; user_handle: string }, faults: Faults = {}) {
    this.userHandle = begun.user_handle
    const length = Buffer.alloc(2)
    length.writeUInt16BE(this.credentialId.length)
    const data = Buffer.concat([
      this.#authenticatorData(flags.hasCredential, faults),
      Buffer.alloc(16),
      length,
      this.credentialId,
      this.#coseKey(),
    ])
    const text = (word: string) => Buffer.concat([Buffer.of(0x60 + word.length), Buffer.from(word)])
    const attestation = Buffer.concat([
      Buffer.of(0xa3),
      ...[text('fmt'), text('none'), text('attStmt'), Buffer.of(0xa0), text('authData'), bytesHead(data.length), data],
    ])
    return {
      credential: this.credential,
      client_data: base64url(this.#clientData('webauthn.create', begun.challenge, faults)),
      attestation: base64url(attestation),
    }
  }

  /** What session/passkey_sign_in takes. */
  used(challenge: string, faults: Faults = {}) {
    if (this.#isCounting) this.#counter++
    const clientData = this.#clientData('webauthn.get', challenge, faults)
    const data = this.#authenticatorData(0, faults)
    const signature = sign('sha256', faults.signed ?? Buffer.concat([data, sha256(clientData)]), this.#keys.privateKey)
    return {
      credential: faults.credential ?? this.credential,
      client_data: base64url(clientData),
      authenticator_data: base64url(data),
      signature: base64url(signature),
      user_handle: faults.userHandle ?? this.userHandle,
    }
  }
}

/** Adds a new passkey to a user, and returns it with the recovery codes. */
export async function withPasskey(
  user: { readonly call: (path: string, body?: unknown) => Promise<{ status: number; text: string; body: unknown }> },
  passkey = new TestPasskey(),
  name = 'Laptop',
): Promise<{ readonly passkey: TestPasskey; readonly codes: readonly string[] | null }> {
  const begun = await user.call('passkeys/begin')
  assert.equal(begun.status, 200, begun.text)
  const made = passkey.made(begun.body as { challenge: string; user_handle: string })
  const added = await user.call('passkeys/add', { name, ...made })
  assert.equal(added.status, 200, added.text)
  return { passkey, codes: (added.body as { recovery_codes: string[] | null }).recovery_codes }
}
