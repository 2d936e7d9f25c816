// The counts of the fuzzer, and its checks of a response.

import { bodyRefusals } from '../../server/platform/requests/shared-failures.ts'
import { problemOf } from '../../server/test/contract/answers.ts'
import type { Outcome } from '../campaign.ts'
import type { Fuzzed } from './requests.ts'
import type { Answer } from './wire.ts'

export type Tally = {
  readonly found: string[]
  readonly statuses: Map<number, number>
  sent: number
  live: number
  judged: number
  frames: number
  slowestMs: number
  /** Busy or timed out, and successful when repeated: due to the machine. */
  again: number
}

export function count(tally: Tally, fuzzed: Fuzzed, answer: Answer): void {
  tally.sent++
  if (fuzzed.isLive) tally.live++
  tally.statuses.set(answer.status, (tally.statuses.get(answer.status) ?? 0) + 1)
  if (answer.tookMs > tally.slowestMs) tally.slowestMs = answer.tookMs
}

const successful = Buffer.from('{"success":true')
const refused = Buffer.from('{"success":false,"error":"')

/** The longest permitted response time. */
export const lateMs = 2_000

/** An overloaded machine causes these responses, too: repeating the request shows whether it was the cause. */
export const isDoubtful = ({ status, tookMs }: Answer, judgesTime: boolean): boolean =>
  status === 503 || (judgesTime && tookMs > lateMs)

/** The faults of a response, in general and for this request. */
export function wrongWith(fuzzed: Fuzzed, answer: Answer, judge: boolean): string | undefined {
  const { status, body } = answer
  const shown = `answered ${status} ${body.toString('utf8', 0, 300)}`
  if (status === 503) return undefined
  if (status >= 500 || status === 0) return shown
  const begins = (text: Buffer): boolean => body.subarray(0, text.length).equals(text)
  if (fuzzed.kind !== 'address') {
    if (status === 200 && !begins(successful)) return shown
    if (status !== 200 && status !== 401 && !begins(refused)) return shown
    if (status === 401 && body.length > 0) return shown
  }
  if (fuzzed.expected !== undefined) {
    const text = JSON.stringify({ success: false, error: fuzzed.expected.error })
    if (status !== fuzzed.expected.status || body.toString() !== text) return `${shown} and not ${text}`
  }
  if (!judge || fuzzed.method === undefined) return undefined
  const text = body.toString()
  const type = /^content-type: ([^\r\n]*)/im.exec(answer.head)?.[1] ?? ''
  const reply = { status, headers: new Headers({ 'content-type': type }), text, body: JSON.parse(text) }
  // Declared for all methods: a generated value may be nested too deep.
  if (status === 400 && bodyRefusals.some((refusal) => refusal.text === reply.body.error)) return undefined
  return problemOf(fuzzed.method, reply, '')
}

export const countsOf = (tally: Tally, states: number): Outcome['counts'] => ({
  requests: tally.sent,
  'with live ids': `${Math.round((100 * tally.live) / Math.max(1, tally.sent))} %`,
  'broken frames and slow clients': tally.frames,
  'answers held against the declaration': tally.judged,
  'answers by status': [...tally.statuses]
    .toSorted(([a], [b]) => a - b)
    .map(([status, times]) => `${status}: ${times}`)
    .join(', '),
  'answers of 500': tally.statuses.get(500) ?? 0,
  'busy or late, and answered well when sent again': tally.again,
  'slowest answer, ms': Math.round(tally.slowestMs),
  'errors of class 22, 42 or XX in PostgreSQL’s log': states,
})
