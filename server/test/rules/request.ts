// The rules that hold for every method: the checks of a request, how values are read, repeated calls, and who sees what.
// Long because it is one list, in the order in which a request is handled.

import type { Rule } from './rule.ts'
import { under } from './under.ts'

export const requestRules: readonly Rule[] = [
  // How a method is called
  { id: 'convention.address', text: 'A method lives at {base}/v1/<section>/<method>.php' },
  { id: 'convention.without-php', text: 'The same path without .php is the same method' },
  { id: 'convention.post', text: 'Every method is called with POST and a JSON body in UTF-8' },
  { id: 'convention.no-parameters', text: 'A method without parameters takes an empty object' },
  ...under('compression', {
    text: 'A response of 1 kB or more is compressed for `Accept-Encoding: gzip`; unpacked, it is the same, and `Content-Length` is its length as sent',
    list: 'A whole list that is streamed is compressed, too, and unpacks to the same',
    'cut-off': 'A caller that ends a compressed list ends the reading of the database',
    'not-wanted': 'Without the header, with `gzip;q=0` or another encoding the response is sent as it is',
    small: 'Small responses and failures are sent as they are',
    vary: 'Every success has `Vary: Accept-Encoding`',
    replayed: 'A stored response to an Idempotency-Key is compressed like any other',
    many: 'Many at once are all answered, compressed or not',
    screens: 'Responses to the screens, which come with cookies, are never compressed',
  }),
  { id: 'convention.success', text: 'A success is HTTP 200 with `success: true` and the fields of the method' },
  { id: 'convention.failure', text: 'A failure has `success: false` and an English text in `error`, and nothing else' },
  {
    id: 'convention.failure-code',
    text: 'Every failure has the header `Kontor-Error-Code` with a code of the reference, which identifies the rule whatever the text',
  },
  {
    id: 'convention.failure-field',
    text: '`Kontor-Error-Field` names the field of the request that is refused, percent-encoded; for a line, the array that it is in',
  },
  {
    id: 'convention.failure-line',
    text: '`Kontor-Error-Line` is the position of the refused line in that array as it was sent, from 0; a line that was not sent has none',
  },
  {
    id: 'convention.page',
    text: '`limit` is the size of a page, 1 to 1000, and `offset` the records skipped before it',
  },
  { id: 'convention.whole-list', text: 'Without `limit` the whole list is returned' },
  { id: 'convention.total', text: '`total` counts the records that match the filters, whatever the page' },
  { id: 'versioning.path', text: 'The first path segment is the version of the method, v1' },
  { id: 'versioning.log', text: 'The service keeps a log of the requests, failed ones included' },

  // Who may call
  { id: 'key.bare', text: '`Authorization` holds the key alone, with no word before it: `Bearer <key>` is 401' },
  { id: 'key.trimmed', text: 'Blanks around the key are trimmed' },
  { id: 'key.all-methods', text: 'A key authorizes all methods of its company, unless its connection is limited' },
  { id: 'key.missing', text: 'Without a key the answer is 401 with an empty body' },
  { id: 'key.invalid', text: 'With a key that is none the answer is 401 with an empty body' },
  { id: 'key.live', text: 'A key that was revoked or has expired is no key' },
  {
    id: 'scope.read-only',
    text: '403 `This key may not call <section>/<method>`: the connection is read-only and the method writes',
  },
  {
    id: 'scope.sections',
    text: '403 `This key may not call <section>/<method>`: the section is not one of those of the connection; every key may call company/get',
  },
  ...under('company/get', {
    fields: '`company/get` answers the id, the name, the currency and the time zone of the company of the key',
    'every-key': 'Every key may call it from its networks, whatever sections its connection is limited to',
    own: 'A key sees its own company',
  }),
  { id: 'scope.matrix', text: 'Every method is allowed to exactly the keys whose connection allows it' },
  {
    id: 'scope.order',
    text: 'The scope is checked after the limit and "the method exists", before everything about the request itself',
  },
  {
    id: 'scope.at-once',
    text: 'A change of the rights of a connection takes effect with the next request, in every process',
  },
  {
    id: 'scope.expired',
    text: '401 with an empty body: the last day of the connection is over, in the time zone of the company',
  },
  {
    id: 'scope.network',
    text: '403 `This key may not be used from this address`: the address is in none of the networks of the connection',
  },
  {
    id: 'scope.uncounted',
    text: 'A request that the key may not make is not counted for the company; beyond 300 of them it is 429 `Too many requests`',
  },
  {
    id: 'scope.costs',
    text: 'A connection that hides costs gets every response without them, lists of any length included',
  },
  {
    id: 'scope.events',
    text: 'A key that is limited to sections sees the events of the records in these sections only',
  },
  {
    id: 'scope.dry-run',
    text: '`effects` of a dry run has no `stock` when the key may not call the section stock',
  },
  { id: 'scope.last-use', text: 'The list of connections shows the day and the address of the last use' },
  {
    id: 'scope.errors',
    text: 'Sections that do not exist, networks that are none, and days that are none are refused',
  },
  { id: 'origin.foreign', text: 'An `Origin` other than that of the service is 401 with an empty body' },
  { id: 'origin.own', text: 'The origin of the service itself is let in' },
  { id: 'origin.sec-fetch-site', text: '`Sec-Fetch-Site` of cross-site or same-site is 401 with an empty body' },
  { id: 'origin.no-cors', text: 'No answer ever carries a CORS header' },

  // The checks of a request, in their order
  { id: 'checks.documented', text: 'The checks are made in the order in which the reference lists them' },
  { id: 'checks.key', text: 'The key is checked before everything else' },
  { id: 'checks.counted', text: 'Every request with a live key is counted, whichever later check fails' },
  { id: 'checks.uncounted', text: 'A request without a valid key is counted for no company' },
  { id: 'checks.origin-before-limit', text: 'A foreign origin is 401 also over the limit' },
  { id: 'checks.limit-before-method', text: 'Over the limit an unknown method is 429' },
  { id: 'checks.method-before-post', text: 'An unknown method is 404 whatever the HTTP method' },
  { id: 'checks.post-before-body', text: 'A wrong HTTP method is 405 whatever the body' },
  {
    id: 'checks.body-before-rules',
    text: 'A body that cannot be read is refused before the rules of the method are looked at',
  },
  { id: 'checks.unknown-method', text: '404 `Unknown method`: no method has this path' },
  { id: 'checks.method-not-allowed', text: '405 `Method not allowed. Use POST` with `Allow: POST`: not a POST' },
  { id: 'checks.rules-last', text: 'What passes all checks meets the rules of the method: 400' },

  // The body
  { id: 'body.empty', text: 'An empty body is an empty object' },
  { id: 'body.empty-array', text: 'An empty array is an empty object' },
  { id: 'body.content-type', text: 'The `Content-Type` is not checked' },
  { id: 'body.size', text: '413 `Request body is too large`: more than 8 MiB' },
  {
    id: 'body.values',
    text: '413 `Request body is too large`: more than 200,000 values; texts, numbers, literals, objects and arrays count, names of fields do not',
  },
  {
    id: 'body.fields',
    text: '413 `Request body is too large`: in a body of 64 KiB or more, an object has more than 1,000 fields, or the objects begin with more than 20,000 different sequences of field names',
  },
  {
    id: 'body.size-anonymous',
    text: '413 `Request body is too large`: more than 16 KiB for a method that is called without a key or session',
  },
  {
    id: 'body.slow',
    text: '408 `Request Timeout`: after 5 seconds the body has arrived at less than 1 KiB a second; it is not counted',
  },
  { id: 'body.utf-8', text: '400 `Request body is not valid JSON`: not valid UTF-8' },
  { id: 'body.json', text: '400 `Request body is not valid JSON`: not JSON' },
  { id: 'body.depth', text: '400 `Request body is not valid JSON`: nested deeper than 32, the body being the first' },
  { id: 'body.object', text: '400 `Request body must be a JSON object`: JSON, but not an object' },
  { id: 'body.unknown-fields', text: 'Unknown fields are ignored' },
  {
    id: 'body.ignored-fields',
    text: 'Unknown fields of the body are named in the header `Kontor-Ignored-Fields`: at most 20 names, percent-encoded',
  },
  { id: 'body.ignored-fields-logged', text: 'The request log shows these names, as they were sent' },
  { id: 'body.byte-order-mark', text: 'A byte order mark before the body is ignored' },
  { id: 'body.duplicate-key', text: 'Of a key given twice the last counts' },

  // Answers
  { id: 'answer.200', text: '200: the request is completed; JSON with `success: true`' },
  {
    id: 'answer.400',
    text: '400: a field missing, a value invalid, a record not found; JSON with `success: false` and `error`',
  },
  { id: 'answer.401', text: '401: key missing or invalid, or a browser on a foreign origin; empty body' },
  { id: 'answer.403', text: '403 `Storage limit reached`: the company has used up its storage and may not write' },
  { id: 'answer.429', text: '429 `Daily connections limit reached`: the daily limit is reached' },
  { id: 'answer.500', text: '500 `Internal error`: a fault; no internal details are revealed' },
  {
    id: 'answer.503',
    text: '503 `Service is busy` with `Retry-After`: the server cannot take the request now; it is not counted',
  },
  {
    id: 'answer.503-begun',
    text: '503 `Service is busy` with `Retry-After`: work on the request was begun and ran out of its time; it is counted',
  },
  { id: 'answer.retry-after', text: '429 has `Retry-After`: the seconds until the count restarts' },
  {
    id: 'answer.key-hint',
    text: '401 carries `WWW-Authenticate: ApiKey realm="Send the API key alone, without Bearer"`',
  },
  {
    id: 'answer.not-kept',
    text: 'Every answer carries `Cache-Control: no-store` and `X-Content-Type-Options: nosniff`',
  },
  { id: 'answer.request-id', text: 'Every answer carries `X-Request-Id`' },
  { id: 'answer.rate-limit', text: 'Every answer to a live key carries `RateLimit-Limit`, `-Remaining` and `-Reset`' },
  { id: 'answer.missing-field', text: '`No <field> in input`: a required field is missing' },
  { id: 'answer.pagination', text: 'The errors of `limit` and `offset` have the same texts in all lists' },

  // The storage limit
  { id: 'storage.reads', text: 'A company that has used up its storage can read, delete, and change who has access' },
  {
    id: 'storage.raised',
    text: 'A request refused for lack of storage can be sent again with the same Idempotency-Key',
  },
  {
    id: 'storage.limit',
    text: 'The limit is that of the company, or else of the installation; the request that exceeds it is completed',
  },

  // The daily limit
  { id: 'limit.requests', text: 'A company has 10,000 requests a day unless set otherwise' },
  { id: 'limit.failed', text: 'Failed requests count too' },
  { id: 'limit.beyond', text: 'Beyond the limit every request is 429 `Daily connections limit reached`' },
  { id: 'limit.reset', text: 'The counter restarts once a day, at 00:00 in the time zone of the company' },
  { id: 'limit.time-zone', text: 'The day of the limit is that of the company, by default of UTC' },
  { id: 'limit.daylight-saving', text: 'The counter resets at 00:00 through daylight-saving changes too' },
  { id: 'limit.exact', text: 'The count is exact across any number of server processes' },
  { id: 'limit.restart', text: 'The count survives a restart of the server' },
  { id: 'limit.company', text: 'The limit is that of the company, whichever of its keys is used' },
  ...under('limit.connection', {
    none: 'A connection has no limit of its own unless one is set: it may use all requests of the company',
    beyond:
      'Beyond it every request is 429 `Daily limit of this connection reached` with Retry-After, and changes nothing; other connections go on',
    company: 'Requests beyond it are not counted for the company, whose own limit is checked first',
    headers:
      'Responses have `Kontor-Connection-Limit` and `Kontor-Connection-Remaining` when the connection has a limit below that of the company',
    own: 'connections/add and edit, and `kontor key create`, set it, with effect from the next request and for all requests of the day; an empty one removes it',
    exact: 'The count is exact across any number of server processes, and all keys of a connection share it',
    reset: 'The count restarts with the day of the company',
    metric: '`kontor_connection_limit_reached_total` counts a connection once a day',
    'error.limit': '`Invalid daily_limit value. Must be a whole number from 0 to 1000000000`',
  }),
  { id: 'limit.page-size', text: '`limit` is 1 to 1000: `Invalid limit value. Must be between 1 and 1000`' },
  {
    id: 'limit.page-offset',
    text: '`offset` is 0 or greater and needs `limit`: `Invalid offset value. Must be 0 or greater`, `Offset requires limit`',
  },
  { id: 'limit.quantity', text: 'A quantity keeps 3 decimals and must stay above 0 after rounding' },
  { id: 'limit.money', text: 'Money keeps 2 decimals' },
  { id: 'limit.charges', text: '`delivery_price` and `discount` are numbers, 0 or greater' },

  // Numbers
  { id: 'number.precision', text: 'Quantities keep up to 3 decimals, amounts and prices 2' },
  { id: 'number.rounding', text: 'Incoming values are rounded, not refused, when they have more decimals' },
  {
    id: 'number.sign',
    text: 'Where a number must be 0 or greater, its sign counts as written: -0.001 is below 0, -0 is 0',
  },
  { id: 'number.above-zero', text: 'A quantity that is not above zero after rounding is refused' },
  {
    id: 'number.text',
    text: 'A number may be a string with a decimal number, blanks around it and an exponent allowed',
  },
  {
    id: 'number.not-a-number',
    text: 'Booleans, arrays, objects, `1,5`, `0x10`, `NaN`, the empty string and infinity are not numbers',
  },
  { id: 'number.half-away', text: 'Rounding works on the digits as written, half away from zero' },
  { id: 'number.exact', text: 'Money and quantities are never computed in binary floating point' },
  {
    id: 'number.too-large',
    text: 'A quantity is at most 999,999,999.999 and money 999,999,999,999.99 in size; more is refused',
  },
  {
    id: 'number.derived-too-large',
    text: '`Amount is too large for product with SKU "<sku>"`: a figure derived from the line, its cost or a sum, would exceed the stored range; the first such line is named',
  },

  // Other values
  { id: 'value.null', text: '`null` means not passed' },
  {
    id: 'value.null-storage',
    text: 'A storage ID of `null`, `""` or `0` is passed and empty: `Storage ID is not set`',
  },
  { id: 'value.null-element', text: 'An element of an array is never "not passed"' },
  { id: 'value.empty-customer-id', text: 'A `customer_id` of `""` is not passed' },
  { id: 'value.empty-status', text: 'A `status` of `""` is `No status in input`' },
  { id: 'value.id', text: 'An ID is a positive integer, as a number or as digits in a string' },
  { id: 'value.id-other', text: 'Any other value of an ID names no record: the answer is that of a record not found' },
  { id: 'value.id-shown', text: 'A text about an id of no record shows the id as it was sent' },
  { id: 'value.id-missing', text: '`No <field> in input`: a required ID is missing, `null` or the empty string' },
  {
    id: 'value.ids-limit',
    text: 'A list of ids holds at most 1,000: `Invalid ids value. Must be at most 1000 ids`',
  },
  {
    id: 'value.array-limit',
    text: 'Every array has a limit that the reference lists: `Too many <field>. Must be at most <n>`',
  },
  {
    id: 'value.offset-size',
    text: 'An offset is an integer of 0 or greater, of any size; past the end the list is empty',
  },
  { id: 'value.code', text: 'Codes are integers, as numbers or as digits in a string' },
  { id: 'value.code-other', text: 'Any other value of a code is the "Invalid …" answer of the method' },
  { id: 'value.flag', text: '`production` takes 0, 1, true, false and their strings' },
  { id: 'value.flag-other', text: '`Invalid production value. Must be one of: 0, 1`' },
  { id: 'text.number', text: 'A number given for a text is taken as its digits' },
  { id: 'text.customer-name', text: '`Customer name must be a string`: also for a number' },
  { id: 'text.type', text: '`Invalid <field> value. Must be a string`: neither a string nor a number' },
  { id: 'text.trimmed', text: '`num`, `sku` and `customer_name` are trimmed' },
  {
    id: 'text.white-space',
    text: 'Unicode White_Space is trimmed at both ends; a text of nothing else is empty',
  },
  {
    id: 'number.ascii-blanks',
    text: 'Blanks around a number or an id are those of ASCII: with any other space it is none',
  },
  { id: 'text.valid', text: '`Invalid <field> value. Must be valid text`: a NUL character or a lone surrogate' },
  { id: 'text.name-length', text: '`Invalid <field> value. Must be at most 255 characters`: `num`, `sku` and names' },
  { id: 'text.notes-length', text: '`Invalid <field> value. Must be at most 65535 characters`: notes and addresses' },
  { id: 'date.format', text: 'A date is a string YYYY-MM-DD' },
  { id: 'date.calendar', text: 'A date exists in the calendar, from year 0001 to 9999' },
  { id: 'date.empty', text: 'Only `date_shipped` may be the empty string' },
  { id: 'date.today', text: '"Today" for a default date is that of the company' },

  // Several things wrong at once
  {
    id: 'precedence.table-order',
    text: 'What the request alone decides is checked in the order of the error table of the method',
  },
  { id: 'precedence.unlisted', text: 'Rules that the table does not list come after those it lists' },
  { id: 'precedence.too-many-lines', text: 'Too many lines comes with "No products or materials in input"' },
  { id: 'precedence.line', text: 'The extra checks of a line come with that line' },
  {
    id: 'precedence.data-last',
    text: 'Rules that need the data of the company come after all that depend on the request alone',
  },
  {
    id: 'precedence.data-order',
    text: 'Rules that need the data of the company are checked in the order of the table',
  },
  { id: 'precedence.settings', text: 'The settings of the company count as part of the request' },

  // Repeated calls
  {
    id: 'idempotency.replay',
    text: 'The same call with the same `Idempotency-Key` gives the first answer again, with `Idempotent-Replayed: true`',
  },
  { id: 'idempotency.no-effect', text: 'A repeated call changes nothing' },
  {
    id: 'idempotency.refusal',
    text: 'A refused answer is not kept: the same or a corrected call with the key runs again',
  },
  {
    id: 'idempotency.connection',
    text: 'A key belongs to the connection that sent it, on the screens to the user: two may use the same one',
  },
  { id: 'idempotency.writing', text: 'Every writing method keeps its answer; a reading method does not' },
  { id: 'idempotency.other-body', text: '409 `Idempotency-Key was used with another request`: another body' },
  { id: 'idempotency.other-method', text: '409 `Idempotency-Key was used with another request`: another method' },
  {
    id: 'idempotency.in-progress',
    text: '409 `A request with this Idempotency-Key is in progress`: the first call still runs',
  },
  { id: 'idempotency.24-hours', text: 'A key is kept for 24 hours and free again after them' },
  { id: 'idempotency.transaction', text: 'The answer is kept in the same transaction as the effect' },
  { id: 'idempotency.fault', text: 'A 5xx answer is not kept' },
  { id: 'idempotency.length', text: 'A key has 1 to 255 characters' },
  { id: 'idempotency.invalid', text: '400 `Invalid Idempotency-Key`: empty or longer' },
  { id: 'idempotency.company', text: 'Companies do not meet in their keys' },
  { id: 'idempotency.counted', text: 'A repeated call counts against the daily limit' },

  // Dry runs
  {
    id: 'dry-run.answer',
    text: 'With `Kontor-Dry-Run: true` the answer of a writing method is that of the real call, with `dry_run: true` and `effects` after it',
  },
  { id: 'dry-run.nothing-stored', text: 'A dry run stores nothing: no record, no id, no event, no answer under a key' },
  { id: 'dry-run.header', text: '`true` and `1` ask for a dry run; `false`, `0` and no header do not' },
  {
    id: 'dry-run.invalid',
    text: '400 `Invalid Kontor-Dry-Run. Must be true or false`: any other value; the request is counted and changes nothing',
  },
  { id: 'dry-run.reading', text: 'Methods that read ignore the header' },
  { id: 'dry-run.refusal', text: 'A refusal is that of the real call, without further fields' },
  { id: 'dry-run.idempotency', text: 'An `Idempotency-Key` is ignored, whatever it holds' },
  { id: 'dry-run.counted', text: 'A dry run is counted and logged like any other request' },
  {
    id: 'dry-run.stock',
    text: '`effects.stock` has each level that would change: `type`, `id`, `storage_id`, and `on_hand` and `reserved` as `[before, after]`',
  },
  { id: 'dry-run.created', text: '`effects.created` has each record that would be created: `record`, `id`' },

  // Who sees what
  {
    id: 'tenancy.not-found',
    text: 'A record of another company is not found, with the same answer as one that never was',
  },
  { id: 'tenancy.no-effect', text: 'Naming a record of another company has no effect on it' },
  { id: 'tenancy.list', text: 'A list holds only what belongs to the company' },
  { id: 'tenancy.ids', text: 'IDs count per company, from 1' },
  { id: 'tenancy.key-hash', text: 'A key is shown once and kept only as a hash' },
  { id: 'tenancy.connections', text: 'A company has several API connections, each with its own key and number prefix' },
]
