// Mails: the server is killed at every step of sending one, again and again, and another server goes on.

import { type Server, startServer } from '../../server/test/harness/app.ts'
import { invite, isSent, type QueuedMail } from '../../server/test/harness/invitation-mails.ts'
import { MailServer, type Stage } from '../../server/test/harness/mail-server.ts'
import { until } from '../../server/test/harness/until.ts'
import { type Campaign, type Options, type Outcome, randomOf } from '../campaign.ts'
import { withService } from '../scratch-service.ts'

const steps: readonly Stage[] = ['connect', 'sender', 'recipient', 'text', 'received', 'accepted']
const maxPauseMs = 30

type Played = {
  readonly queued: readonly QueuedMail[]
  /** The mails whose text was received, but not recorded as sent, when the server was killed; once for each kill. */
  readonly unrecorded: readonly QueuedMail[]
}

/** Starts a server, queues a mail, and kills the server at a step of sending this mail or one that an earlier server has left. */
async function play(smtp: MailServer, start: () => Promise<Server>, { runs, seed, say }: Options): Promise<Played> {
  const random = randomOf(seed)
  const queued: QueuedMail[] = []
  const unrecorded: QueuedMail[] = []
  for (let run = 1; run <= runs; run++) {
    const step = steps[run % steps.length] as Stage
    const pauseMs = random() * maxPauseMs
    const killed = Promise.withResolvers<void>()
    const received = new Set<string>()
    smtp.onStage = async (stage, recipient) => {
      if (stage === 'received') received.add(recipient)
      if (stage !== step) return
      // After the response the server may or may not have recorded it.
      if (stage === 'accepted') await new Promise((resolve) => setTimeout(resolve, pauseMs))
      await invited
      await (await starting).stop('SIGKILL')
      killed.resolve()
    }
    const starting = start()
    const invited = starting.then(({ url }) => invite(url))
    queued.push(await invited)
    await killed.promise
    smtp.onStage = async () => {}
    for (const one of queued) if (received.has(one.email) && !(await isSent(one))) unrecorded.push(one)
    if (run % 20 === 0) say(`${run} processes killed`)
  }
  return { queued, unrecorded }
}

async function run(options: Options): Promise<Outcome> {
  const smtp = await MailServer.start()
  try {
    return await withService({ servers: 1 }, async ({ databaseUrl }) => {
      const start = () => startServer(smtp.env({ DATABASE_URL: databaseUrl }))
      const { queued, unrecorded } = await play(smtp, start, options)
      const last = await start()
      const found: string[] = []
      const isAllSent = async () => (await Promise.all(queued.map(isSent))).every((sent) => sent)
      await until(isAllSent, { pollMs: 500, withinMs: 180_000 }).catch(() => found.push('a mail was not sent'))
      await last.stop()
      let repeated = 0
      for (const { email } of queued) {
        const arrived = smtp.of(email)
        const allowed = unrecorded.filter((one) => one.email === email).length
        repeated += Math.max(0, arrived.length - 1)
        if (arrived.length === 0) found.push(`the mail to ${email} was lost`)
        if (arrived.length > 1 + allowed)
          found.push(
            `the mail to ${email} arrived ${arrived.length} times, after ${allowed} kills that allow a repetition`,
          )
        if (new Set(arrived.map(({ mail }) => mail.messageId)).size > 1)
          found.push(`the mail to ${email} was repeated with another Message-ID`)
      }
      return {
        counts: {
          'processes killed': options.runs,
          'mails queued': queued.length,
          'mails arrived': smtp.received.length,
          'times that a received mail was not recorded when the server was killed': unrecorded.length,
          'repetitions of these mails': repeated,
        },
        found,
      }
    })
  } finally {
    await smtp.stop()
  }
}

export const mails: Campaign = {
  name: 'mails',
  about:
    'The server is killed at each step of sending mails over SMTP: every mail arrives, and only a mail whose text was already received when the server was killed arrives again, with the same Message-ID.',
  short: { runs: 12 },
  long: { runs: 200 },
  run,
}
