// The actions in the head of a quote's page: the usual next step first, the rest in the menu, by status.

import type { Action } from '../kit/action.tsx'
import { confirmAction } from '../kit/confirm-action.tsx'
import { confirmEffect } from '../kit/confirm-effect.tsx'
import { navigateFreely } from '../kit/leave-guard.tsx'
import { notify } from '../kit/notify.tsx'
import { messages } from '../messages.ts'
import { mutate } from '../server/query.ts'
import { quoteStatus } from '../statuses.ts'
import { hasLink, type QuoteCard } from './quote.ts'
import { makeLink } from './quote-link.tsx'

const texts = messages.quotes
const { act, ask, done } = texts

type Navigate = (to: string) => unknown
type Tools = {
  readonly navigate: Navigate
  /** Opens the dialog in which the address of a mail is entered. */
  readonly askForAddress: () => void
}

export function quoteActions(
  card: QuoteCard,
  { navigate, askForAddress }: Tools,
): { actions: Action[]; menu: Action[] } {
  const { quote, sends_mails: sendsMails } = card
  const input = { quote_id: quote.id }
  const send: Action = { label: act.send, run: () => (sendsMails ? askForAddress() : makeLink(quote)) }
  const accept: Action = { label: act.accept, run: () => accepted(card, navigate) }
  const resend: Action = { label: act.resend, run: () => (sendsMails ? askForAddress() : resent(card)) }
  const decline: Action = {
    label: act.decline,
    run: async () => {
      await mutate('quotes/decline', input)
      notify(done.declined(quote.num))
    },
  }
  const revoke: Action[] = hasLink(card) ? [{ label: act.revoke, run: () => revoked(card) }] : []
  const reopen: Action = { label: act.reopen, run: () => reopened(card), isReturn: true }
  const remove: Action = { label: act.delete, danger: true, run: () => removed(card, navigate) }
  const { draft, sent, accepted: isAccepted, declined } = quoteStatus
  const byStatus: Readonly<Record<number, { actions: Action[]; menu: Action[] }>> = {
    [draft]: { actions: [send], menu: [remove] },
    [sent]: { actions: [accept, resend], menu: [decline, ...revoke, reopen] },
    [isAccepted]: { actions: [], menu: revoke },
    [declined]: { actions: [reopen], menu: revoke },
  }
  return byStatus[quote.status] ?? { actions: [], menu: [] }
}

async function resent(card: QuoteCard): Promise<void> {
  const question = { title: ask.resend, text: ask.resendText, label: act.resend }
  if (!hasLink(card) || (await confirmAction(question))) await makeLink(card.quote)
}

async function accepted({ quote }: QuoteCard, navigate: Navigate): Promise<void> {
  const input = { quote_id: quote.id }
  const isConfirmed = await confirmEffect({
    path: 'quotes/accept',
    input,
    title: ask.accept(quote.num),
    lead: ask.acceptLead,
    label: act.acceptShort,
  })
  if (!isConfirmed) return
  const { order_id: sale } = await mutate('quotes/accept', input)
  notify(done.accepted(quote.num))
  navigate(`/sales/${sale}`)
}

async function revoked({ quote }: QuoteCard): Promise<void> {
  if (!(await confirmAction({ title: ask.revoke, text: ask.revokeText, label: act.revoke }))) return
  await mutate('quotes/revoke', { quote_id: quote.id })
  notify(done.revoked)
}

async function reopened(card: QuoteCard): Promise<void> {
  const question = { title: ask.reopen, text: ask.reopenText, label: act.reopen }
  const { quote } = card
  if (hasLink(card) && !(await confirmAction(question))) return
  await mutate('quotes/reopen', { quote_id: quote.id })
  notify(done.reopened(quote.num))
}

async function removed({ quote }: QuoteCard, navigate: Navigate): Promise<void> {
  if (!(await confirmAction({ title: ask.delete(quote.num), text: ask.deleteText, label: act.delete }))) return
  await mutate('quotes/delete', { quote_id: quote.id })
  notify(done.deleted(quote.num))
  navigateFreely(() => void navigate('/quotes'))
}
