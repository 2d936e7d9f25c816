// The change feed: a client that is stopped at random while others write ends with exactly the records of the company.

import { methodPath } from '../../server/platform/http/paths.ts'
import { inLanes } from '../../server/test/harness/concurrent-calls.ts'
import { type Company, given } from '../../server/test/harness/given.ts'
import { type Campaign, type Options, type Outcome, randomOf } from '../campaign.ts'
import { type Service, withService } from '../scratch-service.ts'
import { Copy } from './copy.ts'

const lanes = 3
const writers = 3
const writesEach = 10
const maxFound = 20

type Random = () => number
const below = (random: Random, most: number): number => Math.floor(random() * most)

/** A random write. Ids are drawn from a small range: some are refused, deleted records among them. */
function drawWrite(random: Random, name: string): readonly [path: string, body: object] {
  const id = 1 + below(random, 6)
  const products = [{ id: 1 + below(random, 3), amount: 1 + below(random, 4), total: 10 }]
  const customer = { customer_name: `Customer ${below(random, 8)}` }
  const writes: readonly (readonly [string, object])[] = [
    ['orders/add', { num: name, ...customer, products, production: below(random, 2) }],
    ['orders/add', { num: name, ...customer, products }],
    ['orders/edit', { order_id: id, notes: name, products }],
    ['orders/edit', { order_id: id, ...customer }],
    ['orders/edit', { order_id: id, production: below(random, 2) }],
    ['orders/update_status', { order_id: id, status: [0, 1, 3, 4][below(random, 4)] }],
    ['orders/update_payment', { order_id: id, status: below(random, 3) }],
    ['orders/delete', { order_id: id }],
    ['productions/update_status', { production_id: id, status: below(random, 2) }],
    ['productions/edit', { production_id: id, notes: name }],
    ['customers/edit', { customer_id: id, phone: name }],
    ['customers/delete', { customer_id: id }],
    ['products/edit', { product_id: 1 + below(random, 3), price: below(random, 100) }],
    ['products/add', { name }],
    ['products/delete', { product_id: id }],
    ['units/add', { name }],
    ['units/delete', { unit_id: id }],
    ['storages/edit', { storage_id: 1 + below(random, 2), default_products: 1 }],
  ]
  return writes[below(random, writes.length)] as readonly [string, object]
}

type Counts = { writes: number; accepted: number; pages: number; stops: number }

async function playHistory(service: Service, seed: number, counts: Counts): Promise<string[]> {
  const random = randomOf(seed)
  const company: Company = await given.company()
  for (let n = 1; n <= 3; n++) await company.call('products/add', { name: `Product ${n}` })
  const urls = service.servers.map(({ url }) => url)
  const copy = new Copy(urls[below(random, urls.length)] ?? '', company.key, random)
  let isOver = false
  const write = async (writer: number): Promise<void> => {
    for (let n = 0; n < writesEach; n++) {
      const [path, body] = drawWrite(random, `${writer}-${n}`)
      const headers = { authorization: company.key, 'content-type': 'application/json' }
      const init = { method: 'POST', headers, body: JSON.stringify(body) }
      const { status } = await fetch(urls[writer % urls.length] + methodPath(path), init)
      counts.writes++
      if (status === 200) counts.accepted++
    }
  }
  const written = Promise.all(Array.from({ length: writers }, (_, writer) => write(writer))).finally(() => {
    isOver = true
  })
  await Promise.all([written, copy.follow(() => isOver)])
  counts.pages += copy.pages
  counts.stops += copy.stops
  const perfect = await copy.perfect()
  return [...differences('record', copy.records, perfect.records), ...differences('level', copy.levels, perfect.levels)]
}

/** The list of levels leaves out those of deleted items that are zero. */
const isNothing = (name: string, value: string | undefined): boolean => name === 'level' && value === '[0,0]'

function differences(name: string, copy: ReadonlyMap<string, string>, perfect: ReadonlyMap<string, string>): string[] {
  return [...new Set([...copy.keys(), ...perfect.keys()])].flatMap((key) => {
    const [own, real] = [copy.get(key), perfect.get(key)]
    if (own === real || (real === undefined && isNothing(name, own))) return []
    return [`${name} ${key} is ${own ?? 'missing'} in the copy, and ${real ?? 'nowhere'} in the service`]
  })
}

async function run(options: Options): Promise<Outcome> {
  return await withService({ servers: 2 }, async (service) => {
    const found: string[] = []
    const counts: Counts = { writes: 0, accepted: 0, pages: 0, stops: 0 }
    let histories = 0
    const numbers = Array.from({ length: options.runs }, (_, at) => at)
    await inLanes(lanes, numbers, async (number) => {
      if (found.length >= maxFound) return
      const differ = await playHistory(service, (options.seed + number) >>> 0, counts)
      found.push(...differ.map((line) => `history ${number}: ${line}`))
      if (++histories % 100 === 0) options.say(`${histories} histories`)
    })
    return {
      counts: {
        'concurrent histories': histories,
        'requests that write': counts.writes,
        'accepted ones': counts.accepted,
        'pages of the feed': counts.pages,
        'stops of the client': counts.stops,
      },
      found: found.slice(0, maxFound),
    }
  })
}

export const feed: Campaign = {
  name: 'feed',
  about:
    'Three clients write to a company through two processes while a fourth keeps a copy of it by the change feed and is stopped at random, in the middle of a page too: at the end the copy has exactly the records and the stock levels of the company.',
  short: { runs: 12 },
  long: { runs: 1_000 },
  run,
}
