// The part of docs/reference/README.md that applies to all methods. The shared error texts come from shared-failures.ts.

import { type PublicCode, publicCodes, statusOf } from '../kernel/refusal.ts'
import { badRequest, checks, refusedByScopeLimit, sharedFailures } from '../platform/requests/shared-failures.ts'

/** `shown` is the table of the fields that show other records. */
export const conventions = (address: string, shown: string): string => `## Calling a method

- A method has the address \`{base}${address}\`, where \`{base}\` is the address of your server. The ending after the method's
  name is optional.
- Every method is an HTTP POST. Its body is one JSON object in UTF-8; an empty body and an empty array count as an empty object. Send
  \`Content-Type: application/json\`; the body is read as JSON whatever the header is.
- A success is HTTP 200 and an object with \`"success": true\` and the fields of the method. A failure is another status and
  \`{"success": false, "error": "…"}\`, where the error is an English text.
- Every response has the header \`X-Request-Id\`. Write it to your log: it identifies the request in the request log of the service.
- The first part of the address is the version. Fields may be added to responses. A change that breaks clients gets a new
  version, and the old version continues to work.

## Authentication

Send only the API key in the header \`Authorization\`: \`Authorization: kontor_live_…\`, without \`Bearer\`.

- A key gives access to one company, and to nothing of any other company. The response for a record of another company is
  exactly the one for a record that does not exist.
- The connection of a key may be limited: to reading, to sections, to networks, until a day, and without costs. What it may not do is 403, and after its last day 401.
  A document shows its customer or supplier, its items and its costs, whatever the sections of the key; with \`orders\` alone, any customer can be read by naming it in
  a sale. \`events/get_list\` lists the changes of the sections of the key, and a dry run shows levels of stock only to a key with the section \`stock\`. A connection that
  hides costs gets responses without the fields \`cost\`, \`unit_cost\`, \`total_cost\`, \`plan_cost\` and \`cost_source\`.
- A missing or unknown key gives 401 with an empty body; the header \`WWW-Authenticate\` shows how to send the key.
- The API is for servers. A browser on a page of another origin gets 401 too, with any key, and there are no CORS headers.
- A key is shown once, when it is created; the service stores only its hash.

## Checks, in this order

| check | response when it fails |
|---|---|
${checkRows()}
| the rules of the method that depend only on the request and the settings of the company, in the order of its errors | 400 |
| a method that writes: the storage of the company is not used up, unless the method deletes | ${responseOf('storage_full')} |
| the rules of the method that need other data of the company, in the same order | 400, 409 |

A request that the connection of the key does not allow is not counted; it counts against a limit of its own, ${refusedByScopeLimit.burst} at once and ${refusedByScopeLimit.perSecond} a second, beyond which the response is 429
\`Too many requests\`.

A server that is too busy responds with 503 before the request is counted. A request that was started and ran out of time also gets 503,
and is counted.

Values are texts, numbers, literals, objects and arrays at any depth; names of fields are not counted. The body is read
before the request is admitted. It must be complete within 15 seconds and, after the first 5, arrive at 1 KiB
a second or more. Otherwise the response is 408 \`Request Timeout\`, or the connection is closed, and nothing is counted. Up to 32 bodies of one company may
arrive at the same time. Together they may always use 1 MiB, and up to 16 MiB while the server has memory free; beyond that the response is 503.

## Errors

| status | code | text | when |
|---|---|---|---|
${errorRows()}

The error texts of a method are listed with it, and have status 400 unless it says 409. Three apply everywhere. A missing required field is
\`No <field> in input\`. An invalid text is \`Invalid <field> value. Must be a string\`, \`Invalid <field> value. Must be valid text\`
(it contains a NUL character or half of a surrogate pair) or \`Invalid <field> value. Must be at most <n> characters\`. An invalid date is
\`Date is not a valid date in format YYYY-MM-DD\`.

### For programs

Every failure has headers that a program can rely on. The texts are for people.

| header | contains |
|---|---|
| \`Kontor-Error-Code\` | a code of the table below. A code never changes its meaning; new ones may be added |
| \`Kontor-Error-Field\` | the field of the request that is refused, percent-encoded; for a line, the array that it is in. Only where one field is the cause |
| \`Kontor-Error-Line\` | the position of the refused line in that array as it was sent, from 0. Only for lines |

| code | status | meaning |
|---|---|---|
${codeRows()}

## Daily limit

A company may send 10,000 requests a day unless its settings allow another number. Every request with a valid key counts, also one that fails; a request that gets
503 does not, unless it was started. The count is reset at 00:00 in the time zone of the company. Every response to a valid key has these headers:

| header | contains |
|---|---|
| \`RateLimit-Limit\` | requests allowed in one day |
| \`RateLimit-Remaining\` | requests left today |
| \`RateLimit-Reset\` | seconds until the count is reset |

The settings of a connection can allow it fewer requests, so that one program that runs away leaves something to the others. Its responses then also have these headers:

| header | contains |
|---|---|
| \`Kontor-Connection-Limit\` | requests allowed to the connection in one day |
| \`Kontor-Connection-Remaining\` | those left today |

Requests beyond it get 429 \`Daily limit of this connection reached\` and are not counted for the company.

Beyond a limit the response is 429, and \`Retry-After\` contains the same number of seconds.

## Values

- A field that is \`null\` counts as not passed. The exception is a storage ID, where \`null\`, \`""\` and \`0\` are an empty storage ID.
- A number may be a JSON number or a text that contains one, such as \`"12.50"\` or \`"1e3"\`. \`true\`, \`"1,5"\`, \`"0x10"\` and \`""\` are not
  numbers.
- An ID is a positive whole number. For any other value the method responds as for a record that is not found.
- A date is \`YYYY-MM-DD\` and exists in the calendar.
- Where a text is expected, a number is accepted and its digits are used, except for \`customer_name\`. Numbers of documents, SKUs and names are trimmed
  at both ends of the characters that Unicode defines as White_Space. Names, numbers and SKUs have at most 255 characters; notes and addresses at most 65,535.
- Unknown fields are ignored. Those of the body itself are named in the header \`Kontor-Ignored-Fields\` of the response, at most 20, percent-encoded, and in the request log: look
  there when a filter seems to have no effect. If a key occurs twice in an object, the last one counts.

## Precision

Quantities have three decimals, money has two. Further decimals are rounded half away from zero, based on the decimal digits as
written: a quantity of 1.0005 becomes 1.001, an amount of 2.675 becomes 2.68 and -2.675 becomes -2.68. A quantity in a line must be above zero
after rounding and at most 999,999,999.999; money is at most 999,999,999,999.99 in size. Where a number must be 0 or greater, its
sign counts as written: -0.001 is refused, -0 is 0.

If a figure computed from a line (its cost, a sum, or a value in the ledger) would exceed the largest value that can be stored, the response is
\`Amount is too large for product with SKU "<sku>"\` (or \`material\`, or \`id <id>\`) for the first such line, and nothing is changed. A
change that contains no lines, such as a change of status or a deletion, gets the same response for the line of the document.

## Partial edits

An edit changes only the fields that are passed. An array replaces the whole stored array. Where a document has \`products\` and
\`materials\`, passing either replaces all lines, and the one not passed counts as empty.

## Paging

| field | type | meaning |
|---|---|---|
| limit | int, 1 to 1000 | records per page |
| offset | int, 0 or greater | records to skip; only together with \`limit\` |

Without \`limit\` the response contains the whole list. \`total\` is the number of records that match, whatever the page. The errors:
\`Invalid limit value. Must be between 1 and 1000\`, \`Invalid offset value. Must be 0 or greater\`, \`Offset requires limit\`.

Each page shows the list at the time of its request: a record that is created or deleted between two pages shifts the records after it. The whole list
without \`limit\` shows one point in time.

## Compression

A response of 1 kB or more is compressed if the request has the header \`Accept-Encoding: gzip\`, whole lists included; it then has the header \`Content-Encoding: gzip\`. Most HTTP libraries do both by
themselves. A server that is compressing others sends a response as it is, so always look at the header of the response.

## Idempotency

A method that changes data accepts the header \`Idempotency-Key\`: 1 to 255 characters that the client chooses for one change. If
a response is lost, send the same request with the same key again. Within 24 hours it changes nothing and returns the first response
with the header \`Idempotent-Replayed: true\`.

- The same key with another body or another method is 409 \`Idempotency-Key was used with another request\`.
- The same key while the first request is still running is 409 \`A request with this Idempotency-Key is in progress\`.
- A key belongs to the API connection that sends it: two connections may use the same one.
- The key is stored in the same transaction as the change. Only a response with 200 is stored: a request that was refused can be corrected and sent again
  with its key. After 500 or 503 send the same request again.
- The same request means the same bytes: serialize the body once and send the same bytes again.

## Dry runs

A method that changes data accepts the header \`Kontor-Dry-Run: true\`. Everything is checked and decided, and nothing is stored. The response is that of the request
without the header, with two fields after it:

\`\`\`json
{
  "success": true,
  "order_id": 18,
  "customer_id": 7,
  "dry_run": true,
  "effects": {
    "stock": [{ "type": "product", "id": 3, "storage_id": 1, "on_hand": [12, 12], "reserved": [2, 4] }],
    "created": [{ "record": "customer", "id": 7 }, { "record": "order", "id": 18 }]
  }
}
\`\`\`

- \`stock\` has each level that would change, as \`[before, after]\`, unless the key may not call the section \`stock\`; \`created\` has the records that would be created.
- A refusal is the same as without the header. A dry run counts against the daily limit and is in the request log.
- An \`Idempotency-Key\` is ignored. \`false\` and \`0\` mean no dry run; another value is 400 \`Invalid Kontor-Dry-Run. Must be true or false\`.
- The ids are those that the next request would get: another request may get them first.

## Fields that show other records

Some fields of a record show another one, such as the name of the customer of a sale. They are read at the time of reading and are no part of the record: when the customer changes, the
sale has neither an event nor a new \`version\` or \`updated_at\`. The fields are marked with *Shown of*, in the OpenAPI document with \`x-shown-of\`. If you keep a copy of them, follow these events, and read the
records again that refer to the changed one. An exception is \`production_num\` of a sale: a production that is linked or unlinked, or gets another number, gives an event and a new version of the sale.

${shown}
`

const responseOf = (code: PublicCode): string => `${statusOf(code)} \`${code}\``

const checkRows = (): string =>
  checks.map(({ check, codes }) => `| ${check} | ${codes.map(responseOf).join(', ')} |`).join('\n')

function errorRows(): string {
  const rows = [badRequest, ...sharedFailures].flatMap(({ status, texts }) =>
    texts.map(
      ({ text, code, when }) =>
        `| ${status} | \`${code}\` | ${text === '' ? '(empty body)' : `\`${text}\``} | ${when} |`,
    ),
  )
  return [...new Set(rows)].join('\n')
}

const codeRows = (): string =>
  Object.entries(publicCodes)
    .map(([code, meaning]) => `| \`${code}\` | ${statusOf(code as PublicCode)} | ${meaning} |`)
    .join('\n')
