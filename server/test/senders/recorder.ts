// Records which statements each method and each command sends: it reads the traffic between a server process and PostgreSQL while a
// scenario sends one request at a time.

import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Senders } from '../../generate/sql-documents.ts'
import { type Server, startServer } from '../harness/app.ts'
import type { Company, User } from '../harness/given.ts'
import { everyDeclaration } from '../harness/statements.ts'
import { until } from '../harness/until.ts'
import { tapWire, type WireTap } from '../harness/wire-tap.ts'
import { root } from '../structure/architecture.ts'

const publicApi = 'every request to the public API'
const appApi = 'every request to the app API'
const everyWrite = 'every write'
const withKey = 'every write with an Idempotency-Key'

const webhookSender = 'the sender of webhooks'
const byWebhookSender: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ['companies', 'due', 'lease', 'leased', 'parked', 'renew', 'insert_deliveries', 'park', 'unpark', 'record'].map(
      (name) => [`webhooks.${name}`, webhookSender],
    ),
  ),
  'webhooks.disable': `${webhookSender}, after 410 or five days of failures`,
}

const importRunner = 'the runner of imports'
const byImportRunner: Readonly<Record<string, string>> = Object.fromEntries(
  [
    'companies',
    'lease',
    'renew',
    'next_rows',
    'rows_to_undo',
    'advance',
    'end',
    'update_written',
    'update_undone',
    'undo_facts',
  ].map((name) => [`imports.${name}`, importRunner]),
)

const mailSender = 'the sender of mails'
const byMailSender: Readonly<Record<string, string>> = Object.fromEntries(
  [
    ...['companies', 'waiting', 'lock_company', 'clear_company', 'lease', 'renew'],
    ...['invitation', 'find_user', 'insert_invitation_link', 'end', 'postpone'],
    ...['find_companies', 'insert_further_reset', 'note_further'],
    ...['company_name', 'insert_reset_link', 'sign_up', 'insert_sign_up_link', 'webhook'],
    ...['shortage_companies', 'shortages_due', 'take_shortage_day', 'clear_shortages', 'quote'],
    ...['order_confirmation', 'purchase_order'],
  ].map((name) => [`mails.${name}`, mailSender]),
)

/** Statements that no single method sends. A request can send them for any method, or a timer of the server while a request is in progress. */
const byNoMethod: Readonly<Record<string, string>> = {
  'gate.count': publicApi,
  'gate.find_key': `${publicApi} whose key is not cached`,
  'gate.read_key': `${publicApi} whose key is not cached, or may not make the request`,
  'settings.find': `${publicApi} that is refused`,
  'sessions.find': appApi,
  'sessions.keep': `${appApi}, at most once in ten minutes`,
  'users.seen': `${appApi}, at most once in ten minutes`,
  'clock.lock': everyWrite,
  'clock.advance': everyWrite,
  'events.insert': everyWrite,
  'events.find_later': `${everyWrite} with a precondition`,
  'stock.effect_under_way': 'every preview of a write',
  'idempotency.find': withKey,
  'idempotency.forget': withKey,
  'idempotency.insert': withKey,
  'idempotency.lock': withKey,
  'connections.set_used': 'a timer of the server',
  'daily_usage.add': 'a timer of the server',
  'request_log_gaps.insert': 'a timer of the server, after requests could not be logged',
  'health.probe': 'the readiness check',
  ...byWebhookSender,
  ...byImportRunner,
  ...byMailSender,
  'stock.shortages': mailSender,
  'quote_links.insert_mailed_token': mailSender,
  'mails.owners': `${webhookSender}, after 410 or five days of failures`,
  'mails.insert_webhook_disabled': `${webhookSender}, after 410 or five days of failures`,
  'security_events.insert_failure': 'session/sign_in, after the response to a wrong password',
}

/** The sender of webhooks writes at any time, also during the request of another method. */
const isOfWebhookSender = (statement: string, sender: string): boolean =>
  statement.startsWith('webhooks.') && !sender.includes('webhook')

export class Recorder {
  readonly #tap: WireTap
  readonly #commandTap: WireTap
  readonly #server: Server
  /** The name of every statement, with the name of the statement that it is a variant of, or its own. */
  readonly #declared: ReadonlyMap<string, string>
  readonly #senders = new Map<string, Set<string>>()

  private constructor(tap: WireTap, commandTap: WireTap, server: Server, declared: ReadonlyMap<string, string>) {
    this.#tap = tap
    this.#commandTap = commandTap
    this.#server = server
    this.#declared = declared
  }

  get serverUrl(): string {
    return this.#server.url
  }

  static async start(databaseUrl: string): Promise<Recorder> {
    const declared = new Map([...(await everyDeclaration())].map(([name, { variantOf }]) => [name, variantOf ?? name]))
    const tap = await tapWire(databaseUrl, { holdMs: 0 })
    const server = await startServer({ DATABASE_URL: tap.url, SESSION_REQUESTS_PER_SECOND: '100000' })
    return new Recorder(tap, await tapWire(databaseUrl, { holdMs: 0 }), server, declared)
  }

  async stop(): Promise<void> {
    await this.#server.stop()
    this.#record('the server when it stops', this.#tap)
    await Promise.all([this.#tap.close(), this.#commandTap.close()])
  }

  /** Runs one request and attributes to it what the server sent meanwhile. */
  async request<T>(path: string, send: () => Promise<T>): Promise<T> {
    this.#recordBetween()
    const reply = await send()
    this.#record(path, this.#tap)
    return reply
  }

  /** Waits until the sender of webhooks has sent each of its statements: it searches for companies by a timer of its own. */
  async webhookStatements(): Promise<void> {
    const unsent = () => Object.keys(byWebhookSender).filter((name) => !this.#senders.has(name))
    const areSent = () => {
      this.#recordBetween()
      return unsent().length === 0
    }
    await until(areSent, { pollMs: 50, what: () => `not sent: ${unsent().join(', ')}` })
  }

  /** The same for the sender of mails. */
  async mailStatements(): Promise<void> {
    const unsent = () => Object.keys(byMailSender).filter((name) => !this.#senders.has(name))
    const areSent = () => {
      this.#recordBetween()
      return unsent().length === 0
    }
    await until(areSent, { pollMs: 50, what: () => `not sent: ${unsent().join(', ')}` })
  }

  /** Runs `work` against another server process with these settings, whose traffic is recorded, too. */
  async onServer(env: Record<string, string>, work: () => Promise<void>): Promise<void> {
    const server = await startServer({ DATABASE_URL: this.#tap.url, SESSION_REQUESTS_PER_SECOND: '100000', ...env })
    this.#recordBetween()
    process.env['KONTOR_TEST_URL'] = server.url
    try {
      await work()
    } finally {
      process.env['KONTOR_TEST_URL'] = this.serverUrl
      await server.stop()
      this.#recordBetween()
    }
  }

  /** The same caller, with every call recorded. */
  recorded<Caller extends Company | User>(caller: Caller): Caller {
    return {
      ...caller,
      call: (path, body, headers) => this.request(path, () => caller.call(path, body, headers)),
    }
  }

  /** Runs `kontor` with these arguments, and returns what it prints. */
  async command(words: readonly string[], options: readonly string[]): Promise<string> {
    const env = { ...process.env, DATABASE_URL: this.#commandTap.url }
    const { stdout } = await promisify(execFile)(process.execPath, ['server/cli.ts', ...words, ...options], {
      cwd: root,
      env,
    })
    this.#record(`kontor ${words.join(' ')}`, this.#commandTap)
    return stdout
  }

  #record(sender: string, tap: WireTap): void {
    for (const name of this.#namesIn(tap))
      this.#add(name, byNoMethod[name] ?? (isOfWebhookSender(name, sender) ? webhookSender : sender))
  }

  /** Between two requests only timers send something. */
  #recordBetween(): void {
    for (const name of this.#namesIn(this.#tap)) {
      const sender = byNoMethod[name]
      if (sender !== undefined) this.#add(name, sender)
    }
  }

  #namesIn(tap: WireTap): string[] {
    const asked = tap.roundTripsSoFar().flatMap((trip) => trip.asked)
    return asked.flatMap((one) => this.#declared.get(one) ?? [])
  }

  #add(name: string, sender: string): void {
    this.#senders.set(name, (this.#senders.get(name) ?? new Set()).add(sender))
  }

  /** Both the statements and their senders in alphabetical order. */
  get senders(): Senders {
    return Object.fromEntries(
      [...this.#senders]
        .map(([name, senders]) => [name, [...senders].toSorted()] as const)
        .toSorted(([one], [other]) => (one < other ? -1 : 1)),
    )
  }
}
