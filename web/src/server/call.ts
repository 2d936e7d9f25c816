// Calls one method of the app API: the request, the response, and errors with messages for users.

import { messages } from '../messages.ts'
import { type Methods, type MethodTraits, methods } from '../methods.ts'

export type Path = keyof Methods
export type Input<P extends Path> = Methods[P]['input']
export type Output<P extends Path> = Methods[P]['output']

/** The effect of a write on stock, per item and storage location. */
export type Effect = {
  item_id: number
  type: string
  sku: string
  name: string
  unit: string
  storage_id: number
  storage_name: string
  on_hand: number
  reserved: number
}

export type CallOptions = {
  readonly signal?: AbortSignal | undefined
  /** The `seq` of the record when it was read: rejected with 409 when it was changed in the meantime. */
  readonly expect?: number | undefined
  /** Only checks who is signed in: does not open the sign-in dialog. */
  readonly isSessionCheck?: boolean
}

/** What an error is about, as reported by the server. */
export type Detail = {
  readonly code?: string | undefined
  readonly field?: string | undefined
  /** Position in the array that `field` names. */
  readonly line?: number | undefined
  readonly value?: string | number | undefined
}

/** The server returned an error, or could not be reached (status 0). Its message is meant for users. */
export class Refusal extends Error {
  readonly status: number
  readonly code: string | undefined
  readonly field: string | undefined
  readonly line: number | undefined
  constructor(status: number, text: string, { code, field, line, value }: Detail = {}) {
    super(code === undefined ? text : (messages.refusals[code]?.({ code, field, value }) ?? text))
    this.name = 'Refusal'
    this.status = status
    this.code = code
    this.field = field
    this.line = line
  }
  get isConflict(): boolean {
    return this.status === 409
  }
}

/** The message to show for any thrown value. */
export const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

const traitsOf = (path: Path): MethodTraits => methods[path]

let signInAgain: (() => Promise<void>) | undefined
/** Opens the sign-in dialog when the session has expired, and resolves after signing in; set while a user is signed in. */
export function whenSignedOut(signIn: (() => Promise<void>) | undefined): void {
  signInAgain = signIn
}

let confirmIdentity: (() => Promise<void>) | undefined
/** Opens the dialog in which the user proves again who they are, and resolves when they have; set while a user is signed in. */
export function whenNotFresh(confirm: (() => Promise<void>) | undefined): void {
  confirmIdentity = confirm
}

let onAnotherUser: () => void = () => {}
/** Called when another tab has signed in a different user; set once by the session. */
export function whenAnotherUser(handle: () => void): void {
  onAnotherUser = handle
}

let onSetUpRequired: () => void = () => {}
/** Called when the user must set up a second factor before anything else; set once by the session. */
export function whenSetUpRequired(handle: () => void): void {
  onSetUpRequired = handle
}

let openedFor: string | undefined
/** The user this page was loaded for: the server rejects its requests in any other user's session. */
export function openFor(session: { company: { id: number }; user: { id: number } } | undefined): void {
  openedFor = session && `${session.company.id}.${session.user.id}`
}

/** The id of the company this page was loaded for. */
export const companyOfPage = (): string => openedFor?.split('.')[0] ?? ''

/** Methods that open or end a session; they never open the sign-in dialog. */
const isEntry = (path: Path): boolean => traitsOf(path).isAnonymous === true || path === 'session/sign_out'

export async function call<P extends Path>(path: P, input: Input<P>, options: CallOptions = {}): Promise<Output<P>> {
  const headers: Record<string, string> = {}
  if (options.expect !== undefined) headers['Kontor-Expect'] = String(options.expect)
  return (await send(path, input, headers, options)) as Output<P>
}

/** A call whose input is known only at run time, such as an example of the reference; the server validates it. */
export async function callWith(path: Path, input: object, options: CallOptions = {}): Promise<object> {
  return (await send(path, input, {}, options)) as object
}

/** The effect of a write on stock; writes nothing. */
export async function preview<P extends Path>(path: P, input: Input<P>): Promise<Effect[]> {
  const answer = await send(path, input, { 'Kontor-Preview': '1' }, {})
  const { effect } = answer as { effect?: Effect[] }
  if (effect === undefined) throw new Refusal(0, messages.kit.effect.unknown)
  return effect
}

async function send(
  path: Path,
  input: unknown,
  extra: Record<string, string>,
  { signal, isSessionCheck = false }: CallOptions,
): Promise<unknown> {
  const headers: Record<string, string> = { 'Content-Type': 'application/json', ...extra }
  const { kind, showsSecret = false } = traitsOf(path)
  const isRepeatable = kind === 'write' && !showsSecret && !('Kontor-Preview' in extra)
  // With its own idempotency key a write can be repeated after a broken connection without taking effect twice.
  if (isRepeatable) headers['Idempotency-Key'] = randomKey()
  if (openedFor !== undefined && !isEntry(path) && path !== 'session/get') headers['Kontor-User'] = openedFor
  const request = { method: 'POST', headers, body: JSON.stringify(input), signal: signal ?? null }
  const sendOnce = (): Promise<Response> =>
    fetch(`/screens/${path}`, request).catch(async (error: unknown) => {
      if (signal?.aborted) throw error
      if (!isRepeatable) throw new Refusal(0, messages.kit.unreachable)
      await new Promise((resolve) => setTimeout(resolve, 600))
      return await fetch(`/screens/${path}`, request).catch(() => {
        throw new Refusal(0, messages.kit.unreachable)
      })
    })
  let response = await sendOnce()
  // The same request with the same key: it was rejected before it was processed.
  while (response.status === 401 && !isEntry(path) && !isSessionCheck && signInAgain !== undefined) {
    // Read the unused body to free the connection while waiting.
    await response.text()
    await signInAgain()
    response = await sendOnce()
  }
  let answer = await response.json().catch(() => undefined)
  while ((answer as Detail | undefined)?.code === 'fresh_sign_in_required' && confirmIdentity !== undefined) {
    await confirmIdentity()
    response = await sendOnce()
    answer = await response.json().catch(() => undefined)
  }
  if (response.ok && answer !== undefined) return answer
  const refused = (answer ?? {}) as Detail & { error?: string }
  if (refused.code === 'another_user') onAnotherUser()
  if (refused.code === 'second_factor_required') onSetUpRequired()
  throw new Refusal(response.status, refused.error ?? messages.kit.broken, refused)
}

function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
