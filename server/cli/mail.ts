// kontor mail: sends a mail at once, to see whether the SMTP server accepts it.

import { randomBytes } from 'node:crypto'
import { companyLanguages } from '../access/first-records.ts'
import { policyOf } from '../access/mail/policy.ts'
import { layOut } from '../access/mail-sender/layout.ts'
import { mailTexts } from '../access/mail-sender/texts.ts'
import { NotSent, sendMail } from '../platform/mail/smtp.ts'
import { readConfig } from '../platform/process/config.ts'
import { type Command, options, printable, UsageError } from './command.ts'

const test: Command = {
  words: ['mail', 'test'],
  usage: 'mail test --to ADDRESS [--language L]',
  summary: 'Send a test mail and print what the SMTP server says',
  help: `  --to ADDRESS  the recipient
  --language L  en (default), de or ru
Uses SMTP_URL, MAIL_FROM and PUBLIC_ORIGIN, and no database. Exits with 1 if the server does not accept the mail.`,
  run: async (rest) => {
    const { values } = options(rest, { to: { type: 'string' }, language: { type: 'string', default: 'en' } })
    const language = companyLanguages.find((one) => one === values.language)
    if (language === undefined) throw new UsageError(`--language must be one of: ${companyLanguages.join(', ')}`)
    const recipient = values.to?.trim() ?? ''
    if (!/^[^\s@<>,;]+@[^\s@<>,;]+$/.test(recipient)) throw new UsageError('--to must be an email address')
    const policy = policyOf(readConfig(process.env))
    if (policy === undefined) throw new UsageError('SMTP_URL is not set: this server sends no mails')
    const { from, origin, smtp } = policy
    const messageId = `<test.${randomBytes(12).toString('hex')}@${from.address.split('@').at(-1)}>`
    const content = layOut(language, mailTexts[language].test, origin, undefined)
    try {
      const response = await sendMail(policy, { recipient, messageId, ...content }, new AbortController().signal)
      console.log(`${smtp.host}:${smtp.port} has accepted the mail: ${printable(response)}`)
      return 0
    } catch (error) {
      if (!(error instanceof NotSent)) throw error
      console.error(`kontor: ${smtp.host}:${smtp.port} has not accepted the mail: ${printable(error.message)}`)
      return 1
    }
  },
}

export const mail: readonly Command[] = [test]
