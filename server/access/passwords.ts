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

/** `$argon2id$v=19$m=…,t=…,p=…$salt$hash`, the standard encoding. `like` is a stored hash whose salt is used again: all users of an address have the same one. */
export async function hashPassword(password: string, address = '', like?: string): Promise<string> {
  const salt = like === undefined ? undefined : hashFormat.exec(like)?.[4]
  const nonce = salt === undefined ? randomBytes(saltBytes) : Buffer.from(salt, 'base64')
  const hash = await inTurn(address, () => argon({ ...cost, message: password, nonce, tagLength: hashBytes }))
  return `${currentPrefix}${plain(nonce)}$${plain(hash)}`
}

/** Whether the hash has another cost than new hashes, or another salt than `like`. */
export const isOutdated = (storedHash: string, like = storedHash): boolean =>
  !storedHash.startsWith(currentPrefix) || hashFormat.exec(storedHash)?.[4] !== hashFormat.exec(like)?.[4]

const plain = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '')
const hashFormat = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/

/** Without a stored hash (unknown user) a dummy is verified, so that it takes the same time. */
export const isPassword = async (password: string, storedHash: string | undefined, address: string): Promise<boolean> =>
  (await hashesOfPassword(password, storedHash === undefined ? [] : [storedHash], address)).length > 0

/** Those of the stored hashes that are of this password. Hashes with the same salt and cost are computed once; without any, a dummy is. */
export async function hashesOfPassword(
  password: string,
  storedHashes: readonly string[],
  address: string,
): Promise<string[]> {
  const found: string[] = []
  const real = storedHashes.filter(hasPassword)
  const wanted = real.length === 0 ? [noPassword] : real
  for (const group of Map.groupBy(wanted, (hash) => hash.slice(0, hash.lastIndexOf('$'))).values()) {
    const computed = await computeHash(password, group[0] ?? noPassword, address)
    found.push(...group.filter((hash) => hasPassword(hash) && isSame(hash, computed)))
  }
  return found
}

async function computeHash(password: string, like: string, address: string): Promise<Buffer> {
  const parts = hashFormat.exec(like)
  if (parts === null) throw new Error('a stored password hash has an unknown format')
  const [memory, passes, parallelism] = [Number(parts[1]), Number(parts[2]), Number(parts[3])]
  const nonce = Buffer.from(parts[4] ?? '', 'base64')
  const tagLength = Buffer.from(parts[5] ?? '', 'base64').length
  return await inTurn(address, () => argon({ message: password, nonce, memory, passes, parallelism, tagLength }))
}

function isSame(storedHash: string, computed: Buffer): boolean {
  const expected = Buffer.from(hashFormat.exec(storedHash)?.[5] ?? '', 'base64')
  return expected.length === computed.length && timingSafeEqual(expected, computed)
}

const emptySalt = plain(Buffer.alloc(saltBytes))
/** The hash of a user without a password, and what is computed for an unknown one. */
export const noPassword = `${currentPrefix}${emptySalt}$${plain(Buffer.alloc(hashBytes))}`
export const hasPassword = (storedHash: string): boolean => !storedHash.includes(`$${emptySalt}$`)
