// The status of a quote as a badge. A sent quote that is no longer valid is shown as expired.

import { PlainBadge, StateBadge, stateLabel } from '../kit/state-badge.tsx'
import { messages } from '../messages.ts'

type Of = { readonly status: number; readonly is_expired: 0 | 1 }

export const quoteStateLabel = ({ status, is_expired: isExpired }: Of): string =>
  isExpired === 1 ? messages.quotes.expired : stateLabel('quote', status)

export const QuoteState = ({ quote }: { quote: Of }) =>
  quote.is_expired === 1 ? (
    <PlainBadge colour="yellow" label={messages.quotes.expired} />
  ) : (
    <StateBadge of="quote" code={quote.status} />
  )
