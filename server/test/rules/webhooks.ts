// The rules of webhooks: their methods, the messages, and what happens when a receiver does not accept one.

import type { Rule } from './rule.ts'
import { under } from './under.ts'

export const webhookRules: readonly Rule[] = [
  ...under('webhooks.endpoint', {
    add: '`webhooks/add` answers the id of the webhook and its secret: `whsec_` and the base64 of 32 bytes, shown only once',
    list: '`webhooks/get_list` lists the webhooks with their state, without secrets',
    edit: '`webhooks/edit` changes what is passed; turned off, a webhook gets nothing, and turned on again it continues where it stopped',
    delete: '`webhooks/delete` removes a webhook with its log and the messages that wait',
    roll: '`webhooks/roll` answers a new secret; for 24 hours messages are signed with both',
    secret:
      'No secret is in the history, the events, the export of a company or the log of the server, and the request log redacts it',
    owners: 'Only owners may call the methods of webhooks, and no API key may',
    limit: 'A company has at most 20 webhooks: `A company has at most 20 webhooks`',
    command: '`kontor webhook add`, `list`, `replay` and `delete` do the same on the command line',
  }),
  ...under('webhooks.error', {
    url: 'An address that is not https, has a user name, another port than 443 and 8443, or is not public is refused',
    types: '`Invalid types value. Must be types of events, such as order.created`',
    missing: '`Webhook not found`',
    off: '`The webhook is turned off`: it is neither tested nor sent events again',
    replay: 'A replay has either `seq`, the number of an event in the feed, or `from_seq`',
  }),
  ...under('webhooks.message', {
    body: 'The body is `type`, `timestamp` and `data`, the row of the feed; the headers are those of Standard Webhooks, whose library verifies them',
    types: 'Only events of the types of the webhook are sent, and none from before it was created',
    order: 'Events are sent in the order of the feed, one at a time',
    epoch:
      'After a restore with `kontor feed new-epoch` events go on with numbers that were never used before, so no `webhook-id` is used twice',
    processes: 'Several server processes never send to a webhook at the same time',
    test: '`webhooks/test` sends one message of the type `webhook.test`, once',
    'replay-one': '`webhooks/replay` with `seq` sends one event again, with the same `webhook-id`',
    'replay-from': '`webhooks/replay` with `from_seq` sends that event and all later ones again, in order',
    log: '`webhooks/get_deliveries` lists the attempts with status, duration and the first 1,024 characters of the response',
  }),
  ...under('webhooks.failure', {
    again: 'A message that fails is sent again after 5 seconds, before those behind it',
    answers:
      'Everything but 2xx is a failure: another status, a redirect, which is not followed, a response that is cut or not HTTP, and no response',
    timeout: 'A response that is not complete after 15 seconds is a failure',
    long: 'At most 16 kB of a response are read; the rest does not matter',
    parked:
      'After its third failure a message is set aside, those behind it are sent, and it is tried again on its own schedule',
    'given-up': 'A message is given up after ten attempts',
    'retry-after': 'A receiver that answers 429 or 503 with Retry-After gets that pause',
    gone: 'A receiver that answers 410 turns the webhook off',
    days: 'After five days of nothing but failures a webhook is turned off, and the list says why',
    killed: 'What a killed server process has not sent is sent by another one',
    stop: 'A server that stops finishes the request under way, and leaves the rest to the others',
  }),
]
