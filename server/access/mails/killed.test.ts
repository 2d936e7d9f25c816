// A server process that is killed at a step of sending a mail: another one sends it. The only moment in which a mail arrives twice is the one between the
// acceptance by the SMTP server and the record of it.

import assert from 'node:assert/strict'
import { after } from 'node:test'
import { screensPrefix } from '../../platform/http/paths.ts'
import { type Server, startServer } from '../../test/harness/app.ts'
import { invite, isSent, type QueuedMail } from '../../test/harness/invitation-mails.ts'
import { linkOf, MailServer, type Stage, tokenOf } from '../../test/harness/mail-server.ts'
import { ownedDatabase } from '../../test/harness/owned-database.ts'
import { rule } from '../../test/harness/rule.ts'
import { until } from '../../test/harness/until.ts'

const mails = await MailServer.start()
// Its own server sends no mails, so that only those that are killed do.
const urls = ownedDatabase()
after(() => mails.stop())

const start = (): Promise<Server> => startServer(mails.env({ DATABASE_URL: urls.url }))

rule('mails.failure.killed', async () => {
  const steps: readonly Stage[] = ['connect', 'sender', 'recipient', 'text', 'received', 'accepted']
  const queued: (QueuedMail & { readonly step: Stage })[] = []
  // The connection was lost before the response to the text, and the SMTP server has kept the mail all the same. On a slow machine the mail of an earlier step may
  // be the one that is being sent when a process is killed.
  const killedAfterText: string[] = []
  for (const step of steps) {
    const server = await start()
    const killed = Promise.withResolvers<void>()
    mails.onStage = async (stage, recipient) => {
      if (stage !== step) return
      if (stage === 'received' || stage === 'accepted') killedAfterText.push(recipient)
      await server.stop('SIGKILL')
      killed.resolve()
    }
    queued.push({ ...(await invite(server.url)), step })
    await killed.promise
    mails.onStage = async () => {}
  }
  const server = await start()
  for (const one of queued) await until(() => isSent(one), { pollMs: 100, what: () => `the mail of ${one.step}` })
  await server.stop()
  for (const { email, step } of queued) {
    const arrived = mails.of(email)
    const more = killedAfterText.filter((one) => one === email).length
    assert.ok(arrived.length >= 1 && arrived.length <= 1 + more, `${step}: ${arrived.length} mails`)
    assert.equal(new Set(arrived.map(({ mail }) => mail.messageId)).size, 1, 'receivers can recognize the second one')
    for (const one of arrived) {
      assert.match(linkOf(one), /^https:\/\/kontor\.example\/invitation\//)
      const shown = await fetch(`${process.env['KONTOR_TEST_URL']}${screensPrefix}invitations/get`, {
        method: 'POST',
        headers: { 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' },
        body: JSON.stringify({ token: tokenOf(one) }),
      })
      assert.equal(shown.status, 200, 'every link that arrived works')
    }
  }
})

rule('mails.failure.processes', async () => {
  const servers = [await start(), await start(), await start()]
  try {
    const queued: QueuedMail[] = []
    for (let n = 0; n < 12; n++) for (const server of servers.slice(0, 2)) queued.push(await invite(server.url))
    for (const one of queued) await until(() => isSent(one), { pollMs: 50 })
    for (const { email } of queued) assert.equal(mails.of(email).length, 1)
  } finally {
    await Promise.all(servers.map((server) => server.stop()))
  }
})
