// `after`, `limit` and `epoch` of the lists that a client reads on from where it was.

import { z } from 'zod'
import { integerOfAnySize, nameLength, passed, text, textRefusals } from './field.ts'
import type { Raw } from './json.ts'
import { limitOf, limitRefusal } from './page.ts'
import { refuse } from './refusal.ts'

export const invalidAfter = 'Invalid after value. Must be 0 or greater'
export const restarted = 'The feed was restarted. Read everything again'

export type After = { readonly after: number; readonly limit: number; readonly epoch: string | undefined }

export function readAfter(raw: Raw): After {
  const value = passed(raw, 'after')
  const after = value === undefined ? 0 : integerOfAnySize(value)
  if (after === undefined || after < 0) refuse(invalidAfter, { code: 'out_of_range', field: 'after' })
  const limit = limitOf(raw) ?? 100
  // No event has a larger number than that.
  return { after: Math.min(after, Number.MAX_SAFE_INTEGER), limit, epoch: text(raw, 'epoch', { max: nameLength }) }
}

/** The history that the numbers belong to, and the number of its last event: columns of the company's clock. */
export type FeedState = { readonly epoch: string; readonly last: number }

/** Refuses the number of a history that has ended: the database was restored since the client got it. */
export function loadEpoch(state: FeedState | undefined, { after, epoch }: After): string {
  if (state === undefined) throw new Error('the company has no clock')
  if (after > state.last || (epoch !== undefined && epoch !== state.epoch))
    refuse(restarted, { code: 'feed_restarted' })
  return state.epoch
}

export const sinceSchema = {
  after: z
    .union([z.int(), z.string()])
    .optional()
    .describe('`next` of the previous response. Default 0: from the start.'),
  limit: z.union([z.int(), z.string()]).optional().describe('At most this many, 1 to 1000. Default 100.'),
  epoch: z
    .string()
    .optional()
    .describe('`epoch` of the previous response: the request is refused when `after` belongs to another history.'),
}

export const epochSchema = z
  .string()
  .describe('Identifies the history that the numbers belong to. It changes when the database is restored.')
export const epochExample = '0b6a3c1e-5d0f-4f0e-9f6e-2a7b1c4d8e90'

/** What both lists say about it. */
export const epochNote =
  'Store `epoch` with `next` and send both. After a restore of the database, `after` may mean other changes than those that you have read: another epoch, or an `after` beyond the last number, is refused with 409 `The feed was restarted. Read everything again`. Then discard your copy and read again from 0.'

export const sinceRefusals: readonly string[] = [invalidAfter, limitRefusal, ...textRefusals]
export const sinceConflicts: readonly string[] = [restarted]
