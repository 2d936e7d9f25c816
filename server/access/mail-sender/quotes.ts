// What the sender of mails asks sales about a quote.

import type { Statement } from '../../kernel/statement.ts'

export type QuoteOfMail = {
  readonly company: string
  /** The e-mail in the details of the company. */
  readonly email: string
  readonly num: string
  readonly valid_until: string
}

type OfMail = { readonly company_id: number; readonly mail_id: string }

export type QuoteStatements = {
  /** No row: the link of the mail was revoked, or the quote can no longer be accepted. */
  readonly find: (of: OfMail & { readonly quote_id: number }) => Statement<QuoteOfMail>
  /** Makes a token of the link of the mail. No row: the same, or the lease is lost. */
  readonly insertToken: (
    of: OfMail & { readonly lease: string; readonly token_hash: Buffer },
  ) => Statement<{ token_hash: Buffer }>
}
