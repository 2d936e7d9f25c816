// Limits on guessing passwords, and that they do not lock out browsers that have signed in before.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { Browser, newAddress } from '../../test/harness/browser.ts'
import { query } from '../../test/harness/database.ts'

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

test('one address is refused after five guesses for an account, even with the right password', async () => {
  const { email } = await signedUp()
  const anonymous = new Browser()
  for (let guess = 1; guess <= 5; guess++) assert.deepEqual(await attempt(anonymous, email, `guess no ${guess}`), wrong)
  assert.deepEqual(await attempt(anonymous, email, 'guess no 6'), tooMany)
  assert.deepEqual(await attempt(anonymous, email, password), tooMany)
  assert.equal((await attempt(new Browser(), email, password)).status, 200, 'another address is not affected')
})

test('one address that continues after its guesses does not lock the owner out of a new browser', async () => {
  const { email } = await signedUp()
  const address = newAddress()
  for (let guess = 1; guess <= 40; guess++) await attempt(new Browser({ address }), email, 'some guess')
  assert.deepEqual(await attempt(new Browser({ address }), email, password), tooMany)
  assert.equal((await attempt(new Browser(), email, password)).status, 200)
})

test('an unknown account has the same limit', async () => {
  const anonymous = new Browser()
  const email = `${randomUUID()}@nowhere.example`
  for (let guess = 1; guess <= 5; guess++) assert.deepEqual(await attempt(anonymous, email, `guess no ${guess}`), wrong)
  assert.deepEqual(await attempt(anonymous, email, 'guess no 6'), tooMany)
})

test('many addresses together are refused after thirty guesses, and a known browser can still sign in', async () => {
  const { browser, email } = await signedUp()
  await browser.call('session/sign_out')
  for (let guess = 1; guess <= 30; guess++) assert.deepEqual(await attempt(new Browser(), email, 'some guess'), wrong)
  assert.deepEqual(await attempt(new Browser(), email, password), tooMany)
  assert.equal((await attempt(browser, email, password)).status, 200)
  // Not even guesses from the owner's own address lock it out.
  const neighbour = new Browser({ address: browser.address })
  assert.deepEqual(await attempt(neighbour, email, 'some guess'), tooMany)
  assert.equal((await attempt(browser, email, password)).status, 200)
})

test('a known browser has its own guesses, and they are limited too', async () => {
  const { browser, email } = await signedUp()
  for (let guess = 1; guess <= 10; guess++) assert.deepEqual(await attempt(browser, email, 'some guess'), wrong)
  assert.deepEqual(await attempt(browser, email, password), tooMany)
})

test('a browser known to one account is anonymous to another', async () => {
  const [{ browser }, { email }] = [await signedUp(), await signedUp()]
  for (let guess = 1; guess <= 5; guess++) assert.deepEqual(await attempt(browser, email, 'some guess'), wrong)
  assert.deepEqual(await attempt(browser, email, password), tooMany)
})

test('one address is refused after fifty guesses over many accounts; an IPv6 network counts as one address', async () => {
  const network = `2001:db8:${(Date.now() % 65_536).toString(16)}:1`
  const at = (host: number) => new Browser({ address: `${network}::${host.toString(16)}` })
  for (let guess = 1; guess <= 50; guess++) {
    assert.deepEqual(await attempt(at(guess), `${randomUUID()}@nowhere.example`, 'some guess'), wrong)
  }
  assert.deepEqual(await attempt(at(51), `${randomUUID()}@nowhere.example`, 'some guess'), tooMany)
})

test('concurrent guesses have the same limit as sequential ones', async () => {
  const { email } = await signedUp()
  const address = newAddress()
  const replies = await Promise.all(
    Array.from({ length: 12 }, () => attempt(new Browser({ address }), email, 'some guess')),
  )
  assert.equal(replies.filter(({ status }) => status === 400).length, 5)
  assert.equal(replies.filter(({ status }) => status === 429).length, 7)
})

test('successful and expired attempts do not count', async () => {
  const { email } = await signedUp()
  const { address } = new Browser()
  for (let time = 1; time <= 8; time++) {
    assert.equal((await attempt(new Browser({ address }), email, password)).status, 200)
  }
  for (let guess = 1; guess <= 5; guess++) await attempt(new Browser({ address }), email, 'some guess')
  assert.deepEqual(await attempt(new Browser({ address }), email, password), tooMany)
  // As the table owner, whom the maintenance policy lets see all rows.
  await query(0, `update sign_in_attempts set until = now() - interval '1 second' where failures = 6`)
  assert.equal((await attempt(new Browser({ address }), email, password)).status, 200)
})

test('guessing the password within a session is limited too', async () => {
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
