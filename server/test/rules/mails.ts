// The rules of mails: what is sent to whom, what happens when it is not accepted, and what is kept of it.

import type { Rule } from './rule.ts'
import { under } from './under.ts'

export const mailRules: readonly Rule[] = [
  ...under('mails.invitation', {
    link: 'With an SMTP server `users/invite` sends a mail with the link, in the language of the input, and answers no token; the link works once',
    origin: 'Links begin with PUBLIC_ORIGIN, whatever the headers of the request say',
    alike:
      'For an address with an account in another company, `users/invite` answers the same as for any other, and its mail has the same text',
    own: 'An address of a user of the own company is refused: `Email is already in use`',
    withdrawn: 'The mail of an invitation that was withdrawn or replaced before it was sent is canceled',
    off: 'Without an SMTP server `users/invite` answers the token of a link to copy, and sends nothing',
    names: 'Names in mails are on one line, shortened to 80 characters, and escaped in HTML',
  }),
  ...under('mails.secret', {
    stored:
      'The token of a link is in no table, neither before nor after the mail was sent, nor in the log, nor in the stored response of a server that repeats it',
  }),
  ...under('mails.list', {
    states: '`mails/get_list` lists the mails of the company with their states and the last words of the SMTP server',
    owners: 'Only owners may call it',
  }),
  ...under('mails.limit', {
    day: 'A company may send MAILS_PER_DAY mails in 24 hours: `Too many mails in 24 hours. Must be at most <n>`',
  }),
  ...under('mails.failure', {
    postponed: 'A mail that is refused for now, or whose connection is cut at any step, is tried again after a pause',
    refused:
      'A mail whose recipient or text is refused for good fails at once; a refused login or sender is tried again',
    'given-up': 'An invitation that is not accepted for two days fails',
    killed:
      'A process that is killed while it sends loses no mail, and none arrives twice unless it was killed between the acceptance and its own record of it',
    processes: 'Several processes send each mail once',
  }),
  ...under('mails.shortages', {
    daily:
      'A user who wants it gets a mail with the items below their minimum, once a day of the company, if there are any',
    morning: 'It is sent from six in the morning in the time zone of the company',
    setting: 'Each user chooses it with `session/edit_mails`; by default it is off',
  }),
  ...under('mails.webhook', {
    disabled:
      'When a webhook is turned off because of its receiver, every owner gets a mail, written in the same transaction',
    canceled: 'The mail is canceled if the webhook is turned on before it was sent',
  }),
  ...under('mails.command', {
    test: '`kontor mail test --to ADDRESS` sends a mail at once, and prints what the SMTP server says',
  }),
]
