// Finds a quote by the token of its link, for the page that customers open without an account.

import { nameLength, required, textRefusals, textValue } from '../../kernel/field.ts'
import type { Raw } from '../../kernel/json.ts'
import { refuse } from '../../kernel/refusal.ts'
import { readSecret, type Secret } from '../../platform/requests/secrets.ts'
import { expired } from '../../sales/quotes/quote.ts'

export const noLink = 'Link not found'
export const linkRevoked = 'The link was revoked'
export const sharedRefusals: readonly string[] = ['No token in input', noLink, linkRevoked, expired, ...textRefusals]

export const readToken = (raw: Raw): Secret =>
  readSecret(textValue(required(raw, 'token'), 'token', { max: nameLength, trim: true })) ?? refuseUnknown()

export const refuseUnknown = (): never => refuse(noLink, { code: 'link_gone' })

export const decidedBefore = 'The quote was decided before'
/** It was accepted, and is now declined, or the other way round. */
export const refuseDecided = (): never => refuse(decidedBefore, { code: 'quote_decided' })

/** What decides whether a link works. SQL on quote_links `l`, its quote `d` and the company `k`. */
export type LinkState = { readonly is_revoked: boolean; readonly is_expired: boolean }

/** A draft is no offer; its links were revoked when it became one. */
export function refuseUnlessWorking(link: LinkState | undefined): asserts link is LinkState {
  if (link === undefined) refuseUnknown()
  else if (link.is_revoked) refuse(linkRevoked, { code: 'link_revoked' })
  else if (link.is_expired) refuse(expired, { code: 'link_expired' })
}
