// Calls of the screens' own methods, with what must be true of every answer.

import assert from 'node:assert/strict'
import { methods } from '../methods.ts'
import type { User } from './given.ts'
import { assertDeclared } from './laws/answers.ts'

function declared(path: string) {
  const method = methods.find((one) => one.path === path)
  if (method === undefined) throw new Error(`no method is called ${path}`)
  return method
}

/** What a call answers that must be accepted; the answer is exactly as declared. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
export async function shown(user: User, path: string, body: object = {}): Promise<any> {
  const reply = await user.call(path, body)
  assert.equal(reply.status, 200, `${path} ${JSON.stringify(body)} → ${reply.text}`)
  assertDeclared(declared(path), reply, JSON.stringify(body))
  return reply.body
}

/** The text that a call is refused with; it is a declared one. */
export async function refusal(user: User, path: string, body: unknown): Promise<string> {
  const reply = await user.call(path, body)
  assert.equal(reply.status, 400, `${path} ${JSON.stringify(body)} → ${reply.status} ${reply.text}`)
  assertDeclared(declared(path), reply, JSON.stringify(body))
  return reply.body.error
}
