// Requests that were cheap to send and expensive to serve: each attack is run by one company and by ten at a time.

import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { methodPath, screensPrefix } from '../../server/platform/http/paths.ts'
import { hammer, note, openSocket, requestBytes, type Statuses, slowReaders, type Target } from './sockets.ts'
import type { Works } from './works.ts'

/** One company's part of an attack, from its own address. `lanes` is for the whole attack: ten companies send as much as one. */
type Abuse = (works: Works, target: Target, untilMs: number, lanes: (all: number) => number) => Promise<Statuses>

export type Abused = { readonly works: readonly Works[]; readonly target: Target; readonly seconds: number }

const request = (key: string, path: string, body: object, headers: Readonly<Record<string, string>> = {}): Buffer =>
  requestBytes(methodPath(path), { Authorization: key, ...headers }, JSON.stringify(body))
const dryRun = { 'Kontor-Dry-Run': '1' }
const numbers = (count: number): number[] => Array.from({ length: count }, (_, n) => n)

/** As many records as a batch may have. */
const batch = 500
/** Expensive for LIKE in a text that consists of the same character. */
const search = `${'a'.repeat(254)}b`

const newProducts = ({ made: { root } }: Works) => ({
  products: numbers(batch).map((n) => ({ sku: `NEW-${n}`, components: [{ type: 'product', id: root, amount: 1 }] })),
})

/** Existing products at the bottom of one large catalog get the top of another as their component. */
const knownProducts = ({ made: { root, otherRoot } }: Works) => ({
  products: [
    { sku: 'NEW', components: [{ type: 'product', id: otherRoot, amount: 1 }] },
    ...numbers(300).map((n) => ({ sku: `OTHER-B-${n + 1}`, components: [{ type: 'product', id: root, amount: 1 }] })),
  ],
})

/** Sends a request and closes the connection a few milliseconds later, by FIN and by RST in turn. */
async function hangingUp(
  { key, newKeys }: Works,
  { host, port, from }: Target,
  untilMs: number,
  lanes: (all: number) => number,
): Promise<Statuses> {
  const statuses: Statuses = new Map()
  let sent = 0
  const lane = async (): Promise<void> => {
    while (performance.now() < untilMs) {
      const number = sent++
      const socket = connect({ host, port, localAddress: from, noDelay: true })
      socket.on('error', () => {})
      await new Promise((resolve) => socket.once('connect', resolve).once('close', resolve))
      const ownKey = number % 2 === 0 ? key : (newKeys[number % newKeys.length] as string)
      socket.write(request(ownKey, 'customers/add', { name: `Gone ${number}` }))
      await sleep(number % 6)
      if (number % 3 === 0) socket.resetAndDestroy()
      else socket.destroy()
      note(statuses, 0)
    }
  }
  await Promise.all(numbers(lanes(4)).map(lane))
  return statuses
}

const malformed = Buffer.from('POST /v1/x HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nZZZ\r\n')

/** Bodies that are no chunks, and connections closed before the server has noticed. */
async function malformedChunks(
  _works: Works,
  target: Target,
  untilMs: number,
  lanes: (all: number) => number,
): Promise<Statuses> {
  const statuses: Statuses = new Map()
  const lane = async (): Promise<void> => {
    while (performance.now() < untilMs) {
      const socket = openSocket(target)
      socket.end(malformed)
      socket.resume()
      await new Promise((resolve) => socket.once('close', resolve))
      note(statuses, 0)
      await sleep(2)
    }
  }
  await Promise.all(numbers(lanes(4)).map(lane))
  return statuses
}

export const slowLists = 'slow readers of long lists'
export const refusedKeys = 'searches with keys that may not search'

const abuses: Readonly<Record<string, Abuse>> = {
  'clients that hang up': hangingUp,
  'cards of endless chains of components': ({ cookie, made }, target, untilMs, lanes) =>
    hammer(target, lanes(4), untilMs, [
      requestBytes(
        `${screensPrefix}items/get_card`,
        { Cookie: cookie, 'Sec-Fetch-Site': 'same-origin' },
        JSON.stringify({ item_id: made.chainTop }),
      ),
    ]),
  'batches of products on a large catalog': (works, target, untilMs, lanes) =>
    hammer(target, lanes(2), untilMs, [request(works.key, 'products/upsert', newProducts(works), dryRun)]),
  'batches of products between two large catalogs': (works, target, untilMs, lanes) =>
    hammer(target, lanes(2), untilMs, [request(works.key, 'products/upsert', knownProducts(works), dryRun)]),
  'searches in long texts': ({ key }, target, untilMs, lanes) =>
    hammer(target, lanes(4), untilMs, [request(key, 'orders/get_list', { search, limit: 100 })]),
  'changes of a sale with many shipments': ({ key, made }, target, untilMs, lanes) =>
    hammer(target, lanes(2), untilMs, [
      request(key, 'orders/edit', { order_id: made.shippedSale, notes: 'x' }, dryRun),
    ]),
  [refusedKeys]: ({ narrowKey, expiredKey }, target, untilMs, lanes) =>
    hammer(
      target,
      lanes(40),
      untilMs,
      [narrowKey, expiredKey].map((key) => request(key, 'orders/get_list', { search, limit: 100 })),
    ),
  [slowLists]: ({ key }, target, untilMs, lanes) =>
    slowReaders(target, lanes(2), untilMs, request(key, 'orders/get_list', {})),
  'malformed chunks': malformedChunks,
  'texts of eight mebibytes': ({ key }, target, untilMs, lanes) =>
    hammer(target, lanes(4), untilMs, [request(key, 'customers/add', { name: 'ä'.repeat(4_190_000) })]),
  'pages of long records': ({ key, made }, target, untilMs, lanes) =>
    hammer(target, lanes(4), untilMs, [
      request(key, 'orders/get_list', { customer_id: made.longCustomer, limit: 120 }),
    ]),
}

const counts = { 'by one company': 1, 'by ten companies': 10 } as const

export const abuseNames: readonly string[] = Object.keys(abuses).flatMap((name) =>
  Object.keys(counts).map((by) => `${name}, ${by}`),
)

/** How many companies an attack of this name needs; none for the other attacks. */
export function companiesOf(name: string): number {
  const by = Object.entries(counts).find(([words]) => name.endsWith(`, ${words}`))
  return by?.[1] ?? 0
}

export async function abuse(name: string, { works, target, seconds }: Abused): Promise<Statuses> {
  const found = abuses[name.replace(/, by \w+ compan(y|ies)$/, '')]
  if (found === undefined) throw new Error(`there is no attack "${name}"`)
  const statuses: Statuses = new Map()
  const untilMs = performance.now() + seconds * 1_000
  const companies = companiesOf(name)
  const lanes = (all: number): number => Math.max(1, Math.round(all / companies))
  const parts = works
    .slice(0, companies)
    .map((one, at) => found(one, { ...target, from: `127.0.0.${2 + at}` }, untilMs, lanes))
  for (const part of await Promise.all(parts))
    for (const [status, count] of part) statuses.set(status, (statuses.get(status) ?? 0) + count)
  return statuses
}
