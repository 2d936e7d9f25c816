// A connection of a company with rights of its own, and calls with its key.

import assert from 'node:assert/strict'
import { methodPath } from '../../platform/http/paths.ts'
import { type Reply, send } from './app.ts'
import { type Company, given } from './given.ts'

export type Keyed = {
  readonly id: number
  readonly headers: Record<string, string>
  readonly call: (path: string, body?: object) => Promise<Reply>
}

/** A new connection of the company with this scope. */
export async function connection(company: Company, scope: object): Promise<Keyed> {
  const owner = await given.user(company, 'owner')
  const { status, text, body } = await owner.call('connections/add', { name: 'Scoped', ...scope })
  assert.equal(status, 200, text)
  const headers = { authorization: body.api_key, 'content-type': 'application/json' }
  return {
    id: body.connection_id,
    headers,
    call: (path, request = {}) => send(methodPath(path), { headers, body: JSON.stringify(request) }),
  }
}
