// Calls of the scenario, which must succeed: a refused call would send less than it should.

import assert from 'node:assert/strict'
import type { Reply } from '../harness/app.ts'
import type { Company, User } from '../harness/given.ts'

export type Call = (path: string, body?: object, headers?: Record<string, string>) => Promise<Reply['body']>

export const accepted =
  (caller: Company | User): Call =>
  async (path, body = {}, headers = {}) => {
    const reply = await caller.call(path, body, headers)
    assert.equal(reply.status, 200, `${path} ${JSON.stringify(body)} → ${reply.text}`)
    return reply.body
  }
