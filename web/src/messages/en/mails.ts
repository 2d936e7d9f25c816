// Texts about mails.

import { count } from '../../format.ts'

export const mails = {
  intro: 'Mails that Kontor has sent for your company in the last 30 days.',
  off: 'This server sends no mails. Invitations are links that you send yourself. The operator of the server can set up mail.',
  empty: 'No mails yet.',
  column: { recipient: 'Recipient', status: 'Status', response: 'Response of the mail server', at: 'Time' },
  kinds: {
    invitation: 'Invitation',
    password_reset: 'Link for a new password',
    password_changed: 'Password changed',
    sign_up: 'Sign-up',
    webhook_disabled: 'Webhook turned off',
    shortages: 'Shortages',
    quote: 'Quote',
    document: 'Document',
  },
  statuses: { queued: 'Waiting', sent: 'Sent', failed: 'Failed', canceled: 'Canceled' },
  next: (time: string) => `Next attempt ${time}`,
  attempts: (n: number) => `${count(n)} attempts`,
} as const
