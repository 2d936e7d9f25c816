// The companies of the webhooks campaign, each with one endpoint, and what must hold of the messages that arrived there.

import assert from 'node:assert/strict'
import { type Company, given } from '../../server/test/harness/given.ts'
import type { Received, WebhookReceiver } from '../../server/test/harness/webhook-receiver.ts'
import { sentBy, verifyAsArrived } from '../../server/test/harness/webhooks.ts'
import type { Service } from '../scratch-service.ts'

/** How the receiver answers. `refused` is turned off by its own answer, `disabled` by its owner in the middle of the run. */
export const kinds = { ok: '/ok', slow: '/slow/40', moody: '/moody', refused: '/status/410', disabled: '/ok' } as const
export type Kind = keyof typeof kinds

export type Endpoint = {
  readonly kind: Kind
  readonly company: Company
  readonly path: string
  readonly secret: string
  /** Events after this one are sent. */
  readonly since: number
  readonly disable: () => Promise<void>
  disabledMs: number
}

export async function addEndpoint(receiver: WebhookReceiver, kind: Kind): Promise<Endpoint> {
  const company = await given.company({ daily_limit: 1_000_000_000 })
  const owner = await given.user(company)
  const path = `${kinds[kind]}?of=${company.id}`
  const added = await owner.call('webhooks/add', { url: receiver.url + path })
  assert.equal(added.status, 200, added.text)
  const { body } = await owner.call('webhooks/get_list')
  const endpoint: Endpoint = {
    kind,
    company,
    path,
    secret: added.body.secret,
    since: body.webhooks[0].position,
    disabledMs: Number.POSITIVE_INFINITY,
    disable: async () => {
      const reply = await owner.call('webhooks/edit', { webhook_id: 1, enabled: 0 })
      assert.equal(reply.status, 200, reply.text)
      endpoint.disabledMs = Date.now()
    },
  }
  return endpoint
}

/** A request that was being sent, or about to be, when the endpoint was turned off. */
const lateMs = 3_000

/** Everything that is wrong with what arrived. */
export async function complaintsAbout(
  endpoint: Endpoint,
  arrived: readonly Received[],
  sql: Service['sql'],
): Promise<string[]> {
  const { kind, company, secret, since } = endpoint
  const found: string[] = []
  for (const message of arrived) {
    try {
      verifyAsArrived(secret, message)
    } catch (error) {
      found.push(`a signature is wrong: ${error instanceof Error ? error.message : error}`)
    }
  }
  const together = arrived.filter(({ concurrent }) => concurrent > 0).length
  if (together > 0) found.push(`${together} messages were sent while another was under way`)
  const late = arrived.filter(({ at }) => at > endpoint.disabledMs + lateMs).length
  if (late > 0) found.push(`${late} messages were sent after it was turned off`)
  if (kind === 'refused' || kind === 'disabled') return found.map((text) => `${kind}: ${text}`)
  const events = await sql(
    `select seq::int from events where company_id = $1 and seq > $2 and record = 'customer' order by seq`,
    [company.id, since],
  )
  const expected = events.map(({ seq }) => Number(seq))
  const accepted = new Set(sentBy(arrived.filter(({ status }) => status === 200)).map(({ data }) => data.seq))
  const missing = expected.filter((seq) => !accepted.has(seq))
  if (missing.length > 0)
    found.push(`${missing.length} of ${expected.length} never arrived, the first is ${missing[0]}`)
  const setAside = await sql(
    'select distinct seq::int from webhook_deliveries where company_id = $1 and attempt >= 3 and status is distinct from 200',
    [company.id],
  )
  const exempt = new Set(setAside.map(({ seq }) => Number(seq)))
  if (kind !== 'moody') found.push(...orderComplaints(arrived, expected, exempt))
  return found.map((text) => `${kind}: ${text}`)
}

/** Each message is the next one, or one that has arrived before: after a crash some are sent again. Those that failed three times may be late. */
function orderComplaints(arrived: readonly Received[], all: readonly number[], exempt: ReadonlySet<number>): string[] {
  const expected = all.filter((seq) => !exempt.has(seq))
  let next = 0
  for (const { data } of sentBy(arrived)) {
    const place = expected.indexOf(data.seq)
    if (place > next) return [`${data.seq} arrived before ${expected[next]}`]
    if (place === next) next++
  }
  return []
}
