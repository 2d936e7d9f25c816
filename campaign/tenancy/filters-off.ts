// A proxy between the server and PostgreSQL that replaces every condition `company_id = …` by true: the server's statements then apply to
// all companies, and only row level security separates them.

import { connect, createServer, type Socket } from 'node:net'
import { readMessages, textAt, writeMessage } from '../../server/test/harness/postgres-messages.ts'

export type FiltersOff = {
  readonly url: string
  /** Conditions replaced so far. */
  readonly rewritten: () => number
  close(): Promise<void>
}

const condition = /((?:\b\w+\.)?\bcompany_id) = (\$1\b(?:::bigint)?|\d+\b)/g

export async function filtersOff(databaseUrl: string): Promise<FiltersOff> {
  const target = new URL(databaseUrl)
  const sockets = new Set<Socket>()
  let rewritten = 0
  const rewrite = (sql: string): string =>
    sql.replace(condition, (whole) => {
      rewritten++
      return `(${whole} or true)`
    })
  const server = createServer({ noDelay: true }, (client) => {
    const database = connect({ host: target.hostname, port: Number(target.port || 5432), noDelay: true })
    const forward = readMessages('client', ({ type, body }) =>
      database.write(writeMessage(type, rewrittenBody(type, body, rewrite))),
    )
    client.on('data', forward)
    database.on('data', (bytes) => client.write(bytes))
    for (const [one, other] of [
      [client, database],
      [database, client],
    ] as const) {
      sockets.add(one)
      one.on('error', () => other.destroy())
      one.on('close', () => {
        sockets.delete(one)
        other.end()
      })
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the proxy is not listening')
  return {
    url: Object.assign(new URL(databaseUrl), { host: `127.0.0.1:${address.port}` }).href,
    rewritten: () => rewritten,
    close: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Parse contains a name and a text, Query a text; both end in a zero byte. */
function rewrittenBody(type: string, body: Buffer, rewrite: (sql: string) => string): Buffer {
  if (type !== 'P' && type !== 'Q') return body
  const from = type === 'P' ? body.indexOf(0) + 1 : 0
  const text = Buffer.from(rewrite(textAt(body, from)))
  return Buffer.concat([body.subarray(0, from), text, body.subarray(body.indexOf(0, from))])
}
