// The rules of events: what is recorded of every change, and how clients follow the changes.

import type { Rule } from './rule.ts'
import { under } from './under.ts'

export const eventRules: readonly Rule[] = [
  ...under('events.own', {
    each: 'Every record that a write creates, changes or deletes has its own event, and their numbers follow each other',
    customer: 'A sale that creates its customer has `customer.created` before its own event',
    supplier: 'A purchase that creates its supplier has `supplier.created` before its own event',
    production:
      'A production that a sale creates, changes, deletes, unlinks or links again has its own event before that of the sale',
    'made-to-order': 'A sale that a production is linked to or removed from has its own event',
    'production-number':
      'A sale whose production gets another number has its own event and a new version: an edit with the version read before is refused',
    defaults:
      'A storage location that is no longer a default one, or becomes one, has its own event and a new `updated_at`',
    first: 'The storage locations and the unit that a company starts with are its first events',
    none: 'A write that changes nothing, and one that is refused, has no event',
    usual: 'A sale of an existing customer has one event',
    precondition: 'A precondition concerns the record that the method is about',
  }),
  ...under('feed.row', {
    fields:
      '`events/get_list` answers `events`, `next`, `more` and `epoch`: rows of `seq, at, type, record, id, changed, source, request_id`',
    order: 'Events are in the order of `seq`, oldest first; `after` is the last one that is left out',
    types: '`type` is the record and `created`, `updated` or `deleted`: `order.created`',
    changed:
      '`changed` holds the names of the changed fields, without values; it is empty for created and deleted records',
    'changed-shown': '`changed` names only fields that the record has',
    source: '`source` is `api`, `manual` or `system`, `request_id` the X-Request-Id of the request',
  }),
  ...under('feed', {
    start: '`after` is 0 unless passed: the events since the company was created',
    large: '`after` may be any whole number from 0, also one above 2^53',
    limit:
      'A page has at most `limit` events, 100 unless passed; `more` says whether there are others, `next` is the `after` of the next page',
    hidden: 'Changes of settings, users and keys are not listed, and `next` moves past them',
    end: 'At the end `more` is false, `next` is the number of the last event, and reading on from there finds nothing until something changes',
    'own-company': 'A company sees its own events alone',
    types:
      '`types` keeps the events of these types, in the sections of the key; `next` moves past the others; an empty array is none',
    'types-bounded':
      'One call with `types` examines at most 20,000 events: then `more` is true, `next` is behind the last of them, and reading on misses nothing',
    anywhere: 'A page is found by the primary key at any place, whatever came before it',
  }),
  ...under('feed.shown', {
    none: 'What a record shows of another one is read at the time of reading: when the other one changes, the record has no event, no new version and no new `updated_at`',
    marked: 'Every such field is marked in the reference, with the records whose events to follow',
  }),
  ...under('feed.error', {
    after: '`Invalid after value. Must be 0 or greater`',
    limit: '`Invalid limit value. Must be between 1 and 1000`',
    types: '`Types is not an array`, `Invalid types value. Must be any of: …` with all types',
    epoch: '`Invalid epoch value. Must be a string`, and so on for texts that are invalid or too long',
  }),
  ...under('feed.epoch', {
    same: '`epoch` of `events/get_list` and `stock/get_changes` is the same until the feed is restarted, and another one for each company; sent back, it changes nothing',
    other:
      'Another `epoch`, or an `after` beyond the last number, is 409 `The feed was restarted. Read everything again`',
    restart:
      '`kontor feed new-epoch` gives the company another epoch; events and ids of records go on at least 1,000,000 further, numbers of documents as before, and all invariants hold',
  }),
  ...under('stock-changes', {
    rows: '`stock/get_changes` answers `stock`, `next`, `more` and `epoch`: the rows of `stock/get_list` whose level changed after the event `after`, with the present level, each once',
    reserved: 'A reservation is a change of the level',
    none: 'A level that has not changed after `after` is not listed, and `next` is the number of the last event',
    whole: 'All levels that one write changed are in one page, which may have more rows than `limit`',
    again: 'A level that changes again is listed again',
    events:
      'A level that a write with several events changed is listed after any of them but the last: a client that has read only the first ones misses nothing',
    'own-company': 'A company sees its own levels alone',
    index:
      'A page is found by the index of changes: an empty one reads as much however many levels the company has, and a page reads no levels but its own',
  }),
  ...under('stock-changes.error', {
    after: '`Invalid after value. Must be 0 or greater`',
    limit: '`Invalid limit value. Must be between 1 and 1000`',
  }),
]
