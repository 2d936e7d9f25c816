// How long webhooks take under load: many companies change records all the time, and a tenth of their endpoints does not answer.

import { setTimeout as sleep } from 'node:timers/promises'
import { methodPath } from '../../server/platform/http/paths.ts'
import { given } from '../../server/test/harness/given.ts'
import type { WebhookReceiver } from '../../server/test/harness/webhook-receiver.ts'
import { sentBy } from '../../server/test/harness/webhooks.ts'
import type { Service } from '../scratch-service.ts'

const companies = 100
/** Of each company: what one machine of two cores can do, and more than it can. */
const rates = [1, 10]
const seconds = 30
const settleMs = 10_000

type Subscriber = { readonly key: string; readonly path: string; readonly answers: boolean }

async function subscribe(receiver: WebhookReceiver, number: number): Promise<Subscriber> {
  const company = await given.company({ daily_limit: 1_000_000_000 })
  const owner = await given.user(company)
  const answers = number % 10 !== 0
  const path = `${answers ? '/ok' : '/hang'}?load=${company.id}`
  await owner.call('webhooks/add', { url: receiver.url + path })
  return { key: company.key, path, answers }
}

/** Sends at a fixed rate, whether or not earlier requests were answered. */
async function change(
  url: string,
  { key }: Subscriber,
  perSecond: number,
  counts: { accepted: number; refused: number },
): Promise<void> {
  const requests: Promise<void>[] = []
  await sleep(Math.random() * 1_000)
  const startedMs = performance.now()
  for (let n = 0; n < perSecond * seconds; n++) {
    await sleep(Math.max(0, startedMs + (n * 1_000) / perSecond - performance.now()))
    const init = {
      method: 'POST',
      headers: { authorization: key, 'content-type': 'application/json' },
      body: JSON.stringify({ name: `Customer ${n}` }),
    }
    requests.push(
      fetch(url + methodPath('customers/add'), init).then(
        async (response) => {
          await response.text()
          if (response.status === 200) counts.accepted++
          else counts.refused++
        },
        () => {
          counts.refused++
        },
      ),
    )
  }
  await Promise.all(requests)
}

type Figures = Readonly<Record<string, number | string>>

export async function measureLoad(
  service: Service,
  receiver: WebhookReceiver,
  say: (line: string) => void,
): Promise<Figures> {
  const all: Figures[] = []
  for (const perSecond of rates) {
    say(`load: ${companies} companies, ${perSecond} changes a second each, ${seconds} s`)
    all.push(await measureAt(perSecond, service, receiver))
  }
  return Object.assign({}, ...all)
}

async function measureAt(perSecond: number, { servers }: Service, receiver: WebhookReceiver): Promise<Figures> {
  const url = servers[0]?.url ?? ''
  const subscribers: Subscriber[] = []
  for (let n = 0; n < companies; n++) subscribers.push(await subscribe(receiver, n))
  const counts = { accepted: 0, refused: 0 }
  const startedMs = performance.now()
  await Promise.all(subscribers.map((one) => change(url, one, perSecond, counts)))
  const tookSeconds = (performance.now() - startedMs) / 1_000
  await sleep(settleMs)
  const delays: number[] = []
  for (const { path } of subscribers.filter(({ answers }) => answers)) {
    const arrived = await receiver.received(path)
    for (const [at, { timestamp }] of sentBy(arrived).entries())
      delays.push((arrived[at]?.at ?? 0) - Date.parse(timestamp))
  }
  delays.sort((a, b) => a - b)
  const at = (share: number) => Math.round(delays[Math.floor(delays.length * share)] ?? 0)
  const offered = `${companies * perSecond} changes a second offered`
  return {
    [`${offered}: accepted a second`]: Math.round(counts.accepted / tookSeconds),
    [`${offered}: refused`]: counts.refused,
    [`${offered}: messages to endpoints that answer`]: delays.length,
    [`${offered}: ms from change to delivery, median`]: at(0.5),
    [`${offered}: ms from change to delivery, 99 %`]: at(0.99),
  }
}
