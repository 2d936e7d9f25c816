// An identity provider whose ID tokens can be wrong in every way. The metadata, the keys and the tokens are those of OpenID Connect; what a real provider answers is tested with one.

import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Claims = Record<string, unknown>
export type Faults = {
  /** In place of those of a right token. */
  readonly claims?: Claims
  /** The token is signed with a key that the provider does not publish. */
  readonly isForged?: boolean
  /** The signature is left out. */
  readonly isUnsigned?: boolean
}

const newKey = () => generateKeyPairSync('ec', { namedCurve: 'P-256' })
const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')

export class TestProvider {
  readonly clientId = 'kontor'
  readonly clientSecret = 'a secret of the provider'
  readonly #server: Server
  readonly #key = newKey()
  /** Of codes that have not been redeemed. */
  readonly #tokens = new Map<string, string>()
  /** Requests to the token endpoint. */
  readonly redeemed: URLSearchParams[] = []
  /** Replaces a response by path. */
  readonly responses = new Map<string, { status: number; body: string }>()
  issuer = ''

  constructor() {
    this.#server = createServer(async (request, response) => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk)
      const { status, body } = this.#answer(request.url ?? '', Buffer.concat(chunks).toString())
      response.writeHead(status, { 'content-type': 'application/json' }).end(body)
    })
  }

  /** As an owner enters them. */
  settings() {
    return { name: 'Oak ID', issuer: this.issuer, client_id: this.clientId, client_secret: this.clientSecret }
  }

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    this.issuer = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  stop(): void {
    this.#server.closeAllConnections()
    this.#server.close()
  }

  /** The user signs in at the address: what the provider then adds to the address of this service. */
  answer(address: string, who: Claims, { claims = {}, isForged = false, isUnsigned = false }: Faults = {}): string {
    const asked = new URL(address).searchParams
    const seconds = Math.floor(Date.now() / 1_000)
    const content = {
      iss: this.issuer,
      aud: this.clientId,
      nonce: asked.get('nonce'),
      iat: seconds,
      exp: seconds + 300,
      auth_time: seconds,
      ...who,
      ...claims,
    }
    const code = randomBytes(16).toString('hex')
    this.#tokens.set(code, this.#signed(content, isForged ? newKey().privateKey : this.#key.privateKey, isUnsigned))
    return new URLSearchParams({ code, state: asked.get('state') ?? '' }).toString()
  }

  #signed(content: object, key: KeyObject, isUnsigned: boolean): string {
    const text = `${encoded({ alg: isUnsigned ? 'none' : 'ES256', kid: 'one' })}.${encoded(content)}`
    if (isUnsigned) return `${text}.`
    return `${text}.${sign('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`
  }

  #answer(path: string, body: string): { status: number; body: string } {
    const replaced = this.responses.get(path)
    if (replaced !== undefined) return replaced
    if (path === '/.well-known/openid-configuration') return ok(this.#metadata())
    if (path === '/keys') {
      const key = { ...this.#key.publicKey.export({ format: 'jwk' }), kid: 'one', use: 'sig', alg: 'ES256' }
      return ok({ keys: [key] })
    }
    if (path !== '/token') return { status: 404, body: '{}' }
    const sent = new URLSearchParams(body)
    this.redeemed.push(sent)
    const token = this.#tokens.get(sent.get('code') ?? '')
    this.#tokens.delete(sent.get('code') ?? '')
    if (token === undefined) return { status: 400, body: JSON.stringify({ error: 'invalid_grant' }) }
    return ok({ access_token: 'unused', token_type: 'Bearer', expires_in: 60, id_token: token })
  }

  #metadata() {
    return {
      issuer: this.issuer,
      authorization_endpoint: `${this.issuer}/authorize`,
      token_endpoint: `${this.issuer}/token`,
      jwks_uri: `${this.issuer}/keys`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['ES256'],
    }
  }
}

const ok = (body: unknown) => ({ status: 200, body: JSON.stringify(body) })
