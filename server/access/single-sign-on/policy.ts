// Whether companies can use single sign-on, and how the server reaches their identity providers. PUBLIC_ORIGIN is part of the address to which a provider sends users back.

import type { OutgoingPosts } from '../../platform/http/outgoing-post.ts'
import type { Config } from '../../platform/process/config.ts'

export type SingleSignOnPolicy = {
  /** Where a provider sends users back to. */
  readonly returnAddress: string
  readonly requests: OutgoingPosts
  /** Whether a provider may be reached without TLS. */
  readonly allowsHttp: boolean
}

let policy: SingleSignOnPolicy | undefined

export const returnPath = '/sign-in/return'

/** Called once, when the process starts. */
export function setSingleSignOnPolicy(
  { PUBLIC_ORIGIN: origin }: Pick<Config, 'PUBLIC_ORIGIN'>,
  requests: OutgoingPosts,
  allowsHttp: boolean,
): void {
  policy = origin === undefined ? undefined : { returnAddress: `${origin}${returnPath}`, requests, allowsHttp }
}

/** Undefined: there is no single sign-on. */
export const singleSignOnPolicy = (): SingleSignOnPolicy | undefined => policy
