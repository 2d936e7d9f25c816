// Faults in the sending of mails.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the search and replacement texts are source code.

import type { Planted } from './fault.ts'

export const faultsOfMails: readonly Planted[] = [
  {
    name: 'a mail that is sent again has another Message-ID',
    patches: [
      {
        file: 'server/access/mail-sender/composition.ts',
        find: '`<${companyId}.${mailId}@',
        replace: '`<${companyId}.${mailId}.${Date.now()}@',
      },
    ],
    caughtBy: 'mails',
    showing: /another Message-ID/,
  },
  {
    name: 'a mail waits for a process that was killed',
    patches: [
      {
        file: 'server/access/mail-sender/statements.ts',
        find: '`(${m}.leased_until is null or ${m}.leased_until <= now() or ${m}',
        replace: '`(${m}.leased_until is null or ${m}',
      },
    ],
    caughtBy: 'mails',
    showing: /was not sent/,
  },
]
