// Whether users can have passkeys, and for which server: the one that PUBLIC_ORIGIN names.

import type { Config } from '../../platform/process/config.ts'
import { networkFrom } from '../../platform/process/network.ts'

export type PasskeyPolicy = {
  /** What browsers must report as the origin of the page. */
  readonly origin: string
  /** The name that passkeys are made for. */
  readonly rpId: string
}

let policy: PasskeyPolicy | undefined

/** Called once, when the process starts. */
export function setPasskeyPolicy(config: Pick<Config, 'PUBLIC_ORIGIN'>): void {
  policy = passkeyPolicyOf(config)
}

/** Undefined: there are no passkeys. */
export const passkeyPolicy = (): PasskeyPolicy | undefined => policy

/** Browsers have passkeys only over HTTPS and on localhost, and only for names. */
export function passkeyPolicyOf({ PUBLIC_ORIGIN: origin }: Pick<Config, 'PUBLIC_ORIGIN'>): PasskeyPolicy | undefined {
  if (origin === undefined) return undefined
  const { protocol, hostname } = new URL(origin)
  const isName = networkFrom(hostname) === undefined && !hostname.startsWith('[')
  const isSecure = protocol === 'https:' || hostname === 'localhost'
  return isName && isSecure ? { origin, rpId: hostname } : undefined
}
