// Measures how long the event loop is held, and logs which request held it: while one request is computed, all others of the process wait.

import { setImmediate } from 'node:timers/promises'
import type { Histogram } from 'prom-client'
import { inBackgroundEvery } from './background.ts'
import type { Logger } from './logger.ts'
import { currentTrace, type RequestTrace } from './request-trace.ts'

const tickMs = 100
/** No request should hold the event loop longer. */
const longMs = 50
/** After a step that took so long, other requests come first. */
const stepMs = 5
const linesPerMinute = 20

type Hold = { readonly part: string; readonly ms: number; readonly trace: RequestTrace | undefined }

/** The longest since the last tick. */
let longest: Hold | undefined

/** Runs work that takes as long as its data are large, and remembers whose it was. */
export function holdingLoop<T>(part: string, work: () => T): T {
  const started = performance.now()
  try {
    return work()
  } finally {
    const ms = performance.now() - started
    if (ms > (longest?.ms ?? 1)) longest = { part, ms, trace: currentTrace() }
  }
}

/** The same for one of several steps of a request: after a long one, what waits meanwhile comes before the next. */
export async function inStep<T>(part: string, work: () => T): Promise<T> {
  const started = performance.now()
  const done = holdingLoop(part, work)
  if (performance.now() - started >= stepMs) await setImmediate()
  return done
}

/** Observes how late a timer runs. When it is late, what was computed longest meanwhile is logged. */
export function watchEventLoop(delay: Histogram, logger: Logger): NodeJS.Timeout {
  let dueMs = performance.now() + tickMs
  let [minute, lines, notLogged] = [0, 0, 0]
  const log = (delayMs: number, nowMs: number): void => {
    if (Math.floor(nowMs / 60_000) !== minute) [minute, lines] = [Math.floor(nowMs / 60_000), 0]
    if (++lines > linesPerMinute) {
      notLogged++
      return
    }
    const more = notLogged === 0 ? {} : { more: notLogged }
    notLogged = 0
    logger.warn({ delayMs: Math.round(delayMs), ...fieldsOf(longest), ...more }, 'the event loop was held')
  }
  const observe = (): void => {
    const nowMs = performance.now()
    const delayMs = Math.max(0, nowMs - dueMs)
    delay.observe(delayMs / 1000)
    dueMs = nowMs + tickMs
    if (delayMs >= longMs) log(delayMs, nowMs)
    longest = undefined
  }
  return inBackgroundEvery('event_loop', tickMs, observe).unref()
}

/** Without them, something else held the process: garbage collection, or other programs of the machine. */
const fieldsOf = (hold: Hold | undefined) =>
  hold === undefined
    ? {}
    : {
        heldMs: Math.round(hold.ms),
        part: hold.part,
        method: hold.trace?.method,
        requestId: hold.trace?.requestId,
        company: hold.trace?.companyId,
      }
