// One call of a method through the screens' door: what is sent, what comes back, and what failure looks like to a person.

import type { Methods } from '../methods.ts'
import { words } from '../words.ts'

export type Path = keyof Methods
export type Input<P extends Path> = Methods[P]['input']
export type Output<P extends Path> = Methods[P]['output']

/** What a write would do to stock, per item and storage location. */
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
  /** The `seq` the record had when it was read: refused with 409 when somebody changed it meanwhile. */
  readonly expect?: number | undefined
}

/** The server said no, in its own words; or could not be reached (status 0). */
export class Refusal extends Error {
  readonly status: number
  constructor(status: number, text: string) {
    super(text)
    this.name = 'Refusal'
    this.status = status
  }
  get isConflict(): boolean {
    return this.status === 409
  }
}

/** The words to show for anything thrown. */
export const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** Answers that show a secret once are not kept, so these calls cannot be repeated. */
const takesNoKey = /^(session|invitations)\/|^(users\/invite|connections\/add|keys\/roll)$/

const reading = /\/(get|get_\w+|browse|search|board)$/
export const isReading = (path: string): boolean => reading.test(path)

let onSignedOut: () => void = () => {}
/** What happens when the session ended; set once by the session. */
export function whenSignedOut(act: () => void): void {
  onSignedOut = act
}

export async function call<P extends Path>(path: P, input: Input<P>, options: CallOptions = {}): Promise<Output<P>> {
  const headers: Record<string, string> = {}
  if (options.expect !== undefined) headers['Kontor-Expect'] = String(options.expect)
  return (await send(path, input, headers, options.signal)) as Output<P>
}

/** What a write would do to stock; writes nothing. */
export async function preview<P extends Path>(path: P, input: Input<P>): Promise<Effect[]> {
  const answer = await send(path, input, { 'Kontor-Preview': '1' }, undefined)
  const { effect } = answer as { effect?: Effect[] }
  if (effect === undefined) throw new Refusal(0, words.kit.effect.unknown)
  return effect
}

async function send(
  path: string,
  input: unknown,
  extra: Record<string, string>,
  signal: AbortSignal | undefined,
): Promise<unknown> {
  const headers: Record<string, string> = { 'Content-Type': 'application/json', ...extra }
  const isWrite = !isReading(path)
  const isRepeatable = isWrite && !('Kontor-Preview' in extra) && !takesNoKey.test(path)
  // With a key of its own a write may be sent again after a broken connection without happening twice.
  if (isRepeatable) headers['Idempotency-Key'] = randomKey()
  const request = { method: 'POST', headers, body: JSON.stringify(input), signal: signal ?? null }
  const response = await fetch(`/screens/${path}`, request).catch(async (error: unknown) => {
    if (signal?.aborted) throw error
    if (!isRepeatable) throw new Refusal(0, words.kit.unreachable)
    await new Promise((resolve) => setTimeout(resolve, 600))
    return await fetch(`/screens/${path}`, request).catch(() => {
      throw new Refusal(0, words.kit.unreachable)
    })
  })
  const answer = await response.json().catch(() => undefined)
  if (response.ok && answer !== undefined) return answer
  if (response.status === 401 && !path.startsWith('session/sign_')) onSignedOut()
  throw new Refusal(response.status, (answer as { error?: string } | undefined)?.error ?? words.kit.broken)
}

function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
