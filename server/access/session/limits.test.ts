// Guessing passwords: how soon it ends, and that it shuts nobody out who was there before.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { Browser, newAddress } from '../../testing/browser.ts'
import { query } from '../../testing/database.ts'

const password = 'a long password'
const wrong = { status: 400, error: 'Email or password is wrong' }
const tooMany = { status: 429, error: 'Too many attempts. Try again in 15 minutes' }

async function signedUp(): Promise<{ browser: Browser; email: string }> {
  const browser = new Browser()
  const email = `${randomUUID()}@oak.example`
  const reply = await browser.call('session/sign_up', { company: 'Oak', name: 'Ada', email, password })
  assert.equal(reply.status, 200, reply.text)
  return { browser, email }
}

async function attempt(browser: Browser, email: string, guess: string) {
  const { status, body } = await browser.call('session/sign_in', { email, password: guess })
  return { status, error: body.error }
}

test('one address ends after five guesses of an account, the right one included', async () => {
  const { email } = await signedUp()
  const stranger = new Browser()
  for (let guess = 1; guess <= 5; guess++) assert.deepEqual(await attempt(stranger, email, `guess no ${guess}`), wrong)
  assert.deepEqual(await attempt(stranger, email, 'guess no 6'), tooMany)
  assert.deepEqual(await attempt(stranger, email, password), tooMany)
  assert.equal((await attempt(new Browser(), email, password)).status, 200, 'from elsewhere it goes on')
})

test('an account that is not there ends after as many', async () => {
  const stranger = new Browser()
  const email = `${randomUUID()}@nowhere.example`
  for (let guess = 1; guess <= 5; guess++) assert.deepEqual(await attempt(stranger, email, `guess no ${guess}`), wrong)
  assert.deepEqual(await attempt(stranger, email, 'guess no 6'), tooMany)
})

test('many addresses together end after thirty, and a known browser still comes in', async () => {
  const { browser, email } = await signedUp()
  await browser.call('session/sign_out')
  for (let guess = 1; guess <= 30; guess++) assert.deepEqual(await attempt(new Browser(), email, 'some guess'), wrong)
  assert.deepEqual(await attempt(new Browser(), email, password), tooMany)
  assert.equal((await attempt(browser, email, password)).status, 200)
  // Not even guesses from the owner's own address.
  const neighbour = new Browser({ address: browser.address })
  assert.deepEqual(await attempt(neighbour, email, 'some guess'), tooMany)
  assert.equal((await attempt(browser, email, password)).status, 200)
})

test('a known browser has guesses of its own, and they end too', async () => {
  const { browser, email } = await signedUp()
  for (let guess = 1; guess <= 10; guess++) assert.deepEqual(await attempt(browser, email, 'some guess'), wrong)
  assert.deepEqual(await attempt(browser, email, password), tooMany)
})

test('a browser known to one account is a stranger to another', async () => {
  const [{ browser }, { email }] = [await signedUp(), await signedUp()]
  for (let guess = 1; guess <= 5; guess++) assert.deepEqual(await attempt(browser, email, 'some guess'), wrong)
  assert.deepEqual(await attempt(browser, email, password), tooMany)
})

test('one address ends after fifty guesses over many accounts; a network of the sixth version is one address', async () => {
  const network = `2001:db8:${(Date.now() % 65_536).toString(16)}:1`
  const at = (host: number) => new Browser({ address: `${network}::${host.toString(16)}` })
  for (let guess = 1; guess <= 50; guess++) {
    assert.deepEqual(await attempt(at(guess), `${randomUUID()}@nowhere.example`, 'some guess'), wrong)
  }
  assert.deepEqual(await attempt(at(51), `${randomUUID()}@nowhere.example`, 'some guess'), tooMany)
})

test('guesses made at once get no further than guesses made one by one', async () => {
  const { email } = await signedUp()
  const address = newAddress()
  const replies = await Promise.all(
    Array.from({ length: 12 }, () => attempt(new Browser({ address }), email, 'some guess')),
  )
  assert.equal(replies.filter(({ status }) => status === 400).length, 5)
  assert.equal(replies.filter(({ status }) => status === 429).length, 7)
})

test('what was right does not count, and what is past does not either', async () => {
  const { email } = await signedUp()
  const { address } = new Browser()
  for (let time = 1; time <= 8; time++) {
    assert.equal((await attempt(new Browser({ address }), email, password)).status, 200)
  }
  for (let guess = 1; guess <= 5; guess++) await attempt(new Browser({ address }), email, 'some guess')
  assert.deepEqual(await attempt(new Browser({ address }), email, password), tooMany)
  // As its owner, whom the policy of maintenance lets see all of them.
  await query(0, `update sign_in_attempts set until = now() - interval '1 second' where failures = 6`)
  assert.equal((await attempt(new Browser({ address }), email, password)).status, 200)
})

test('guessing the password of an open session ends too', async () => {
  const { browser } = await signedUp()
  const change = async (guess: string) => {
    const { status, body } = await browser.call('session/change_password', {
      password: guess,
      new_password: 'a better password',
    })
    return { status, error: body.error }
  }
  for (let guess = 1; guess <= 10; guess++) {
    assert.deepEqual(await change('some guess'), { status: 400, error: 'Password is wrong' })
  }
  assert.deepEqual(await change(password), tooMany)
})
