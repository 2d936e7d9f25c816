// Sends one mail over one SMTP connection, and says whether a refusal is final.

import MailComposer from 'nodemailer/lib/mail-composer'
import SMTPConnection from 'nodemailer/lib/smtp-connection'
import { inBackgroundAfter } from '../process/background.ts'

export type SmtpServer = {
  readonly host: string
  readonly port: number
  /** TLS from the start. */
  readonly isSecure: boolean
  /** A password is never sent without TLS, except to this machine. */
  readonly needsTls: boolean
  readonly login: { readonly user: string; readonly pass: string } | undefined
}

export type Sending = {
  readonly smtp: SmtpServer
  readonly from: { readonly name: string; readonly address: string }
}

export type OutgoingMail = {
  readonly recipient: string
  /** Where answers go; the sender if absent. */
  readonly replyTo?: string | undefined
  readonly messageId: string
  readonly subject: string
  readonly text: string
  readonly html: string
  /** A PDF. */
  readonly attachment?: { readonly name: string; readonly content: Uint8Array }
}

const connectMs = 15_000
/** A server may check a mail before it responds. */
const responseMs = 120_000
const wholeMs = 180_000
const longest = 1_000

/** The mail was not accepted. The message contains the words of the server, if it said any. */
export class NotSent extends Error {
  /** Another attempt would be refused, too. */
  readonly isFinal: boolean

  constructor(words: string, isFinal: boolean) {
    super(words)
    this.isFinal = isFinal
  }
}

/** Resolves with the response of the server when it has accepted the mail; otherwise throws `NotSent`. */
export async function sendMail({ smtp, from }: Sending, mail: OutgoingMail, signal: AbortSignal): Promise<string> {
  const content = await composed(from, mail)
  const connection = new SMTPConnection({
    host: smtp.host,
    port: smtp.port,
    secure: smtp.isSecure,
    requireTLS: smtp.needsTls,
    connectionTimeout: connectMs,
    greetingTimeout: connectMs,
    dnsTimeout: connectMs,
    socketTimeout: responseMs,
    maxResponseSize: 65_536,
    allowInternalNetworkInterfaces: true,
  })
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const fail = (error: unknown): void => reject(notSent(error))
  const timer = inBackgroundAfter('mails', wholeMs, () => fail(new Error(`Not sent within ${wholeMs / 1000} seconds`)))
  const abort = (): void => fail(new Error('The process was stopped'))
  signal.addEventListener('abort', abort, { once: true })
  // Emitted at any time, also after the mail was accepted.
  connection.on('error', fail)
  connection.once('end', () => fail(new Error('The connection was closed')))
  const send = (): void =>
    connection.send({ from: from.address, to: [mail.recipient], size: content.length }, content, (error, info) =>
      error ? fail(error) : resolve(info?.response ?? ''),
    )
  connection.connect((failure) => {
    if (failure) fail(failure)
    else if (smtp.login === undefined) send()
    else connection.login(smtp.login, (error) => (error ? fail(error) : send()))
  })
  try {
    const response = await promise
    connection.quit()
    return wordsOf(response)
  } catch (error) {
    connection.close()
    throw error
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', abort)
  }
}

async function composed(from: Sending['from'], mail: OutgoingMail): Promise<Buffer> {
  const composer = new MailComposer({
    from: { ...from },
    to: { name: '', address: mail.recipient },
    ...(mail.replyTo === undefined ? {} : { replyTo: { name: '', address: mail.replyTo } }),
    subject: mail.subject,
    messageId: mail.messageId,
    text: mail.text,
    html: mail.html,
    ...(mail.attachment === undefined ? {} : { attachments: [pdfOf(mail.attachment)] }),
    // No automatic replies, please.
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
    disableFileAccess: true,
    disableUrlAccess: true,
    newline: 'win',
  })
  return await composer.compile().build()
}

const pdfOf = ({ name, content }: NonNullable<OutgoingMail['attachment']>) => ({
  filename: name,
  content: Buffer.from(content.buffer, content.byteOffset, content.byteLength),
  contentType: 'application/pdf',
})

type Failure = { readonly responseCode?: unknown; readonly response?: unknown; readonly command?: unknown }

/** A refused recipient or text stays refused. A refused login or sender is a mistake in the configuration, which can be corrected meanwhile. */
function notSent(error: unknown): NotSent {
  const { responseCode: status, response, command } = error as Failure
  const words = typeof response === 'string' && response !== '' ? response : String((error as Error).message ?? error)
  const isRefused = typeof status === 'number' && status >= 500 && /^(?:RCPT TO|DATA)$/.test(String(command))
  // An address that cannot be sent to any server.
  return new NotSent(wordsOf(words), isRefused || words.startsWith('Invalid recipient'))
}

const wordsOf = (text: string): string =>
  text
    .replace(/\p{C}+/gu, ' ')
    .trim()
    .slice(0, longest)
