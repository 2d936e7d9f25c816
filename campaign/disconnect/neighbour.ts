// A company that sends one request after the other while something happens to the service.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Normal } from '../hostile/companies.ts'
import { nextStatus, note, openSocket, type Statuses, type Target } from '../hostile/sockets.ts'

const lanes = 2
const pauseMs = 10
/** Requests on one connection: new ones must be accepted, too. */
const perConnection = 50

/** The statuses of its responses; 0 counts requests without one. */
export async function neighbourDuring<T>(
  target: Target,
  { requests }: Normal,
  work: () => Promise<T>,
): Promise<{ readonly result: T; readonly statuses: Statuses }> {
  const statuses: Statuses = new Map()
  let [isOver, number] = [false, 0]
  const lane = async (): Promise<void> => {
    while (!isOver) {
      const socket = openSocket(target)
      for (let sent = 0; sent < perConnection && !isOver && !socket.destroyed; sent++) {
        const status = nextStatus(socket)
        socket.write(requests[number++ % requests.length] as Buffer)
        note(statuses, await status)
        await sleep(pauseMs)
      }
      socket.destroy()
    }
  }
  const all = Promise.all(Array.from({ length: lanes }, lane))
  try {
    return { result: await work(), statuses }
  } finally {
    isOver = true
    await all
  }
}
