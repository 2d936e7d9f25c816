// Sending a quote: by mail, or as a link that is shown once, to be sent by the user.

import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { modals } from '@mantine/modals'
import { FormDialog } from '../kit/form-dialog.tsx'
import { notify } from '../kit/notify.tsx'
import { messages } from '../messages.ts'
import { mutate } from '../server/query.ts'
import { CodeBlock } from '../settings/code-block.tsx'
import { hasLink, type QuoteCard } from './quote.ts'

const texts = messages.quotes

type Quote = QuoteCard['quote']

export async function makeLink(quote: Quote): Promise<void> {
  const { token } = await mutate('quotes/send', { quote_id: quote.id })
  if (token !== null) showLink(quote, token)
}

/** Shows the link, which nobody can look up later. */
function showLink(quote: Quote, token: string): void {
  const id = modals.open({
    title: texts.link.title,
    size: 'lg',
    closeOnClickOutside: false,
    children: (
      <Stack gap="sm">
        <Text>{texts.link.text(quote.customer_name)}</Text>
        <CodeBlock label={texts.link.label} text={`${window.location.origin}/q/${token}`} />
        <Text size="sm" c="dimmed">
          {texts.link.once}
        </Text>
        <Group justify="flex-end">
          <Button data-autofocus onClick={() => modals.close(id)}>
            {texts.link.close}
          </Button>
        </Group>
      </Stack>
    ),
  })
}

/** On a server that sends mails. */
export function SendQuote({ card, onClose }: { card: QuoteCard; onClose: () => void }) {
  const { quote, customer_email: address } = card
  return (
    <FormDialog
      title={texts.mail.title(quote.num)}
      label={texts.act.send}
      start={{ email: address }}
      save={async ({ email }) => ({
        email: email.trim(),
        ...(await mutate('quotes/send', { quote_id: quote.id, email })),
      })}
      onClose={onClose}
      onSaved={({ email, token }) => {
        onClose()
        if (token === null) notify(texts.done.mailed(quote.num, email))
        else showLink(quote, token)
      }}
      fields={(form) => (
        <>
          <TextInput
            label={texts.mail.email}
            description={texts.mail.hint}
            type="email"
            maxLength={255}
            data-autofocus
            {...form.getInputProps('email')}
          />
          {hasLink(card) && (
            <Text size="sm" c="dimmed">
              {texts.ask.resendText}
            </Text>
          )}
        </>
      )}
    />
  )
}
