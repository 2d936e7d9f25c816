// How passwords are stored, and how their hashes are renewed.

import assert from 'node:assert/strict'
import { argon2Sync, randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { Browser } from '../test/harness/browser.ts'
import { query } from '../test/harness/database.ts'
import { given } from '../test/harness/given.ts'
import { hashPassword } from './passwords.ts'

const password = 'a long password'

test('a hash with an outdated cost is renewed when its user signs in', async () => {
  const company = await given.company()
  const user = await given.user(company, 'owner', password)
  const nonce = randomBytes(16)
  const parameters = { memory: 64, passes: 1, parallelism: 1, tagLength: 32 }
  const hash = argon2Sync('argon2id', { ...parameters, message: password, nonce })
  const base64 = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '')
  const old = `$argon2id$v=19$m=64,t=1,p=1$${base64(nonce)}$${base64(hash)}`
  await query(company.id, 'update users set password_hash = $2 where company_id = $1', [company.id, old])
  const storedHash = async () => {
    const [row] = await query(company.id, 'select password_hash from users where company_id = $1', [company.id])
    return row.password_hash
  }
  const signIn = async (word: string) =>
    (await new Browser().call('session/sign_in', { email: user.email, password: word })).status
  assert.equal(await signIn('not the password'), 400)
  assert.equal(await storedHash(), old, 'a wrong password changes nothing')
  assert.equal(await signIn(password), 200)
  const renewed = await storedHash()
  assert.match(renewed, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  assert.equal((await user.call('session/get')).status, 200, 'the sessions stay valid')
  assert.equal(await signIn(password), 200)
  assert.equal(await storedHash(), renewed, 'the hash is renewed only once')
})

test('an address that floods password hashing leaves capacity for others', async () => {
  const flood = Array.from({ length: 100 }, () => hashPassword(password, '203.0.113.7'))
  const others = Array.from({ length: 6 }, (_, at) => hashPassword(password, `198.51.100.${at}`))
  const flooded = await Promise.allSettled(flood)
  const served = flooded.filter(({ status }) => status === 'fulfilled').length
  assert.ok(served >= 5 && served <= 20, `${served} requests of the flood were hashed`)
  for (const hash of await Promise.all(others)) assert.match(hash, /^\$argon2id/)
})

test('password changes are refused after ten, successful ones included', async () => {
  const user = await given.user(await given.company(), 'owner', password)
  const change = async () => (await user.call('session/change_password', { password, new_password: password })).status
  for (let time = 1; time <= 10; time++) assert.equal(await change(), 200)
  assert.equal(await change(), 429)
})
