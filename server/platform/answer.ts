// The text of an answer: `success` first, then the method's own fields.

import { type Answer, JsonText } from '../kernel/method.ts'

export function answerText(fields: Answer): string {
  let text = '{"success":true'
  for (const [name, value] of Object.entries(fields)) {
    text += `,"${name}":${value instanceof JsonText ? value.text : JSON.stringify(value)}`
  }
  return `${text}}`
}

export const failureText = (error: string): string => `{"success":false,"error":${JSON.stringify(error)}}`
