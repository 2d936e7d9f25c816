// What docs/reference/README.md tells of all methods at once. The shared error texts come from failures.ts.

import { badRequest, sharedFailures } from './failures.ts'

export const conventions = (address: string): string => `## Calling a method

- A method has the address \`{base}${address}\`, where \`{base}\` is the address of your server. The ending after the method's
  name may be left out.
- Every method is an HTTP POST. Its body is one JSON object in UTF-8; an empty body is an empty object. Send
  \`Content-Type: application/json\`; whatever the header says, the body is read as JSON.
- A success is HTTP 200 and an object with \`"success": true\` and the fields of the method. A failure is another status and
  \`{"success": false, "error": "…"}\`, where the error is an English text.
- Every answer names its request in the header \`X-Request-Id\`. Keep it: it finds the request in the log of the service.
- The first part of the address is the version. Answers may grow by fields; one that changes in a way that breaks callers gets a new
  version, and the old one goes on working.

## Authentication

Send the API key in the header \`Authorization\`, bare: \`Authorization: kontor_live_…\`. There is no \`Bearer\` before it.

- A key opens all methods for one company, and nothing of any other. A record of another company is answered exactly like one that
  does not exist.
- A missing or unknown key is answered with 401 and an empty body.
- The interface is for servers. A browser on a page of another origin gets 401 too, with any key, and there are no CORS headers.
- A key is shown once, when it is made; the service keeps only its hash.

## What is checked, in this order

| check | answer when it fails |
|---|---|
| the key | 401 |
| the request is counted for the company | |
| no browser on another origin | 401 |
| the daily limit | 429 |
| the method exists | 404 |
| it is a POST | 405 |
| the body: size, UTF-8, JSON nested at most 32 deep, an object | 413, 400 |
| the rules of the method that the request and the settings of the company decide, in the order of its errors | 400 |
| the rules of the method that need other data of the company, in the same order | 400 |

A server that cannot take a request answers 503 before any of it is counted.

## Errors

| status | text | when |
|---|---|---|
${errorRows()}

The texts of a method's own refusals, all with status 400, stand with the method. Three hold everywhere: a missing required field is
\`No <field> in input\`; a text that is none is \`Invalid <field> value. Must be a string\`, \`Invalid <field> value. Must be valid text\`
(it holds a NUL character or half of a surrogate pair) or \`Invalid <field> value. Must be at most <n> characters\`; a date that is none is
\`Date is not a valid date in format YYYY-MM-DD\`.

## Daily limit

A company may make 10,000 requests a day unless its settings say otherwise. Every request with a valid key counts, failed ones too; an
answer of 503 does not. The count starts anew at 00:00 in the time zone of the company. Every answer to a valid key tells:

| header | holds |
|---|---|
| \`RateLimit-Limit\` | requests allowed in one day |
| \`RateLimit-Remaining\` | requests left today |
| \`RateLimit-Reset\` | seconds until the count starts anew |

## Values

- A field that is \`null\` is not passed. The exception is a storage ID, where \`null\`, \`""\` and \`0\` are an empty storage ID.
- A number may be a JSON number or a text that holds one, such as \`"12.50"\` or \`"1e3"\`. \`true\`, \`"1,5"\`, \`"0x10"\` and \`""\` are not
  numbers.
- An ID is a positive whole number. Anything else names no record and gets the method's answer for a record that is not found.
- A date is \`YYYY-MM-DD\` and exists in the calendar.
- For a text a number is taken as its digits, except for \`customer_name\`. Numbers of documents, SKUs and customer names are trimmed.
  Names, numbers and SKUs hold at most 255 characters; notes and addresses at most 65,535.
- Fields that a method does not know are ignored. Of a key given twice the last counts.

## Precision

Quantities have three decimals, money has two. What is sent with more is rounded on its decimal digits as written, half away from
zero: a quantity of 1.0005 becomes 1.001, an amount of 2.675 becomes 2.68 and -2.675 becomes -2.68. A quantity in a line must be above zero
after rounding and at most 999,999,999.999; money is at most 999,999,999,999.99 in size.

## Partial edits

An edit changes only the fields that are passed. An array replaces the whole array that was there. Where a document has \`products\` and
\`materials\`, passing either replaces all lines, and the one not passed counts as empty.

## Paging

| field | type | meaning |
|---|---|---|
| limit | int, 1 to 1000 | records of one page |
| offset | int, 0 or greater | records to skip; only together with \`limit\` |

Without \`limit\` the whole list is the answer. \`total\` is the number of records that match, whatever the page. The errors:
\`Invalid limit value. Must be between 1 and 1000\`, \`Invalid offset value. Must be 0 or greater\`, \`Offset requires limit\`.

Each page shows the list as it is at that moment: a record made or removed between two pages moves the ones after it. The whole list
without \`limit\` is of one moment.

## Idempotency

A method that changes data takes a header \`Idempotency-Key\` of 1 to 255 characters, made up by the caller for one change it wants. When
an answer was lost, send the same request with the same key again: within 24 hours it changes nothing, gives the first answer
(a refusal too) and carries \`Idempotent-Replayed: true\`.

- The same key with another body or another method is 409 \`Idempotency-Key was used with another request\`.
- The same key while the first request is still running is 409 \`A request with this Idempotency-Key is in progress\`.
- The key is kept together with the change, or neither is. An answer of 500 or 503 is not kept: send the request again.
- The same request means the same bytes: write the body once and send it again as it is.
`

function errorRows(): string {
  return [badRequest, ...sharedFailures]
    .flatMap(({ status, texts, when }) =>
      texts.length === 0
        ? [`| ${status} | (empty body) | ${when} |`]
        : texts.map((one) => `| ${status} | \`${one.text}\` | ${one.when} |`),
    )
    .join('\n')
}
