// A write that a method makes by itself, among others, and that may be repeated: with the same key it runs once, in whatever process.

import { setTimeout as sleep } from 'node:timers/promises'
import type { RequestContext } from '../../kernel/clock.ts'
import type { Raw } from '../../kernel/json.ts'
import type { WriteMethod } from '../../kernel/method.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { type Idempotency, readIdempotency } from './idempotency.ts'
import type { SessionMethodServices } from './request.ts'
import { runWrite } from './run.ts'

const waitMs = 100
const maxTries = 100

/** The key belongs to `owner`; `text` is the request as it would be sent. */
export const keyOfWrite = (owner: string, key: string, path: string, text: string): Idempotency =>
  readIdempotency(key, owner, path, Buffer.from(text))

/** Returns the response, the first one if the write ran before. Waits while another process runs it. */
export async function runRepeatable<I, Facts, Plan>(
  { pool, queue }: Pick<SessionMethodServices, 'pool' | 'queue'>,
  method: WriteMethod<I, Facts, Plan>,
  input: I,
  context: RequestContext,
  key?: Idempotency,
): Promise<Raw> {
  for (let tries = 1; ; tries += 1) {
    try {
      const run = () => runWrite(pool, method, input, context, undefined, key)
      return JSON.parse((await queue.run(context.companyId, run)).body)
    } catch (error) {
      const isInProgress = error instanceof Refusal && error.detail.code === 'idempotency_key_in_progress'
      if (!isInProgress || tries === maxTries) throw error
      await sleep(waitMs)
    }
  }
}
