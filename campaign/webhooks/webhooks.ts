// Webhooks: server processes are killed at random while they send to a receiver that misbehaves and is killed, too.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { methodPath } from '../../server/platform/http/paths.ts'
import { type Server, startServer } from '../../server/test/harness/app.ts'
import { WebhookReceiver } from '../../server/test/harness/webhook-receiver.ts'
import { type Campaign, type Options, type Outcome, randomOf } from '../campaign.ts'
import { type Service, withService } from '../scratch-service.ts'
import { addEndpoint, complaintsAbout, type Endpoint, type Kind, kinds } from './endpoints.ts'
import { measureLoad } from './load.ts'

const writesEach = 6
const drainMs = 90_000
/** The receiver is killed in each run whose number is a multiple of this. */
const receiverRuns = 5

type Counts = { writes: number; kills: number; receiverKills: number; received: number; repeated: number }

/** The receiver: the same address and the same memory after it was killed. */
class Receivers {
  readonly #folder = mkdtempSync(join(tmpdir(), 'kontor-webhooks-'))
  #current: WebhookReceiver | undefined

  get current(): WebhookReceiver {
    if (this.#current === undefined) throw new Error('the receiver is not started')
    return this.#current
  }

  async start(): Promise<void> {
    this.#current = await WebhookReceiver.start(this.#current?.port, join(this.#folder, 'received'))
  }

  async stop(): Promise<void> {
    await this.#current?.stop()
    rmSync(this.#folder, { recursive: true })
  }

  async kill(): Promise<void> {
    await this.current.stop('SIGKILL')
    await sleep(500)
    await this.start()
  }
}

async function write(url: string, { company }: Endpoint, counts: Counts): Promise<void> {
  const init = {
    method: 'POST',
    headers: { authorization: company.key, 'content-type': 'application/json' },
    body: JSON.stringify({ name: `Customer ${++counts.writes}` }),
  }
  // Without a response the write may or may not have happened: the events say it.
  await fetch(url + methodPath('customers/add'), init).then(
    (response) => response.text(),
    () => undefined,
  )
}

/** One process is killed while it sends what was just written through it, and replaced. */
async function killOne(
  servers: Server[],
  endpoints: readonly Endpoint[],
  random: () => number,
  start: () => Promise<Server>,
  counts: Counts,
  survivor: string,
): Promise<void> {
  const at = Math.floor(random() * servers.length)
  const victim = servers[at] as Server
  const writes = Array.from({ length: writesEach }, () => {
    const endpoint = endpoints[Math.floor(random() * endpoints.length)] as Endpoint
    return write(random() < 0.7 ? victim.url : survivor, endpoint, counts)
  })
  // Some of them are stored and being sent, others are not.
  await Promise.race(writes)
  await sleep(random() * 300)
  await victim.stop('SIGKILL')
  counts.kills++
  await Promise.all(writes)
  servers[at] = await start()
}

/** Pauses are shortened, so that what waits for a later attempt is sent now. */
async function drained(endpoints: readonly Endpoint[], sql: Service['sql']): Promise<string[]> {
  const untilMs = Date.now() + drainMs
  const ids = endpoints.filter(({ kind }) => kind !== 'refused' && kind !== 'disabled').map(({ company }) => company.id)
  for (;;) {
    await sql('update webhook_endpoints set next_at = null where next_at is not null and company_id = any($1)', [ids])
    await sql('update webhook_parked set next_at = now() where company_id = any($1)', [ids])
    const left = await sql(
      `select w.company_id, k.seq - w.position as waiting, (select count(*) from webhook_parked p where p.company_id = w.company_id) as parked
       from webhook_endpoints w join company_clock k using (company_id)
       where w.company_id = any($1) and (w.position < k.seq or exists (select from webhook_parked p where p.company_id = w.company_id))`,
      [ids],
    )
    if (left.length === 0) return []
    if (Date.now() > untilMs)
      return left.map(({ waiting, parked }) => `${waiting} events and ${parked} set aside were not sent in time`)
    await sleep(500)
  }
}

async function play(service: Service, receivers: Receivers, options: Options, counts: Counts): Promise<string[]> {
  const random = randomOf(options.seed)
  const start = () => startServer({ DATABASE_URL: service.databaseUrl })
  const servers = await Promise.all([start(), start()])
  try {
    const endpoints: Endpoint[] = []
    for (const kind of Object.keys(kinds) as Kind[]) endpoints.push(await addEndpoint(receivers.current, kind))
    for (let run = 1; run <= options.runs; run++) {
      await killOne(servers, endpoints, random, start, counts, service.servers[0]?.url ?? '')
      if (run === Math.ceil(options.runs / 2)) await endpoints.find(({ kind }) => kind === 'disabled')?.disable()
      if (run % receiverRuns === 0) {
        await receivers.kill()
        counts.receiverKills++
      }
      if (run % 20 === 0) options.say(`${run} processes killed`)
    }
    const found = await drained(endpoints, service.sql)
    for (const endpoint of endpoints) {
      const arrived = await receivers.current.received(endpoint.path)
      const ids = new Set(arrived.map(({ headers }) => headers['webhook-id']))
      counts.received += arrived.length
      counts.repeated += arrived.length - ids.size
      if (endpoint.kind === 'refused') {
        const [state] = await service.sql(
          `select extract(epoch from disabled_at)::float8 * 1000 as at from webhook_endpoints where company_id = $1`,
          [endpoint.company.id],
        )
        if (arrived.length > 0 && state?.at === null) found.push('refused: it was not turned off')
        endpoint.disabledMs = state?.at ?? Number.POSITIVE_INFINITY
      }
      found.push(...(await complaintsAbout(endpoint, arrived, service.sql)))
    }
    if (counts.received < options.runs) found.push(`only ${counts.received} messages arrived`)
    return found
  } finally {
    await Promise.all(servers.map((server) => server.stop('SIGKILL')))
  }
}

async function run(options: Options): Promise<Outcome> {
  const receivers = new Receivers()
  await receivers.start()
  try {
    return await withService({ servers: 1 }, async (service) => {
      const counts: Counts = { writes: 0, kills: 0, receiverKills: 0, received: 0, repeated: 0 }
      const found = await play(service, receivers, options, counts)
      const load = options.short ? {} : await measureLoad(service, receivers.current, options.say)
      return {
        counts: {
          'processes killed': counts.kills,
          'receivers killed': counts.receiverKills,
          'changes sent to the service': counts.writes,
          'messages received': counts.received,
          'of these repeated': counts.repeated,
          ...load,
        },
        found,
      }
    })
  } finally {
    await receivers.stop()
  }
}

export const webhooks: Campaign = {
  name: 'webhooks',
  about:
    'Server processes are killed at random while they send webhooks to a receiver that is slow, refuses and drops messages, redirects, asks for pauses and is killed itself: every event arrives at least once, in order while the receiver accepts them, one at a time, with a valid signature, and none at an endpoint that is turned off.',
  short: { runs: 5 },
  long: { runs: 200 },
  run,
}
