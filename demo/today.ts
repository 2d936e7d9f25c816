// Today's requests of the web shop: real requests with its key, so that the daily count and the log are not empty.

import { methodPath } from '../server/platform/http/paths.ts'

const asked: readonly (readonly [path: string, body: object])[] = [
  ['products/get_list', { limit: 100 }],
  ['stock/get_list', { limit: 100 }],
  ['orders/get_list', { limit: 50 }],
  ['orders/get_entry', { order_id: 1 }],
  ['customers/get_list', { limit: 100, offset: 100 }],
  ['orders/get_entry', { order_id: 999_999 }],
  ['orders/get_list', { limit: 5_000 }],
  ['materials/get_list', { limit: 20 }],
]

export async function askToday(address: string, apiKey: string): Promise<void> {
  for (const [path, body] of asked) {
    const response = await fetch(address + methodPath(path), {
      method: 'POST',
      headers: { authorization: apiKey, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    await response.arrayBuffer()
  }
}
