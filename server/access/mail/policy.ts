// Whether this process sends mails, and how: from the configuration.

import type { Sending, SmtpServer } from '../../platform/mail/smtp.ts'
import type { Config } from '../../platform/process/config.ts'
import { mailboxOf } from '../../platform/process/variable-kinds.ts'

export type MailPolicy = Sending & {
  /** What links begin with. */
  readonly origin: string
  readonly perDay: number
}

let policy: MailPolicy | undefined

export type MailConfig = Pick<Config, 'SMTP_URL' | 'MAIL_FROM' | 'MAILS_PER_DAY' | 'PUBLIC_ORIGIN'>

/** Called once, when the process starts. Without a server for mails, invitations are links to copy. */
export function setMailPolicy(config: MailConfig): MailPolicy | undefined {
  policy = policyOf(config)
  return policy
}

/** Undefined: this process sends no mails. */
export const mailPolicy = (): MailPolicy | undefined => policy

export function policyOf({
  SMTP_URL: url,
  MAIL_FROM: from,
  PUBLIC_ORIGIN: origin,
  MAILS_PER_DAY: perDay,
}: MailConfig): MailPolicy | undefined {
  if (url === undefined || from === undefined || origin === undefined) return undefined
  return { smtp: smtpServer(new URL(url)), from: mailboxOf(from), origin, perDay }
}

function smtpServer({ protocol, hostname, port, username, password }: URL): SmtpServer {
  const host = hostname.replace(/^\[(.*)\]$/, '$1')
  const isSecure = protocol === 'smtps:'
  const login = username === '' ? undefined : { user: decoded(username), pass: decoded(password) }
  const isHere = ['localhost', '127.0.0.1', '::1'].includes(host)
  return {
    host,
    port: port === '' ? (isSecure ? 465 : 587) : Number(port),
    isSecure,
    needsTls: login !== undefined && !isHere,
    login,
  }
}

/** A password with a percent sign that encodes nothing is taken as it is. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
