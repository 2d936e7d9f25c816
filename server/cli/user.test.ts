// kontor user: invitations and passwords for users who cannot get them within the company.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Browser } from '../test/harness/browser.ts'
import { given } from '../test/harness/given.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const run = (words: readonly string[], more: Record<string, string>) =>
  promisify(execFile)(process.execPath, ['server/cli.ts', ...words], { cwd: root, env: { ...process.env, ...more } })
const kontor = async (...words: string[]): Promise<string> =>
  (await run(words, { PUBLIC_ORIGIN: 'https://kontor.example' })).stdout

test('an operator invites the first owner, and sets a new password', async () => {
  const company = await given.company()
  const email = `ada-${randomUUID()}@oak.example`
  const output = await kontor('user', 'invite', '--company', String(company.id), '--email', email)
  const token = /^Link \(shown this once\): https:\/\/kontor\.example\/invitation\/(\S+)\n$/.exec(output)?.[1]
  const browser = new Browser()
  const accepted = await browser.call('invitations/accept', { token, name: 'Ada', password: 'a long password' })
  assert.equal(accepted.status, 200, accepted.text)
  assert.equal((await browser.call('session/get')).body.user.role, 'owner')

  const { password } = JSON.parse(await kontor('user', 'password', '--email', email.toUpperCase(), '--json'))
  assert.equal((await browser.call('session/get')).status, 401, 'the sessions are ended')
  assert.equal((await new Browser().call('session/sign_in', { email, password: 'a long password' })).status, 400)
  assert.equal((await new Browser().call('session/sign_in', { email, password })).status, 200)
})

test('an invitation has the configured address, or a warning that it works only on this machine', async () => {
  const company = await given.company()
  const invited = async (more: Record<string, string>, ...words: string[]) => {
    const email = `ada-${randomUUID()}@oak.example`
    return await run(['user', 'invite', '--company', String(company.id), '--email', email, ...words], more)
  }
  const named = await invited({ PUBLIC_ORIGIN: '' }, '--origin', 'https://kontor.example/anything')
  assert.match(named.stdout, /^Link \(shown this once\): https:\/\/kontor\.example\/invitation\/\S+\n$/)
  assert.equal(named.stderr, '')
  const unnamed = await invited({ PUBLIC_ORIGIN: '', PORT: '8099' })
  assert.match(unnamed.stdout, /^Link \(shown this once\): http:\/\/localhost:8099\/invitation\/\S+\n$/)
  assert.match(unnamed.stderr, /^kontor: this link opens on this machine only\. .*--origin or PUBLIC_ORIGIN.*\n$/)
  for (const odd of ['kontor.example', 'ftp://kontor.example', ''])
    await assert.rejects(invited({}, '--origin', odd), /--origin must be an address such as https:\/\/kontor\.example/)
})

test('errors are printed, and the exit code is not 0', async () => {
  const company = await given.company()
  const cases: readonly (readonly [string[], RegExp])[] = [
    [['user', 'invite', '--company', String(company.id)], /No email in input/],
    [['user', 'invite', '--company', String(company.id), '--email', 'x@y', '--role', 'boss'], /Invalid role value/],
    [['user', 'invite', '--email', 'x@y'], /--company must be/],
    [['user', 'password'], /--email is missing/],
    [['user', 'password', '--email', 'nobody@nowhere.example'], /no user has the email nobody@nowhere\.example/],
  ]
  for (const [words, text] of cases) await assert.rejects(kontor(...words), (error: Error) => text.test(error.message))
})
