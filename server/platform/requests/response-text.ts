// The text of a response: `success` first, then the method's own fields.

import { JsonText, type ResponseFields } from '../../kernel/method.ts'
import { codesWithMessage, type Refusal } from '../../kernel/refusal.ts'

export function responseText(fields: ResponseFields): string {
  return `{"success":true${responseFields(fields)}}`
}

/** The fields after others of the same object. */
export function responseFields(fields: ResponseFields): string {
  let text = ''
  for (const [name, value] of Object.entries(fields)) {
    text += `,"${name}":${value instanceof JsonText ? value.text : JSON.stringify(value)}`
  }
  return text
}

export const failureText = (error: string): string => `{"success":false,"error":${JSON.stringify(error)}}`

/** With details for the screens, if they show their own message. */
export const detailedFailureText = ({ message, detail }: Refusal): string =>
  JSON.stringify({ success: false, error: message, ...(codesWithMessage.has(detail.code) ? detail : {}) })
