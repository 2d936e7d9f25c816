// Calls of the app API, with the checks that apply to every response.

import assert from 'node:assert/strict'
import { methods } from '../../methods.ts'
import { assertDeclared } from '../contract/answers.ts'
import type { User } from './given.ts'

/** The declaration of the method with this path. */
export function declared(path: string) {
  const method = methods.find((one) => one.path === path)
  if (method === undefined) throw new Error(`no method is called ${path}`)
  return method
}

/** The response of a call that must be accepted; it must match the declaration exactly. */
// biome-ignore lint/suspicious/noExplicitAny: tests read responses of every shape
export async function shown(user: User, path: string, body: object = {}): Promise<any> {
  const reply = await user.call(path, body)
  assert.equal(reply.status, 200, `${path} ${JSON.stringify(body)} → ${reply.text}`)
  assertDeclared(declared(path), reply, JSON.stringify(body), 'app')
  return reply.body
}

/** The error text of a refused call; it must be a declared one. */
export async function refusal(user: User, path: string, body: unknown): Promise<string> {
  const reply = await user.call(path, body)
  assert.equal(reply.status, 400, `${path} ${JSON.stringify(body)} → ${reply.status} ${reply.text}`)
  assertDeclared(declared(path), reply, JSON.stringify(body), 'app')
  return reply.body.error
}
