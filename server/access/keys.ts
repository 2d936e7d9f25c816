// API keys: how they are generated, recognised and hashed. A key is shown once; only its hash is stored.

import { hash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

/** Keys of test companies say so, so that nobody takes one for the other. Both have the same length. */
const brands = { live: 'kontor_live_', test: 'kontor_test_' } as const
const brandLength = brands.live.length
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const secretLength = 43 // 256 bits
const checkLength = 6

/** What a key is made of before its company is known. */
export const newKeySecret = (): string => base62(BigInt(`0x${randomBytes(32).toString('hex')}`), secretLength)

/** The brand lets scanners find a leaked key; the checksum detects a typo without a database query. */
export function keyOf(secret: string, { isTest }: { readonly isTest: boolean }): string {
  const brand = isTest ? brands.test : brands.live
  return brand + secret + checksum(brand, secret)
}

export const newKey = (): string => keyOf(newKeySecret(), { isTest: false })

export function isWellFormed(key: string): boolean {
  const brand = key.slice(0, brandLength)
  if (brand !== brands.live && brand !== brands.test) return false
  if (key.length !== brandLength + secretLength + checkLength) return false
  const secret = key.slice(brandLength, -checkLength)
  return /^[0-9A-Za-z]+$/.test(secret) && checksum(brand, secret) === key.slice(-checkLength)
}

export const hashOf = (key: string): Buffer => hash('sha256', key, 'buffer')

/** The hash as base64. Hashing into a text takes 0.8 µs, into a buffer 1.8 µs. */
export const hashTextOf = (key: string): string => hash('sha256', key, 'base64')

/** The part of a key that lists may show. */
export const hintOf = (key: string): string => `${key.slice(0, brandLength + 4)}…${key.slice(-4)}`

/** Identifies a key without revealing it. SQL: the first digits of its hash. */
export const keyIdOf = (table: string): string => `left(encode(${table}.key_hash, 'hex'), 8)`

/** Without BigInt, because every request computes it. */
function checksum(brand: string, secret: string): string {
  let text = ''
  for (let rest = crc32(brand + secret); rest > 0; rest = Math.floor(rest / 62))
    text = alphabet.charAt(rest % 62) + text
  return text.padStart(checkLength, '0')
}

function base62(number: bigint, length: number): string {
  let text = ''
  for (let rest = number; rest > 0n; rest /= 62n) text = alphabet.charAt(Number(rest % 62n)) + text
  return text.padStart(length, '0')
}
