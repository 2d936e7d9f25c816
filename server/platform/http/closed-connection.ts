// Detects that the caller has closed its connection.

import type { ServerResponse } from 'node:http'

/** Aborted when the connection is closed before the response was sent. */
export function closedBefore(response: ServerResponse): AbortSignal {
  const gone = new AbortController()
  response.once('close', () => {
    if (!response.writableEnded) gone.abort()
  })
  return gone.signal
}
