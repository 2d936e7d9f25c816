// The client of the Kontor API: `new Kontor({ baseUrl, apiKey })`, then `kontor.<section>.<method>(…)`.

import { Methods } from './methods.ts'
import { type ClientOptions, transport } from './transport.ts'

export { KontorError } from './error.ts'
export type { FeedPosition, FollowOptions } from './feed.ts'
export type * from './methods.ts'
export type { Attempt, ClientOptions, DryRun, ListOptions, ReadOptions, WriteOptions } from './transport.ts'
export { verifyWebhook, WebhookError } from './webhook.ts'

export class Kontor extends Methods {
  constructor(options: ClientOptions) {
    const { send, stream } = transport(options)
    super(send, stream)
  }
}
