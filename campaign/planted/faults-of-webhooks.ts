// Faults in the sending of webhooks: a lost or doubled message, a wrong signature, a secret that leaks, a request to an internal address.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the search and replacement texts are source code.

import type { Planted } from './fault.ts'

const methods = 'server/access/webhooks/webhooks.test.ts'
const sending = 'server/access/webhook-sender/sender.test.ts'
const processes = 'server/test/processes/webhooks.test.ts'
const addresses = 'server/platform/http/outgoing-post.test.ts'

const delivery: readonly Planted[] = [
  {
    name: 'a webhook is past an event before it is delivered',
    patches: [
      {
        file: 'server/access/webhook-sender/statements.ts',
        find: 'set lease = :lease, leased_until = now()',
        replace: 'set lease = :lease, position = ${lastSeq}, leased_until = now()',
      },
    ],
    caughtBy: 'webhooks',
    showing: /never arrived/,
  },
  {
    name: 'a lease is taken that another process holds',
    patches: [
      {
        file: 'server/access/webhook-sender/statements.ts',
        find: 'const isFree = (w: string): string => `(${w}.leased_until is null or ${isOver(w)})`',
        replace: 'const isFree = (_: string): string => `true`',
      },
    ],
    caughtBy: processes,
  },
  {
    name: 'the lease of a process that was killed never ends',
    patches: [
      {
        file: 'server/access/webhook-sender/statements.ts',
        find: '`(${w}.leased_until is null or ${isOver(w)})`',
        replace: '`${w}.leased_until is null`',
      },
    ],
    caughtBy: processes,
  },
  {
    name: 'the messages behind a failed one are sent before it',
    patches: [
      {
        file: 'server/access/webhook-sender/schedule.ts',
        find: 'export const failuresInOrder = 3',
        replace: 'export const failuresInOrder = 1',
      },
    ],
    caughtBy: sending,
  },
  {
    name: 'a failed message is not sent again',
    patches: [
      {
        file: 'server/access/webhook-sender/delivery-run.ts',
        find: '      else this.#park.push({ seq, attempts: attempts + 1, pauseMs })\n',
        replace: '      else this.#unpark.push(seq)\n',
      },
    ],
    caughtBy: sending,
  },
  {
    name: 'the pause that a receiver asks for is ignored',
    patches: [
      {
        file: 'server/access/webhook-sender/delivery-run.ts',
        find: 'return pauseAfter(failures, this.#requestedMs, Math.random())',
        replace: 'return pauseAfter(failures, undefined, Math.random())',
      },
    ],
    caughtBy: sending,
  },
  {
    name: 'a receiver that answers 410 gets further messages',
    patches: [
      {
        file: 'server/access/webhook-sender/delivery-run.ts',
        find: "if (status === 410) this.#disable = 'gone'\n    else if",
        replace: 'if',
      },
    ],
    caughtBy: sending,
  },
  {
    name: 'a webhook that is turned off gets messages',
    patches: [
      {
        file: 'server/access/webhook-sender/statements.ts',
        find: "and ${isFree('w')} and w.enabled and w.id in (\n     select p.id from webhook_endpoints p where p.company_id = :company_id and p.enabled and",
        replace:
          "and ${isFree('w')} and w.id in (\n     select p.id from webhook_endpoints p where p.company_id = :company_id and",
      },
      {
        file: 'server/access/webhook-sender/statements.ts',
        find: 'where w.company_id = :company_id and w.enabled and d.at is not null',
        replace: 'where w.company_id = :company_id and d.at is not null',
      },
    ],
    caughtBy: methods,
  },
  {
    name: 'a response is read to its end, however long it is',
    patches: [
      {
        file: 'server/platform/http/outgoing-response.ts',
        find: '      if (bytes >= maxResponseBytes) break\n',
        replace: '',
      },
    ],
    caughtBy: sending,
  },
]

const secrecy: readonly Planted[] = [
  {
    name: 'the signature does not cover the time',
    patches: [
      {
        file: 'server/access/webhook-sender/message.ts',
        find: 'hmac(secret, `${id}.${timestamp}.${body}`)',
        replace: 'hmac(secret, `${id}.${body}`)',
      },
    ],
    caughtBy: sending,
  },
  {
    name: 'the former secret no longer signs',
    patches: [
      {
        file: 'server/access/webhook-sender/statements.ts',
        find: 'then json_build_array(w.secret, w.former_secret)',
        replace: 'then json_build_array(w.secret)',
      },
    ],
    caughtBy: methods,
  },
  {
    name: 'the secret of a webhook is in its history',
    patches: [
      {
        file: 'server/access/webhooks/add.ts',
        find: "event: { record: 'webhook', recordId: id, change: webhook },",
        replace: "event: { record: 'webhook', recordId: id, change: { ...webhook, secret } },",
      },
    ],
    caughtBy: methods,
  },
  {
    name: 'the request log shows the secret of a webhook',
    patches: [
      {
        file: 'server/access/redaction.ts',
        find: '\n    .replace(webhookSecret, `whsec_${redacted}`)',
        replace: '',
      },
    ],
    caughtBy: methods,
  },
  {
    name: 'a manager may create webhooks',
    patches: [
      {
        file: 'server/access/webhooks/add.ts',
        find: "role: 'owner',",
        replace: "role: 'manager',",
      },
    ],
    caughtBy: methods,
  },
]

const internal: readonly Planted[] = [
  {
    name: 'the addresses of a name are not checked when a connection is opened',
    patches: [
      {
        file: 'server/platform/http/outgoing-post.ts',
        find: 'found.some((address) => !this.#options.policy.allows(url, address))',
        replace: 'false',
      },
    ],
    caughtBy: addresses,
  },
  {
    name: 'one allowed address of a name is enough',
    patches: [
      {
        file: 'server/platform/http/outgoing-post.ts',
        find: 'found.some((address) => !this.#options.policy.allows(url, address))',
        replace: 'found.every((address) => !this.#options.policy.allows(url, address))',
      },
    ],
    caughtBy: addresses,
  },
  {
    name: 'an address in a URL is not checked before a request',
    patches: [
      {
        file: 'server/platform/http/outgoing-post.ts',
        find: 'if (policy.problemOf(address) !== undefined) return failed(addressRefused)\n',
        replace: '',
      },
    ],
    caughtBy: addresses,
  },
  {
    name: 'an IPv4 address inside of an IPv6 address is public',
    patches: [
      {
        file: 'server/platform/http/public-address.ts',
        find: "const public6 = '2000::/3'",
        replace: "const public6 = '::/0'",
      },
    ],
    caughtBy: addresses,
  },
]

export const faultsOfWebhooks: readonly Planted[] = [...delivery, ...secrecy, ...internal]
