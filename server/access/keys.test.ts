// API keys: their form and their checksum.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hashOf, hashTextOf, isWellFormed, newKey } from './keys.ts'

// The checksum of the last one starts with zeros.
const issued: readonly string[] = [
  'kontor_live_ChBoT0oCt8NS7Ca0vhExo16JaBSkjRSva7E0VhnUroR3a41vr',
  'kontor_live_or21SH2V31QvvSKZYBtDOksDVCSYY40utZ0hrIh7cqz14k3g6',
  'kontor_live_UCQk7dyMFoxN8DMATUnToZ5s0OFumTgu9xEYj4B406p00xjYL',
]

test('keys that were issued earlier are well-formed, and new ones', () => {
  for (const key of [...issued, newKey(), newKey()]) assert.ok(isWellFormed(key), key)
})

test('a key with one character changed, added or missing is not well-formed', () => {
  for (const key of issued) {
    for (let at = 0; at < key.length; at++) {
      const other = key[at] === 'x' ? 'y' : 'x'
      assert.ok(!isWellFormed(key.slice(0, at) + other + key.slice(at + 1)))
      assert.ok(!isWellFormed(key.slice(0, at) + key.slice(at + 1)))
    }
    assert.ok(!isWellFormed(`${key}0`))
  }
})

test('the hash as text is the base64 of the hash', () => {
  for (const text of [...issued, '', 'é']) assert.equal(hashTextOf(text), hashOf(text).toString('base64'))
})
