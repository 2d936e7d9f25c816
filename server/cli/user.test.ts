// kontor user: the way in for whom nobody inside can let in.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Browser } from '../testing/browser.ts'
import { given } from '../testing/given.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const kontor = async (...words: string[]): Promise<string> => {
  const env = { ...process.env, PUBLIC_ORIGIN: 'https://kontor.example' }
  return (await promisify(execFile)(process.execPath, ['server/cli.ts', ...words], { cwd: root, env })).stdout
}

test('an operator invites the first owner, and gives a new password to who forgot it', async () => {
  const company = await given.company()
  const email = `ada-${randomUUID()}@oak.example`
  const said = await kontor('user', 'invite', '--company', String(company.id), '--email', email)
  const token = /^Link \(shown this once\): https:\/\/kontor\.example\/invitation\/(\S+)\n$/.exec(said)?.[1]
  const browser = new Browser()
  const accepted = await browser.call('invitations/accept', { token, name: 'Ada', password: 'a long password' })
  assert.equal(accepted.status, 200, accepted.text)
  assert.equal((await browser.call('session/get')).body.user.role, 'owner')

  const { password } = JSON.parse(await kontor('user', 'password', '--email', email.toUpperCase(), '--json'))
  assert.equal((await browser.call('session/get')).status, 401, 'the sessions end')
  assert.equal((await new Browser().call('session/sign_in', { email, password: 'a long password' })).status, 400)
  assert.equal((await new Browser().call('session/sign_in', { email, password })).status, 200)
})

test('what is wrong is said, and the exit code tells', async () => {
  const company = await given.company()
  const cases: readonly (readonly [string[], RegExp])[] = [
    [['user', 'invite', '--company', String(company.id)], /No email in input/],
    [['user', 'invite', '--company', String(company.id), '--email', 'x@y', '--role', 'boss'], /Invalid role value/],
    [['user', 'invite', '--email', 'x@y'], /--company must be/],
    [['user', 'password'], /--email is missing/],
    [['user', 'password', '--email', 'nobody@nowhere.example'], /nobody signs in with nobody@nowhere\.example/],
  ]
  for (const [words, text] of cases) await assert.rejects(kontor(...words), (error: Error) => text.test(error.message))
})
