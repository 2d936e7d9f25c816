// A TCP proxy between a client and the server that fails on purpose: the test defines what happens to each connection.
// It works on bytes alone, so that the client's behaviour here is the same on a real network.

import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import type { TestContext } from 'node:test'

/** What happens to one connection. */
export type Fate =
  | 'whole'
  /** The server receives the request and responds; the response is discarded and the connection closed. */
  | 'cut before the answer'
  /** Half of the first bytes of the response arrive. */
  | 'cut within the answer'
  /** The request never reaches the server. */
  | 'cut before the request'
  /** The request reaches no server, and there is no response. */
  | 'silent'
  /** The server is not contacted; these bytes are the response. */
  | { readonly answer: string }

export type Line = {
  readonly url: string
  /** Number of connections so far. */
  readonly connections: () => number
}

/** The first connection has the first outcome, and so on; all further ones work. */
export async function unreliableLine(context: TestContext, target: string, fates: readonly Fate[]): Promise<Line> {
  const { hostname, port } = new URL(target)
  const open = new Set<Socket>()
  let connections = 0
  const server = createServer((client) => {
    const fate = fates[connections++] ?? 'whole'
    keep(open, client)
    if (fate === 'whole' || fate === 'cut before the answer' || fate === 'cut within the answer') {
      const upstream = connect(Number(port), hostname)
      keep(open, upstream)
      client.pipe(upstream)
      client.once('close', () => upstream.destroy())
      upstream.once('close', () => client.destroy())
      if (fate === 'whole') upstream.pipe(client)
      else
        upstream.once('data', (answer) =>
          cut(client, fate === 'cut within the answer' ? answer.subarray(0, answer.length / 2) : undefined),
        )
      return
    }
    // Reads the first chunk of the request, as a server would.
    client.once('data', () => {
      if (fate === 'cut before the request') client.resetAndDestroy()
      if (typeof fate === 'object') client.end(fate.answer)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  context.after(() => {
    for (const socket of open) socket.destroy()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, connections: () => connections }
}

function keep(open: Set<Socket>, socket: Socket): void {
  open.add(socket)
  socket.on('error', () => socket.destroy())
  socket.once('close', () => open.delete(socket))
}

function cut(client: Socket, last: Uint8Array | undefined): void {
  if (last === undefined) client.resetAndDestroy()
  else client.write(last, () => client.destroy())
}

/** A complete HTTP response, after which the connection is closed. */
export function httpAnswer(status: string, body: string, headers: Readonly<Record<string, string>> = {}): string {
  const lines = Object.entries({ 'Content-Length': String(Buffer.byteLength(body)), Connection: 'close', ...headers })
  return `HTTP/1.1 ${status}\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`
}
