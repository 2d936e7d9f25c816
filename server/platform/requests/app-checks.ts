// What is checked of every request of the app API: who may send it, what it contains, its Idempotency-Key; and how it is refused.

import type { RequestContext } from '../../kernel/clock.ts'
import type { Raw } from '../../kernel/json.ts'
import { type Declared, type Method, type Role, roles } from '../../kernel/method.ts'
import { Refusal, refuse } from '../../kernel/refusal.ts'
import type { Body } from './bodies.ts'
import { type Idempotency, ownerOfKey, readIdempotency } from './idempotency.ts'
import type { AppRequest, Session } from './request.ts'

export const roleForbids = (): Refusal => new Refusal('Your role does not allow this', { code: 'role_forbids' })
/** Ids count per company: an id on a page of one company must not be used in another. */
export const anotherUser = (): Refusal => new Refusal('Another user is signed in', { code: 'another_user' })
export const setUpFirst = (): Refusal => new Refusal('Set up a second factor first', { code: 'second_factor_required' })
export const confirmFirst = (): Refusal =>
  new Refusal('Confirm first that it is you', { code: 'fresh_sign_in_required' })
const notInTest = (): Refusal => new Refusal('This is not possible in a test company', { code: 'test_company' })
export const signInFirst = (): Refusal => new Refusal('Sign in first', { code: 'signed_out' })

export const mayCall = (role: Role, lowest: Role): boolean => roles.indexOf(role) >= roles.indexOf(lowest)

/** Whether the user must prove again who they are before this request. */
export function mustConfirm({ needsFreshSignIn: needs }: Declared, session: Session, input: unknown): boolean {
  if (needs === undefined || session.isFresh) return false
  if (needs === 'with second factor') return session.hasSecondFactor
  return needs === true || needs(input)
}

/** Some methods, or some of their inputs, are refused in a test company. `input` is absent while it has not been read. */
export function refuseInTest({ isForRealCompanies: isReal }: Declared, { isTest }: Session, input?: unknown): void {
  if (isTest && (isReal === true || (isReal !== undefined && input !== undefined && isReal(input)))) throw notInTest()
}

/** What was sent, unless it could not be read. */
export function contentOf({ content }: Body): Raw {
  if (content instanceof Refusal) throw content
  return content
}

export function idempotencyOf(
  method: Method,
  request: AppRequest,
  context: RequestContext,
  bytes: Uint8Array,
): Idempotency | undefined {
  const key = request.idempotencyKey
  if (key === undefined || request.preview) return undefined
  const idempotency = readIdempotency(key, ownerOfKey(context), `screens ${context.userId} ${method.path}`, bytes)
  if (method.showsSecret === true)
    refuse('This method takes no Idempotency-Key', { code: 'idempotency_key_not_allowed' })
  return idempotency
}
