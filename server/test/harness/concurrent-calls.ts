// Concurrent clients, through any of several server processes.

import { setTimeout as sleep } from 'node:timers/promises'
import { methodPath } from '../../platform/http/paths.ts'
import type { Reply } from './app.ts'

export async function post(baseUrl: string, key: string, path: string, body: unknown): Promise<Reply> {
  const response = await fetch(baseUrl + methodPath(path), {
    method: 'POST',
    headers: { Authorization: key, 'Content-Type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, body: text === '' ? undefined : JSON.parse(text) }
}

/** Like `post`, but retries when the service is busy: such a request was neither counted nor run. */
export async function postUntilAccepted(baseUrl: string, key: string, path: string, body: unknown): Promise<Reply> {
  for (;;) {
    const reply = await post(baseUrl, key, path, body)
    if (reply.status !== 503) return reply
    await sleep(50)
  }
}

/** Processes the work in a number of lanes; a lane takes the next piece when it has finished one. */
export async function inLanes<T>(
  lanes: number,
  work: readonly T[],
  run: (one: T, lane: number) => Promise<void>,
): Promise<void> {
  let next = 0
  const lane = async (number: number): Promise<void> => {
    while (next < work.length) await run(work[next++] as T, number)
  }
  await Promise.all(Array.from({ length: lanes }, (_, number) => lane(number)))
}
