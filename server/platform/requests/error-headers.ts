// What a program reads of a refusal: headers of the response, because its body is the same as ever.

import type { Raw } from '../../kernel/json.ts'
import type { PublicCode, RefusalDetail } from '../../kernel/refusal.ts'

export const errorCodeHeader = 'kontor-error-code'
const fieldHeader = 'kontor-error-field'
const lineHeader = 'kontor-error-line'

export const errorCode = (code: PublicCode): Record<string, string> => ({ [errorCodeHeader]: code })

export const errorHeaders = ({ code, field, line }: RefusalDetail): Record<string, string> => ({
  [errorCodeHeader]: code,
  ...(field === undefined ? {} : { [fieldHeader]: encoded(field) }),
  ...(field === undefined || line === undefined ? {} : { [lineHeader]: String(line) }),
})

/** Percent-encoded where it is not plain, so that the value of a header is valid whatever the text contains. */
export const encoded = (text: string): string => encodeURIComponent(text.toWellFormed()).replaceAll("'", '%27')

/** Without the position of a line that was not sent: a request can be refused for a line that its document already has. */
export function withSentLine<T>(headers: Readonly<Record<string, T>>, raw: Raw): Readonly<Record<string, T>> {
  const { [lineHeader]: line, ...others } = headers
  if (line === undefined) return headers
  const sent = raw[String(headers[fieldHeader])]
  return Array.isArray(sent) && Number(line) < sent.length ? headers : others
}
