// What became of the links of a quote: when each was made, opened, revoked, and what the customer decided.

import { Stack, Text } from '@mantine/core'
import { quantity, text, time } from '../format.ts'
import { messages } from '../messages.ts'
import type { QuoteCard } from './quote.ts'

type QuoteLink = QuoteCard['links'][number]

const texts = messages.quotes.log

export function LogTab({ links }: { links: readonly QuoteLink[] }) {
  if (links.length === 0) return <Text c="dimmed">{texts.none}</Text>
  return (
    <Stack gap="md">
      {links.map((link) => (
        <div key={link.number}>
          <Text size="sm" fw={500}>
            {texts.sent(time(link.sent_at))}
          </Text>
          {linesOf(link).map((line) => (
            <Text key={line} size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
              {line}
            </Text>
          ))}
        </div>
      ))}
    </Stack>
  )
}

/** The link of a mail that waits does not exist yet. */
function stateOf(link: QuoteLink): string[] {
  if (link.works === 1) return [texts.works]
  if (link.revoked_at !== null) return [texts.revoked(time(link.revoked_at))]
  return link.mail_status === 'queued' ? [] : [texts.off]
}

function linesOf(link: QuoteLink): string[] {
  const by = link.decided_by || texts.nobody
  return [
    ...(link.mail_status === null
      ? []
      : [texts.mailed(text(link.mailed_to), messages.mails.statuses[link.mail_status])]),
    ...stateOf(link),
    ...(link.opened === 0
      ? [texts.unopened]
      : [
          texts.opened(quantity(link.opened)),
          texts.first(time(link.first_opened_at), text(link.first_opened_from)),
          ...(link.opened === 1 ? [] : [texts.last(time(link.last_opened_at), text(link.last_opened_from))]),
        ]),
    ...(link.decision === null ? [] : [texts[link.decision](by, time(link.decided_at), text(link.decided_from))]),
  ]
}
