// Which passwords are too common to be accepted.

import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { Browser } from '../test/harness/browser.ts'
import { given } from '../test/harness/given.ts'
import { isCommonPassword } from './common-passwords.ts'

const refused = { status: 400, error: 'This password is too common. Choose another one' }

async function outcomeOf(browser: Pick<Browser, 'call'>, path: string, body: object) {
  const { status, body: answer } = await browser.call(path, body)
  return { status, error: answer.error }
}

test('listed passwords and usual variations of them are common', () => {
  const common = [
    ...['1234567890', '0987654321', '1234554321', '12345678910', '9876543210', '1122334455'],
    ...[
      'password12',
      'password123',
      'Password2024!',
      'P@ssw0rd2024',
      '123password456',
      'PASSWORD!!',
      'passwordpassword',
    ],
    ...['aaaaaaaaaa', '1111111111', 'ababababab', '1212121212', 'abcabcabcabc', '----------'],
    ...[
      'qwertyuiop',
      'qwerty12345',
      'asdfghjkl;',
      'qwertzuiop',
      'azertyuiop',
      '1qaz2wsx3edc',
      'q1w2e3r4t5',
      'zaq1xsw2cde3',
    ],
    ...['abcdefghij', 'abcdefghijkl', 'zyxwvutsrq', 'abcd1234abcd', 'qweasdzxc123'],
    ...['basketball', 'iloveyou123', 'monkey1234', 'welcome2025', 'letmein1234', 'football99!', 'monkeymonkey'],
  ]
  assert.deepEqual(
    common.filter((password) => !isCommonPassword(password)),
    [],
  )
})

test('a password made of data about the user is common', () => {
  const known = ['ada.oak@oakbench.example', 'Ada Oak', 'Grünholz Möbel GmbH']
  const common = ['ada.oak2024', 'AdaOak-1987', 'grünholzmöbel', 'Grünholz123', 'moebel', 'möbel12345', 'oakbench!!1']
  const long = common.filter((password) => [...password].length >= 10)
  assert.deepEqual(
    long.filter((password) => !isCommonPassword(password, known)),
    [],
  )
  assert.deepEqual(
    long.filter((password) => isCommonPassword(password)),
    [],
  )
})

test('phrases and random passwords are not common', () => {
  const good = [
    'a long password',
    'correct horse battery staple',
    'very-secret-words',
    'Tr0ub4dor&3',
    'gras-im-fahrtwind',
    'дом у реки 7',
  ]
  const drawn = Array.from({ length: 2_000 }, () => randomBytes(12).toString('base64url'))
  const known = ['ada.oak@workshop.example', 'Ada Oak', 'Oak Workshop']
  assert.deepEqual(
    [...good, ...drawn].filter((password) => isCommonPassword(password, known)),
    [],
  )
})

test('a common password is refused at sign-up', async () => {
  const signUp = { company: 'Grünholz Möbel', name: 'Ada Oak', email: `ada.oak.${randomUUID()}@oak.example` }
  for (const password of ['1234567890', 'password12', 'aaaaaaaaaa', 'kontor2025!', 'GrünholzMöbel1', 'Grünholz2025']) {
    assert.deepEqual(await outcomeOf(new Browser(), 'session/sign_up', { ...signUp, password }), refused, password)
  }
  const browser = new Browser()
  assert.equal((await outcomeOf(browser, 'session/sign_up', { ...signUp, password: 'gras im fahrtwind' })).status, 200)
})

test('changing to a common password is refused, after the current password was checked', async () => {
  const present = 'gras im fahrtwind'
  const company = await given.company({ name: 'Grünholz Möbel' })
  const user = await given.user(company, 'owner', present)
  const change = (password: string, next: string) =>
    outcomeOf(user, 'session/change_password', { password, new_password: next })
  assert.deepEqual(await change(present, 'password123'), refused)
  assert.deepEqual(await change(present, 'grünholz-2025'), refused)
  assert.deepEqual(await change('not the present', 'grünholz-2025'), { status: 400, error: 'Password is wrong' })
  assert.equal((await change(present, 'noch ein langer satz')).status, 200)
})

test('a common password is refused when an invitation is accepted', async () => {
  const owner = await given.user(await given.company({ name: 'Grünholz Möbel' }))
  const email = `ben.birch.${randomUUID()}@oak.example`
  const { body } = await owner.call('users/invite', { email, role: 'worker' })
  const accept = (password: string) =>
    outcomeOf(new Browser(), 'invitations/accept', { token: body.token, name: 'Ben Birch', password })
  for (const password of ['qwertyuiop', 'BenBirch-77', 'Grünholz-77']) assert.deepEqual(await accept(password), refused)
  assert.equal((await accept('gras im fahrtwind')).status, 200)
})
