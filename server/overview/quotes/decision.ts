// What both decisions of a customer share: the quote is found by the token, and the decision is logged at its link with name, time and address.

import { z } from 'zod'
import { inCompany } from '../../access/in-company.ts'
import { runSessionWrite } from '../../access/session-write.ts'
import type { RequestContext, TransactionContext } from '../../kernel/clock.ts'
import { quoteStatus } from '../../kernel/document-statuses.ts'
import { nameLength, required, text } from '../../kernel/field.ts'
import type { Raw } from '../../kernel/json.ts'
import type { WriteMethod } from '../../kernel/method.ts'
import { type Statement, statement } from '../../kernel/statement.ts'
import type { SessionMethodCaller, SessionMethodServices } from '../../platform/requests/request.ts'
import type { Secret } from '../../platform/requests/secrets.ts'
import { isExpired } from '../../sales/quotes/view.ts'
import { type LinkState, readToken, refuseUnknown, refuseUnlessWorking } from './shared.ts'

/** As the customer sends it. */
export type Answer = { readonly token: Secret; readonly name: string }
/** With the quote that the link belongs to. */
export type Decision = { readonly quoteId: number; readonly tokenHash: Buffer; readonly name: string }

const name = z.string().describe('Name of the person who decides.')

const readAnswer = (raw: Raw): Answer => ({
  token: readToken(raw),
  name: text(raw, 'name', { max: nameLength, trim: true }) ?? '',
})

/** Of an acceptance, which needs a name. */
export const acceptanceInput = {
  schema: z.object({ token: z.string(), name }),
  read: (raw: Raw): Answer => {
    const answer = readAnswer(raw)
    required(raw, 'name')
    return answer
  },
}
export const answerInput = { schema: z.object({ token: z.string(), name: name.optional() }), read: readAnswer }

type OfLink = { readonly company_id: number; readonly token_hash: Buffer }

const findQuote = statement<{ quote_id: number }, OfLink>(
  'quote_links.find_quote',
  'select t.quote_id from quote_tokens t where t.company_id = :company_id and t.token_hash = :token_hash',
)

/** Whether the link still works, read while the company is locked. */
export type LinkFacts = { readonly link: LinkState | null }
const linkFacts = statement<LinkFacts, OfLink>(
  'quote_links.state',
  `select (
     select json_build_object('is_revoked', l.revoked_at is not null or d.status = ${quoteStatus.draft}, 'is_expired', ${isExpired})
     from quote_tokens t
     join quote_links l on l.company_id = :company_id and l.quote_id = t.quote_id and l.number = t.number
     join quotes d on d.company_id = :company_id and d.id = l.quote_id
     join companies k on k.company_id = :company_id
     where t.company_id = :company_id and t.token_hash = :token_hash) as link`,
)
export const linkOf = ({ tokenHash }: Decision, { companyId }: RequestContext): Statement<LinkFacts> =>
  linkFacts({ company_id: companyId, token_hash: tokenHash })

export const refuseUnlessLinked = ({ link }: LinkFacts): void => refuseUnlessWorking(link ?? undefined)

const longestAddress = 64
const logDecision = statement<
  never,
  OfLink & { readonly decision: string; readonly at: string; readonly name: string; readonly address: string | null }
>(
  'quote_links.decide',
  `update quote_links l set decision = :decision, decided_at = :at, decided_by = :name, decided_from = :address
   from quote_tokens t
   where t.company_id = :company_id and t.token_hash = :token_hash
     and l.company_id = :company_id and l.quote_id = t.quote_id and l.number = t.number`,
)

export const decisionLog = (
  { tokenHash, name: person }: Decision,
  decision: 'accepted' | 'declined',
  { at, context: { companyId, from } }: TransactionContext,
): Statement =>
  logDecision({
    company_id: companyId,
    token_hash: tokenHash,
    decision,
    at,
    name: person,
    address: from === undefined ? null : from.address.slice(0, longestAddress),
  })

/** Runs the write for the quote of the link, in the name of nobody. */
export async function decide<Facts, Plan>(
  method: WriteMethod<Decision, Facts, Plan>,
  { token: { companyId, hash }, name: person }: Answer,
  { requestId, address, agent }: SessionMethodCaller,
  services: SessionMethodServices,
): Promise<void> {
  const trip = await inCompany(services.pool, companyId, findQuote({ company_id: companyId, token_hash: hash }))
  const quoteId = trip.rows<{ quote_id: number }>(1)[0]?.quote_id ?? refuseUnknown()
  const writer = { companyId, userId: null, requestId, from: { address, agent } }
  await runSessionWrite(services, method, { quoteId, tokenHash: hash, name: person }, writer)
}
