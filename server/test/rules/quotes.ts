// Rules of quotes.

import type { Rule } from './rule.ts'
import { under } from './under.ts'

export const quoteRules: readonly Rule[] = under('quotes', {
  add: 'a quote has a customer, lines with quantities and totals, delivery, discount and notes; it is a draft and has no effect on stock',
  number: 'a quote without a number gets the next one of the sequence `Q-1`, `Q-2`, … that no quote has',
  valid:
    'a quote is valid for 30 days unless it says otherwise, and never until a day before its own; a sent one is expired when that day is over in the time zone of the company',
  edit: 'only drafts are changed and deleted: `Only a draft can be changed`',
  send: 'a draft is sent, which makes a link; sending it again makes another link; a quote that is no longer valid is not sent: `The quote has expired`',
  accept:
    'a sent quote becomes a sale with the customer, lines, prices, delivery, discount and notes of the quote, the next number of sales, the day of today, and the status, storage locations and fulfilment of the settings',
  'accept.once': 'a quote becomes one sale, however often and at whatever times it is accepted',
  'accept.since':
    'a quote is accepted with its prices also when its customer or items were deleted since, or the goods are not in stock',
  'accept.deleted': 'a quote whose sale was deleted stays accepted, without a sale',
  decline: 'a sent quote is declined: `The quote is not sent` for any other',
  tax: 'the page of a quote, the page of its link and its PDF show the tax that a sale entered by hand would have, added or included, and why none is charged; accepting makes a sale with the same tax and total',
  'tax.kept':
    'a sent quote keeps its tax when rates, items, the setting or the terms of its customer change, and when it is sent again; its sale has it',
  'tax.draft': 'a draft has the tax of now, also one that was sent before',
  'tax.none':
    'a company without tax rates sees no tax of quotes; a quote that was sent before the company had tax rates becomes a sale without tax',
  reopen: 'a sent or declined quote becomes a draft again, an accepted one does not: `The quote is accepted`',
  browse: 'the list of quotes is filtered, sorted, searched and paged, in parts: open, expired, accepted and declined',
  refused:
    'a missing customer, missing lines, unknown items, and wrong dates and amounts are refused with the field that is wrong',
  materials: 'materials are offered only if the settings allow materials in sales',
  roles: 'workers have no access to quotes',
  company: 'a quote of another company is not found: `Quote not found or access denied`',
  events:
    'every change of a quote is an event of the quote, which is not in the feed; its sale is in the feed as created',
  'link.read':
    'a customer who has the link of a quote reads it without an account: the company with its details, the lines with prices, the sums, the note and until when it is valid, in the language of documents',
  'link.opened':
    'each opening of the page is logged with its link: how often, and the first and the last with time and address',
  'link.accept':
    'with the link and a name the quote is accepted, which is logged with name, time and address; it becomes a sale that nobody of the company has made',
  'link.accept.once': '20 acceptances at the same time make one sale, and accepting again changes nothing',
  'link.decline':
    'with the link the quote is declined; what was decided is not decided otherwise: `The quote was decided before`',
  'link.ended':
    'a link that was revoked, replaced, or whose quote is a draft again says `The link was revoked`, one of a quote that is no longer valid `The quote has expired`, any other `Link not found`; none of them says anything else',
  'link.pdf': 'the quote is downloaded as PDF with the link as long as it works',
  'link.site':
    'requests from another site are refused; the page is listed by no search engine and passes its address to no other site',
  'link.limit': 'requests with a link are limited by address, like all requests without a session',
  'mail.link':
    'with an e-mail address a quote is sent there, in the language of documents, with a link that works like any other; the response contains no token, and the card says what became of the mail',
  'mail.off': 'a server that sends no mails refuses an e-mail address: `This server sends no mails`',
  'mail.refused': 'what is no e-mail address is refused; an empty one is none, and the link is answered',
  'mail.limit': 'mails with quotes and invitations of a company together are limited by MAILS_PER_DAY',
  'mail.canceled':
    'the mail of a quote whose link was revoked, that is decided, or no longer valid before it was sent is canceled',
  'mail.again':
    'a mail that is sent again, because nobody knows whether it has arrived, contains a link of its own, and both work',
  'mail.secret': 'the token of a link that is sent by mail is in no table and not in the log',
  'link.secret': 'the token is shown once; only its hash is stored',
})
