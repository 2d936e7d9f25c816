// An SMTP server for tests: it keeps the mails it accepts, and refuses or cuts off the others as a test wants it to.

import { type ParsedMail, simpleParser } from 'mailparser'
import { SMTPServer, type SMTPServerSession } from 'smtp-server'
import { until } from './until.ts'

/** What happens to a mail, by where its transmission ends. */
export type Treatment =
  | 'accept'
  /** Refused for good, when the recipient is named or after the text. */
  | 'refuse'
  | 'refuse text'
  /** Refused for now. */
  | 'postpone'
  | 'refuse sender'
  /** The connection is cut when the recipient is named, during the text, and after the text instead of the response. */
  | 'cut at recipient'
  | 'cut at text'
  | 'cut before response'
  /** The same, but the mail is kept. */
  | 'keep and cut'
  /** The response repeats the text. */
  | 'echo'

/** A step of the transmission. */
export type Stage = 'connect' | 'sender' | 'recipient' | 'text' | 'received' | 'accepted'

export type ReceivedMail = { readonly recipient: string; readonly raw: string; readonly mail: ParsedMail }

export const words = {
  refuse: '550 5.1.1 No such mailbox here',
  postpone: '451 4.7.1 Greylisted, try again later',
} as const

const refusal = (text: string): Error => {
  const [code = '', ...rest] = text.split(' ')
  return Object.assign(new Error(rest.join(' ')), { responseCode: Number(code) })
}

type Connection = { readonly id: string; readonly _socket: { destroy(): void } }

export class MailServer {
  readonly received: ReceivedMail[] = []
  /** Called at each step; the transmission goes on when it resolves. */
  onStage: (stage: Stage, recipient: string) => Promise<void> = async () => {}
  readonly #server: SMTPServer
  /** By recipient; each is used once, except for the last. */
  readonly #treatments = new Map<string, Treatment[]>()
  port = 0

  private constructor() {
    this.#server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      disableReverseLookup: true,
      allowInsecureAuth: true,
      logger: false,
      onAuth: ({ username, password }, _session, done) =>
        password === 'right' ? done(null, { user: username }) : done(refusal('535 5.7.8 Wrong password')),
      onConnect: (_session, done) => void this.onStage('connect', '').then(() => done()),
      onMailFrom: (_sender, _session, done) => void this.onStage('sender', '').then(() => done()),
      onRcptTo: ({ address }, session, done) => void this.#recipient(address, session, done),
      onData: (stream, session, done) => void this.#text(stream, session, done),
    })
    // Connections that clients cut.
    this.#server.on('error', () => {})
  }

  static async start(): Promise<MailServer> {
    const server = new MailServer()
    await new Promise<void>((resolve) => {
      const listener = server.#server.listen(0, '127.0.0.1', resolve)
      server.port = (listener.address() as { port: number } | null)?.port ?? 0
    })
    server.port ||= (server.#server.server.address() as { port: number }).port
    return server
  }

  /** The settings of a server that sends its mails here. */
  env(more: Record<string, string> = {}): Record<string, string> {
    return {
      SMTP_URL: `smtp://127.0.0.1:${this.port}`,
      MAIL_FROM: 'Kontor <kontor@kontor.example>',
      PUBLIC_ORIGIN: 'https://kontor.example',
      ...more,
    }
  }

  treat(recipient: string, ...treatments: Treatment[]): void {
    this.#treatments.set(recipient, treatments)
  }

  of(recipient: string): ReceivedMail[] {
    return this.received.filter((one) => one.recipient === recipient)
  }

  async waitFor(recipient: string, count = 1): Promise<ReceivedMail[]> {
    await until(() => this.of(recipient).length >= count, {
      pollMs: 20,
      what: () => `${this.of(recipient).length} of ${count} mails to ${recipient} arrived`,
    })
    return this.of(recipient)
  }

  async stop(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.close(resolve))
  }

  #next(recipient: string): Treatment {
    const left = this.#treatments.get(recipient) ?? []
    return left[0] ?? 'accept'
  }

  #used(recipient: string): void {
    const left = this.#treatments.get(recipient) ?? []
    if (left.length > 1) left.shift()
  }

  #cut({ id }: SMTPServerSession): void {
    for (const one of this.#server.connections as unknown as Iterable<Connection>)
      if (one.id === id) one._socket.destroy()
  }

  async #recipient(address: string, session: SMTPServerSession, done: (error?: Error) => void): Promise<void> {
    await this.onStage('recipient', address)
    const treatment = this.#next(address)
    if (treatment === 'refuse' || treatment === 'postpone' || treatment === 'cut at recipient') this.#used(address)
    if (treatment === 'refuse') return done(refusal(words.refuse))
    if (treatment === 'postpone') return done(refusal(words.postpone))
    if (treatment === 'cut at recipient') return this.#cut(session)
    done()
  }

  async #text(
    stream: AsyncIterable<Buffer>,
    session: SMTPServerSession,
    done: (error?: Error | null, message?: string) => void,
  ): Promise<void> {
    const recipient = session.envelope.rcptTo[0]?.address ?? ''
    const treatment = this.#next(recipient)
    await this.onStage('text', recipient)
    if (treatment === 'cut at text') {
      this.#used(recipient)
      return this.#cut(session)
    }
    let raw = ''
    try {
      for await (const chunk of stream) raw += chunk.toString()
    } catch {
      return
    }
    await this.onStage('received', recipient)
    this.#used(recipient)
    if (treatment === 'cut before response') return this.#cut(session)
    if (treatment === 'refuse text') return done(refusal('554 5.6.0 This looks like spam'))
    const mail = await simpleParser(raw)
    this.received.push({ recipient, raw, mail })
    if (treatment === 'keep and cut') return this.#cut(session)
    done(null, treatment === 'echo' ? `Thank you for ${mail.text?.replaceAll('\n', ' ')}` : 'Ok, kept')
    await this.onStage('accepted', recipient)
  }
}

/** The link of a mail, from its text. */
export const linkOf = ({ mail }: ReceivedMail): string => /https?:\/\/\S+\/\d+\.\S+/.exec(mail.text ?? '')?.[0] ?? ''
/** The last part of the link. */
export const tokenOf = (mail: ReceivedMail): string => linkOf(mail).split('/').at(-1) ?? ''
