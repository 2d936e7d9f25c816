// test_company/make: asks for a test company, or for a new copy in place of it. It is made in the background.

import { z } from 'zod'
import { write } from '../../kernel/method.ts'
import { refuse } from '../../kernel/refusal.ts'
import { securityEvent } from '../security-events.ts'
import { findTestState, requestTest, type TestState } from './state.ts'

/** What a copy is made of at most: it is written while other companies work. */
export const maxCopiedMib = 512
/** A company uses at most this part of the time in which copies are made. */
const restPerWork = 9
const shortestRestMs = 60_000
/** A company has at most so much copied in a day: a former copy takes up space until maintenance deletes it. */
const copiedMibPerDay = 4_096
const dayMs = 86_400_000
const mib = 1024 * 1024

const tooLarge = `The company has more than ${maxCopiedMib} MiB: an operator can copy it`
const tooEarly = 'The test company was made a short time ago: try again in <n> seconds'

export const makeTestCompany = write({
  path: 'test_company/make',
  api: 'app',
  role: 'owner',
  isForRealCompanies: true,
  needsFreshSignIn: true,
  startsWork: true,
  summary: 'Make a test company: a copy of this one in which everything can be tried.',
  notes: ['A test company that exists is replaced. Its keys keep working, and everything else in it is lost.'],
  input: { schema: z.object({}), read: () => ({}) },
  output: z.object({}),
  refusals: [tooLarge, tooEarly],
  example: { request: {}, response: { success: true } },
  facts: (_input, { companyId }) => findTestState({ company_id: companyId }),
  plan: (_input, { requested_at, made_at, took_ms, written_bytes }: TestState, { at }) => {
    if (written_bytes > maxCopiedMib * mib) refuse(tooLarge, { code: 'company_too_large' })
    const isMaking = requested_at !== null
    if (!isMaking && made_at !== null) {
      const restOfSpaceMs = (dayMs * written_bytes) / (copiedMibPerDay * mib)
      const restMs = Math.max(shortestRestMs, (took_ms ?? 0) * restPerWork, restOfSpaceMs)
      const leftMs = Date.parse(made_at) + restMs - Date.parse(at)
      if (leftMs > 0)
        refuse(tooEarly.replace('<n>', String(Math.ceil(leftMs / 1_000))), { code: 'test_company_too_early' })
    }
    return { isMaking }
  },
  write: ({ isMaking }, transaction) => {
    if (isMaking) return undefined
    const { companyId } = transaction.context
    return {
      statements: [
        requestTest({ company_id: companyId, at: transaction.at }),
        securityEvent(transaction, 'test_company_requested'),
      ],
      event: {
        record: 'company',
        recordId: companyId,
        change: { test_company_requested_at: transaction.at },
        action: 'updated',
      },
    }
  },
  response: () => ({}),
})
