// A line between the server and PostgreSQL on which every condition `company_id = …` has become true: what the server believes it asks for,
// it now asks of all companies. Only row level security stands then.

import { connect, createServer, type Socket } from 'node:net'

export type FiltersOff = {
  readonly url: string
  /** Conditions that were made true so far. */
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
    const forward = messages((type, body) => database.write(message(type, rewrittenBody(type, body, rewrite))))
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
  if (address === null || typeof address === 'string') throw new Error('the line listens nowhere')
  return {
    url: Object.assign(new URL(databaseUrl), { host: `127.0.0.1:${address.port}` }).href,
    rewritten: () => rewritten,
    close: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Parse holds a name and a text, Query a text; both end in a zero byte. */
function rewrittenBody(type: string, body: Buffer, rewrite: (sql: string) => string): Buffer {
  if (type !== 'P' && type !== 'Q') return body
  const from = type === 'P' ? body.indexOf(0) + 1 : 0
  const to = body.indexOf(0, from)
  const text = Buffer.from(rewrite(body.toString('utf8', from, to)))
  return Buffer.concat([body.subarray(0, from), text, body.subarray(to)])
}

function message(type: string, body: Buffer): Buffer {
  const head = Buffer.alloc(type.length + 4)
  head.write(type, 0, 'latin1')
  head.writeInt32BE(body.length + 4, type.length)
  return Buffer.concat([head, body])
}

/** Cuts what a client sends into messages. The first carries no type. */
function messages(each: (type: string, body: Buffer) => void): (bytes: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0)
  let typed = 0
  return (bytes) => {
    rest = rest.length === 0 ? bytes : Buffer.concat([rest, bytes])
    while (rest.length >= typed + 4) {
      const length = rest.readInt32BE(typed)
      if (rest.length < typed + length) return
      each(rest.toString('latin1', 0, typed), rest.subarray(typed + 4, typed + length))
      rest = rest.subarray(typed + length)
      typed = 1
    }
  }
}
