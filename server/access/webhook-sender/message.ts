// A message to an endpoint, as the Standard Webhooks specification describes it: the body, its id and its signature.

import { createHmac } from 'node:crypto'

/** An event of the feed, or a test. */
export type Message = {
  /** 0 for a test. */
  readonly seq: number
  readonly type: string
  /** When it happened, ISO 8601. */
  readonly at: string
  /** The row of the feed as JSON. */
  readonly data: string
}

export const testType = 'webhook.test'

/** All attempts to deliver a message have the same id, so that a receiver can recognise repetitions. */
export const messageId = (companyId: number, { seq, at }: Message): string =>
  seq === 0 ? `msg_${companyId}_test_${Date.parse(at)}` : `msg_${companyId}_${seq}`

export const bodyOf = ({ type, at, data }: Message): string =>
  `{"type":${JSON.stringify(type)},"timestamp":${JSON.stringify(at)},"data":${data}}`

/** One signature for each secret, separated by spaces. */
export const signatureOf = (secrets: readonly string[], id: string, timestamp: string, body: string): string =>
  secrets.map((secret) => `v1,${hmac(secret, `${id}.${timestamp}.${body}`)}`).join(' ')

const hmac = (secret: string, text: string): string =>
  createHmac('sha256', Buffer.from(secret.slice('whsec_'.length), 'base64'))
    .update(text)
    .digest('base64')

export function headersOf(
  companyId: number,
  message: Message,
  secrets: readonly string[],
  body: string,
  timeMs: number,
): Record<string, string> {
  const id = messageId(companyId, message)
  const timestamp = String(Math.floor(timeMs / 1000))
  return {
    'content-type': 'application/json',
    'user-agent': 'Kontor-Webhooks',
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatureOf(secrets, id, timestamp, body),
  }
}
