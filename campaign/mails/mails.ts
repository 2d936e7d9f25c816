// Mails: the server is killed at every step of sending one, again and again, and another server goes on.

import { type Server, startServer } from '../../server/test/harness/app.ts'
import { invite, isSent, type QueuedMail } from '../../server/test/harness/invitation-mails.ts'
import { MailServer, type Stage } from '../../server/test/harness/mail-server.ts'
import { until } from '../../server/test/harness/until.ts'
import { type Campaign, type Options, type Outcome, randomOf } from '../campaign.ts'
import { withService } from '../scratch-service.ts'

const steps: readonly Stage[] = ['connect', 'sender', 'recipient', 'text', 'received', 'accepted']
const maxPauseMs = 30

/** The SMTP server has the whole mail; the process was killed before, or while, it recorded that. */
const isAfterText = (step: Stage): boolean => step === 'received' || step === 'accepted'

type Played = {
  readonly queued: readonly QueuedMail[]
  /** The recipient of the mail at each kill after its text. */
  readonly killedAfterText: readonly string[]
}

/** Starts a server, queues a mail, and kills the server at a step of sending it or of a mail that an earlier server has left. */
async function play(smtp: MailServer, start: () => Promise<Server>, { runs, seed, say }: Options): Promise<Played> {
  const random = randomOf(seed)
  const queued: QueuedMail[] = []
  const killedAfterText: string[] = []
  for (let run = 1; run <= runs; run++) {
    const step = steps[run % steps.length] as Stage
    const pauseMs = random() * maxPauseMs
    const server = await start()
    const killed = Promise.withResolvers<void>()
    smtp.onStage = async (stage, recipient) => {
      if (stage !== step) return
      if (isAfterText(stage)) killedAfterText.push(recipient)
      // After the response the server may or may not have recorded it.
      if (stage === 'accepted') await new Promise((resolve) => setTimeout(resolve, pauseMs))
      await server.stop('SIGKILL')
      killed.resolve()
    }
    queued.push(await invite(server.url))
    await killed.promise
    smtp.onStage = async () => {}
    if (run % 20 === 0) say(`${run} processes killed`)
  }
  return { queued, killedAfterText }
}

async function run(options: Options): Promise<Outcome> {
  const smtp = await MailServer.start()
  try {
    return await withService({ servers: 1 }, async ({ databaseUrl }) => {
      const start = () => startServer(smtp.env({ DATABASE_URL: databaseUrl }))
      const { queued, killedAfterText } = await play(smtp, start, options)
      const last = await start()
      const found: string[] = []
      const isAllSent = async () => (await Promise.all(queued.map(isSent))).every((sent) => sent)
      await until(isAllSent, { pollMs: 500 }).catch(() => found.push('a mail was not sent'))
      await last.stop()
      let repeated = 0
      for (const { email } of queued) {
        const arrived = smtp.of(email)
        const allowed = killedAfterText.filter((one) => one === email).length
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
          'kills between the end of the text and the record': killedAfterText.length,
          'mails repeated after such a kill': repeated,
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
