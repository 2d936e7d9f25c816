// Companies with a few sales each, and the requests of a load: mostly reads, a third writes.

import { methodPath } from '../../server/platform/http/paths.ts'
import { type Company, given } from '../../server/test/harness/given.ts'
import type { Request } from './open-loop.ts'

export type Shop = { readonly company: Company; readonly bytes: readonly Buffer[] }

const sales = 20

export async function makeShops(count: number): Promise<Shop[]> {
  const shops: Shop[] = []
  for (let n = 0; n < count; n++) {
    const company = await given.company({ daily_limit: 1_000_000_000 })
    const { id } = await given.product(company, { sku: 'LOAD' })
    await given.stock(company, { item: id, amount: '100000', unitCost: '2.5' })
    for (let at = 0; at < sales; at++)
      await given.sale(company, { num: String(at), customer_name: 'Ada', products: [{ id, amount: 1, total: 10 }] })
    shops.push({ company, bytes: requestsOf(company) })
  }
  return shops
}

/** Ten requests with equal frequency. */
export function requestsOf(company: Pick<Company, 'key'>): Buffer[] {
  const ask = (path: string, body: object): Buffer => postBytes(company.key, path, body)
  const sale = (order_id: number) => ({ order_id })
  const added = { num: '1', customer_name: 'Ada', products: [{ sku: 'LOAD', amount: 1, total: 10 }] }
  return [
    ask('orders/get_entry', sale(1)),
    ask('orders/add', added),
    ask('orders/get_entry', sale(2)),
    ask('orders/get_list', { limit: 10 }),
    ask('orders/get_entry', sale(3)),
    ask('orders/update_payment', { order_id: 4, status: 1 }),
    ask('orders/get_entry', sale(5)),
    ask('orders/get_list', { limit: 10, offset: 5 }),
    ask('orders/get_entry', sale(6)),
    ask('orders/edit', { order_id: 7, notes: 'again' }),
  ]
}

export function postBytes(key: string, path: string, body: object): Buffer {
  const text = JSON.stringify(body)
  return Buffer.from(
    `POST ${methodPath(path)} HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${key}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
  )
}

/** The requests of several shops, alternating between them. */
export function mixOf(shops: readonly Pick<Shop, 'bytes'>[], of: string): (number: number) => Request {
  const requests = shops.map((shop) => shop.bytes.map((bytes) => ({ bytes, of })))
  return (number) => {
    const own = requests[number % requests.length] as Request[]
    return own[Math.floor(number / requests.length) % own.length] as Request
  }
}
