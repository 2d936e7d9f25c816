// Verifies webhooks that are signed as the Standard Webhooks conventions define.

/** A webhook that was not sent by Kontor, or was changed on its way. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError'
}

/** A message older or newer than this is refused, so that a recorded one cannot be sent again later. */
const toleranceSeconds = 300

export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>

/**
 * Returns the payload of a message whose signature and time are valid; throws a WebhookError otherwise. `secret` is that of the endpoint,
 * `whsec_…`; `body` is the request body exactly as it was received.
 */
export async function verifyWebhook(secret: string, body: string, headers: WebhookHeaders): Promise<unknown> {
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
    headerOf(headers, name),
  )
  if (id === undefined || signatures === undefined || timestamp === undefined || !/^\d+$/.test(timestamp)) {
    throw new WebhookError('The webhook headers are missing')
  }
  if (Math.abs(Date.now() / 1000 - Number(timestamp)) > toleranceSeconds) {
    throw new WebhookError('The webhook is too old or too new')
  }
  const key = await crypto.subtle.importKey(
    'raw',
    bytesOf(secret.replace(/^whsec_/, '')),
    { name: 'HMAC', hash: 'SHA-256' },
    false,
    ['verify'],
  )
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${body}`)
  for (const signature of signatures.split(' ')) {
    const [version, value = ''] = signature.split(',')
    if (version === 'v1' && (await crypto.subtle.verify('HMAC', key, bytesOf(value), signed))) return payloadOf(body)
  }
  throw new WebhookError('No signature of the webhook is valid')
}

function headerOf(headers: WebhookHeaders, name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined
  const value = Object.entries(headers).find(([one]) => one.toLowerCase() === name)?.[1]
  return typeof value === 'string' ? value : value?.[0]
}

const bytesOf = (base64: string): Uint8Array<ArrayBuffer> => {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
  } catch {
    throw new WebhookError('A signature or the secret is not base64')
  }
}

function payloadOf(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    throw new WebhookError('The webhook is not JSON')
  }
}
