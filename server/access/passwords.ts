// Passwords: argon2id, hashed and checked away from the event loop, a few at a time.

import { type Argon2Parameters, argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { passed, textValue } from '../kernel/field.ts'
import type { Raw } from '../kernel/json.ts'
import { refuse } from '../kernel/refusal.ts'
import { Busy } from '../platform/faults.ts'

const argon = (parameters: Argon2Parameters): Promise<Buffer> =>
  new Promise((resolve, reject) =>
    argon2('argon2id', parameters, (error, hash) => (error === null ? resolve(hash) : reject(error))),
  )

// 19 MiB and two passes: the least that is advised today, 29 ms on a core of its own. What is stored says what it was made with, so the cost can be raised.
const cost = { memory: 19_456, passes: 2, parallelism: 1 }
const saltBytes = 16
const hashBytes = 32

/** More at once would take the memory and the cores of the requests. */
const mostAtOnce = 2
const mostWaiting = 40
let running = 0
const waiting: (() => void)[] = []

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running >= mostAtOnce) {
    if (waiting.length >= mostWaiting) throw new Busy('too many passwords are being checked')
    await new Promise<void>((resolve) => waiting.push(resolve))
  } else running++
  try {
    return await work()
  } finally {
    const next = waiting.shift()
    if (next === undefined) running--
    else next()
  }
}

const shortest = 10
const longest = 200

/** A password that is set: long enough, and the same however its letters were composed. */
export function newPassword(raw: Raw, field: string): string {
  const password = givenPassword(raw, field)
  if ([...password].length < shortest) refuse(`Invalid ${field} value. Must be at least ${shortest} characters`)
  return password
}

export function givenPassword(raw: Raw, field: string): string {
  const value = passed(raw, field)
  if (value === undefined || value === '') refuse(`No ${field} in input`)
  return textValue(value, field, { max: longest }).normalize('NFKC')
}

export const passwordRefusals = (field: string): readonly string[] => [
  `No ${field} in input`,
  `Invalid ${field} value. Must be at least ${shortest} characters`,
]

/** `$argon2id$v=19$m=…,t=…,p=…$salt$hash`, as everyone writes it. */
export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(saltBytes)
  const hash = await inTurn(() => argon({ ...cost, message: password, nonce, tagLength: hashBytes }))
  return `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${plain(nonce)}$${plain(hash)}`
}

const plain = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '')
const stored = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/

/** Without a user there is nothing to compare with, and it takes as long. */
export async function isPassword(password: string, kept: string | undefined): Promise<boolean> {
  const parts = stored.exec(kept ?? nobody)
  if (parts === null) throw new Error('a password hash is not one of ours')
  const [memory, passes, parallelism] = [Number(parts[1]), Number(parts[2]), Number(parts[3])]
  const nonce = Buffer.from(parts[4] ?? '', 'base64')
  const expected = Buffer.from(parts[5] ?? '', 'base64')
  const hash = await inTurn(() =>
    argon({ message: password, nonce, memory, passes, parallelism, tagLength: expected.length }),
  )
  return timingSafeEqual(hash, expected) && kept !== undefined
}

const nobody = `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${plain(Buffer.alloc(saltBytes))}$${plain(Buffer.alloc(hashBytes))}`
