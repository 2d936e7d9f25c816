// A browser as the server sees it: it keeps the cookies it receives, sends the headers of our own page, and has its own IP address.

import { randomInt } from 'node:crypto'
import { screensPrefix } from '../../platform/http/paths.ts'
import { type Reply, send, url } from './app.ts'

export class Browser {
  readonly cookies = new Map<string, string>()
  readonly address: string
  readonly #base: string

  constructor({ address = newAddress(), base = url() }: { address?: string; base?: string } = {}) {
    this.address = address
    this.#base = base
  }

  async call(path: string, body: unknown = {}, headers: Record<string, string> = {}): Promise<Reply> {
    const sent = {
      'sec-fetch-site': 'same-origin',
      'x-forwarded-for': this.address,
      cookie: [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
      ...headers,
    }
    // An empty header is not sent.
    const filled = Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== ''))
    const reply = await send(screensPrefix + path, { headers: filled, body: JSON.stringify(body) }, this.#base)
    for (const text of reply.headers.getSetCookie()) {
      const [pair = '', ...attributes] = text.split('; ')
      const [name = '', value = ''] = pair.split('=')
      if (attributes.includes('Max-Age=0')) this.cookies.delete(name)
      else this.cookies.set(name, value)
    }
    return reply
  }
}

/** Limits are counted by IP address: a test that shared one would be affected by other tests. */
export const newAddress = (): string => `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}`
