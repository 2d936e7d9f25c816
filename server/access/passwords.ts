// Passwords: argon2id, hashed and verified off the event loop, a few at a time.

import { type Argon2Parameters, argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { passed, textValue } from '../kernel/field.ts'
import type { Raw } from '../kernel/json.ts'
import { refuse } from '../kernel/refusal.ts'
import { Busy } from '../platform/process/faults.ts'
import { networkOf } from '../platform/process/network.ts'
import { isCommonPassword } from './common-passwords.ts'

const argon = (parameters: Argon2Parameters): Promise<Buffer> =>
  new Promise((resolve, reject) =>
    argon2('argon2id', parameters, (error, hash) => (error === null ? resolve(hash) : reject(error))),
  )

// 19 MiB and two passes: the minimum recommended today, 29 ms on one idle core. Stored hashes contain their cost, so the cost can be raised.
const cost = { memory: 19_456, passes: 2, parallelism: 1 }
const currentPrefix = `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$`
const saltBytes = 16
const hashBytes = 32

/** More at once would take memory and cores from the other requests. */
const maxAtOnce = 2
const maxWaiting = 40
/** Leaves capacity for others when one address floods the service. */
const maxWaitingOfAddress = 8
let running = 0
const waiting: { readonly network: string; readonly start: () => void }[] = []

async function inTurn<T>(address: string, work: () => Promise<T>): Promise<T> {
  if (running >= maxAtOnce) {
    const network = networkOf(address)
    const own = waiting.filter((one) => one.network === network).length
    if (waiting.length >= maxWaiting || own >= maxWaitingOfAddress)
      throw new Busy('too many passwords are being checked')
    await new Promise<void>((start) => waiting.push({ network, start }))
  } else running++
  try {
    return await work()
  } finally {
    const next = waiting.shift()
    if (next === undefined) running--
    else next.start()
  }
}

const shortest = 10
const longest = 200

/** A new password: long enough, not common, Unicode-normalized. */
export function newPassword(raw: Raw, field: string): string {
  const password = givenPassword(raw, field)
  if ([...password].length < shortest)
    refuse(`Invalid ${field} value. Must be at least ${shortest} characters`, {
      code: 'too_short',
      field,
      value: shortest,
    })
  refuseCommon(password, ['kontor'])
  return password
}

/** `known` is data about the user that a guesser may have: email, name, company. */
export function refuseCommon(password: string, known: readonly string[]): void {
  if (isCommonPassword(password, known)) refuse(tooCommon, { code: 'password_common', field: 'new_password' })
}

const tooCommon = 'This password is too common. Choose another one'

export function givenPassword(raw: Raw, field: string): string {
  const value = passed(raw, field)
  if (value === undefined || value === '') refuse(`No ${field} in input`, { code: 'required', field })
  return textValue(value, field, { max: longest }).normalize('NFKC')
}

export const passwordRefusals = (field: string): readonly string[] => [
  `No ${field} in input`,
  `Invalid ${field} value. Must be at least ${shortest} characters`,
  tooCommon,
]

/** `$argon2id$v=19$m=…,t=…,p=…$salt$hash`, the standard encoding. */
export async function hashPassword(password: string, address = ''): Promise<string> {
  const nonce = randomBytes(saltBytes)
  const hash = await inTurn(address, () => argon({ ...cost, message: password, nonce, tagLength: hashBytes }))
  return `${currentPrefix}${plain(nonce)}$${plain(hash)}`
}

/** Whether the hash has another cost than new hashes. */
export const isOutdated = (storedHash: string): boolean => !storedHash.startsWith(currentPrefix)

const plain = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '')
const hashFormat = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/

/** Without a stored hash (unknown user) a dummy is verified, so that it takes the same time. */
export async function isPassword(password: string, storedHash: string | undefined, address: string): Promise<boolean> {
  const parts = hashFormat.exec(storedHash ?? dummyHash)
  if (parts === null) throw new Error('a stored password hash has an unknown format')
  const [memory, passes, parallelism] = [Number(parts[1]), Number(parts[2]), Number(parts[3])]
  const nonce = Buffer.from(parts[4] ?? '', 'base64')
  const expected = Buffer.from(parts[5] ?? '', 'base64')
  const hash = await inTurn(address, () =>
    argon({ message: password, nonce, memory, passes, parallelism, tagLength: expected.length }),
  )
  return timingSafeEqual(hash, expected) && storedHash !== undefined
}

const dummyHash = `${currentPrefix}${plain(Buffer.alloc(saltBytes))}$${plain(Buffer.alloc(hashBytes))}`
