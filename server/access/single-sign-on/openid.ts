// OpenID Connect with the identity provider of a company: where users are sent, and what the provider says about who they are. The library openid-client checks everything that a provider
// answers: its issuer, the signature of the ID token, for whom it is, its nonce and its times.

import { createHash } from 'node:crypto'
import type { Configuration } from 'openid-client'
import { Busy } from '../../platform/process/faults.ts'
import type { Expected } from './pending.ts'
import type { SingleSignOnPolicy } from './policy.ts'
import { loadSingleSignOnPolicy, type OpenProvider } from './provider.ts'

/** Loaded with the first sign-in. */
const library = () => import('openid-client')

/** What an ID token says about a user. */
export type Identity = {
  readonly subject: string
  readonly email: string | undefined
  readonly isEmailVerified: boolean
  /** When the provider last asked who the user is, in seconds since 1970. */
  readonly authenticatedAt: number | undefined
}

/** The provider could not be reached, or what it answered is not right. The message is shown to the owners of the company. */
export class ProviderProblem extends Error {}

const clockToleranceSeconds = 30
const maxSubject = 255

export class OpenId {
  readonly #policy: SingleSignOnPolicy
  readonly #turns = new Turns()
  /** Metadata and keys of providers. */
  readonly #configurations = new Map<string, { readonly configuration: Configuration; readonly untilMs: number }>()

  constructor(policy: SingleSignOnPolicy) {
    this.#policy = policy
  }

  /** The address at the provider at which the user signs in. */
  async begin(companyId: number, provider: OpenProvider, { nonce, verifier, state }: Expected): Promise<string> {
    const { buildAuthorizationUrl, calculatePKCECodeChallenge } = await library()
    const challenge = await calculatePKCECodeChallenge(verifier)
    return await this.#asking(companyId, async () => {
      const url = buildAuthorizationUrl(await this.#configurationOf(provider), {
        redirect_uri: this.#policy.returnAddress,
        scope: 'openid email',
        nonce,
        state,
        code_challenge: challenge,
        code_challenge_method: 'S256',
      })
      // The page opens it: another scheme could run a script of the provider in it.
      if (url.protocol !== 'https:' && !(url.protocol === 'http:' && this.#policy.allowsHttp))
        throw new ProviderProblem('authorization endpoint without https')
      return url.href
    })
  }

  /** `answer`: what the provider added to the address to which it sent the user back. */
  async complete(companyId: number, provider: OpenProvider, expected: Expected, answer: string): Promise<Identity> {
    const { authorizationCodeGrant, fetchUserInfo } = await library()
    const address = new URL(this.#policy.returnAddress)
    address.search = answer
    return await this.#asking(companyId, async () => {
      const configuration = await this.#configurationOf(provider)
      const tokens = await authorizationCodeGrant(configuration, address, {
        pkceCodeVerifier: expected.verifier,
        expectedNonce: expected.nonce,
        expectedState: expected.state,
        idTokenExpected: true,
      })
      const claims = tokens.claims()
      if (claims === undefined || claims.sub.length > maxSubject)
        throw new ProviderProblem('no account that can be stored')
      // By the standard, the email need not be in the ID token.
      const isAsked = claims['email'] === undefined && configuration.serverMetadata().userinfo_endpoint !== undefined
      const about = isAsked ? await fetchUserInfo(configuration, tokens.access_token, claims.sub) : claims
      return {
        subject: claims.sub,
        email: typeof about['email'] === 'string' ? about['email'] : undefined,
        isEmailVerified: about['email_verified'] === true,
        authenticatedAt: claims.auth_time,
      }
    })
  }

  async #asking<T>(companyId: number, ask: () => Promise<T>): Promise<T> {
    return await this.#turns.take(companyId, async () => {
      try {
        return await ask()
      } catch (error) {
        throw error instanceof ProviderProblem ? error : new ProviderProblem(problemOf(error))
      }
    })
  }

  async #configurationOf(provider: OpenProvider): Promise<Configuration> {
    const key = keyOf(provider)
    const known = this.#configurations.get(key)
    if (known !== undefined && known.untilMs > performance.now()) return known.configuration
    const configuration = await this.#discover(provider)
    this.#configurations.delete(key)
    if (this.#configurations.size >= maxConfigurations)
      this.#configurations.delete(this.#configurations.keys().next().value ?? '')
    this.#configurations.set(key, { configuration, untilMs: performance.now() + configurationMs })
    return configuration
  }

  async #discover({ issuer, client_id: clientId, client_secret: secret }: OpenProvider): Promise<Configuration> {
    const openId = await library()
    const { requests, allowsHttp } = this.#policy
    const metadata = {
      client_secret: secret,
      [openId.clockTolerance]: clockToleranceSeconds,
    }
    return await openId.discovery(new URL(issuer), clientId, metadata, undefined, {
      execute: [openId.enableNonRepudiationChecks, ...(allowsHttp ? [openId.allowInsecureRequests] : [])],
      [openId.customFetch]: (url, { method, headers, body, signal }) =>
        requests.fetch(url, { method, headers, body: body == null ? undefined : String(body), signal }),
    })
  }
}

const maxConfigurations = 200
/** A provider that has changed its keys or addresses is asked again after this time. */
const configurationMs = 10 * 60_000

const keyOf = ({ issuer, client_id: clientId, client_secret: secret }: OpenProvider): string =>
  createHash('sha256')
    .update(JSON.stringify([issuer, clientId, secret]))
    .digest('base64')

/** Codes of the library, never texts of the provider: they could be anything. */
function problemOf(error: unknown): string {
  const codes: string[] = []
  for (let at = error, depth = 0; at instanceof Error && depth < 4; at = at.cause, depth++) {
    const { code, error: answered } = at as { code?: unknown; error?: unknown }
    for (const one of [code, answered])
      if (typeof one === 'string' && /^\w{1,60}$/.test(one) && !codes.includes(one)) codes.push(one)
  }
  return codes.length === 0 ? 'no answer' : codes.join(', ')
}

const maxTurns = 16
const maxTurnsOfCompany = 2

/** How many sign-ins wait for providers at a time, so that one that does not answer holds up nobody else. */
class Turns {
  readonly #ofCompany = new Map<number, number>()
  #taken = 0

  async take<T>(companyId: number, run: () => Promise<T>): Promise<T> {
    const own = this.#ofCompany.get(companyId) ?? 0
    if (own >= maxTurnsOfCompany || this.#taken >= maxTurns)
      throw new Busy('too many sign-ins wait for identity providers')
    this.#ofCompany.set(companyId, own + 1)
    this.#taken++
    try {
      return await run()
    } finally {
      this.#taken--
      const left = (this.#ofCompany.get(companyId) ?? 1) - 1
      if (left === 0) this.#ofCompany.delete(companyId)
      else this.#ofCompany.set(companyId, left)
    }
  }
}

let openId: { readonly policy: SingleSignOnPolicy; readonly client: OpenId } | undefined

/** One for the process: it remembers what providers have answered. */
export function openIdOf(): OpenId {
  const policy = loadSingleSignOnPolicy()
  if (openId?.policy !== policy) openId = { policy, client: new OpenId(policy) }
  return openId.client
}
