// Follows the feed, or streams a list, run by clients/reading.clients.test.ts. Prints a line of JSON for each entry.

import { type FeedPosition, Kontor, KontorError } from './src/client.ts'

const env = (name: string): string => process.env[name] ?? ''
const print = (value: unknown): void => {
  process.stdout.write(`${JSON.stringify(value)}\n`)
}
const kontor = new Kontor({ baseUrl: env('KONTOR_URL'), apiKey: env('KONTOR_KEY'), retries: 0 })

async function follow(): Promise<void> {
  const stop = new AbortController()
  const options = { signal: stop.signal, longestPauseMs: Number(env('LONGEST_PAUSE_SECONDS')) * 1000, pageSize: 2 }
  const position: FeedPosition = JSON.parse(env('POSITION'))
  try {
    for await (const [event, next] of kontor.events.follow(position, options)) {
      print([event.type, event.id, next])
      // While the next request is awaited.
      if (event.type === 'unit.deleted') setTimeout(() => stop.abort(new Error('stopped')), 100)
    }
  } catch (error) {
    if (error instanceof KontorError) print([error.code, error.status])
    else print((error as Error).message)
  }
}

async function stream(): Promise<void> {
  let [count, total] = [0, 0]
  try {
    for await (const order of kontor.orders.stream({ include: ['lines'] })) {
      count++
      total += order.total + (order.products?.length ?? 0)
    }
    print([count, total])
  } catch (error) {
    if (!(error instanceof KontorError)) throw error
    print([error.status, error.retryable])
  }
}

await (process.argv[2] === 'follow' ? follow() : stream())
