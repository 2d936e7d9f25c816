// How long signing in takes reveals nothing.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import { Browser } from '../../test/harness/browser.ts'
import { measured } from '../../test/harness/measured.ts'

const newEmail = (): string => `ada-${randomUUID()}@oak.example`
const newcomer = (email: string) => ({ company: 'Oak Workshop', name: 'Ada Oak', email, password: 'a long password' })

async function compare(context: TestContext, email: string): Promise<void> {
  await measured(context, async () => {
    const took = { known: [] as number[], unknown: [] as number[] }
    const time = async (list: number[], of: string) => {
      const started = performance.now()
      await new Browser().call('session/sign_in', { email: of, password: 'not the password' })
      list.push(performance.now() - started)
    }
    for (let round = 0; round < 7; round++) {
      await time(took.known, email)
      await time(took.unknown, newEmail())
    }
    // The fastest of each, because other work on the machine only adds time.
    const ratio = Math.min(...took.unknown) / Math.min(...took.known)
    context.diagnostic(`unknown emails take ${ratio.toFixed(2)} of the time`)
    // Without a password hash to verify, the ratio is 0.1.
    assert.ok(ratio > 0.5 && ratio < 2, `unknown emails take ${ratio} of the time`)
  })
}

test('an unknown email takes as long as a wrong password', async (context) => {
  const email = newEmail()
  await new Browser().call('session/sign_up', newcomer(email))
  await compare(context, email)
})

test('so does an email of five companies', async (context) => {
  const email = newEmail()
  for (let n = 1; n <= 5; n++) await new Browser().call('session/sign_up', newcomer(email))
  await compare(context, email)
})
