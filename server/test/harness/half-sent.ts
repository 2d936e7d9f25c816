// Requests written to a socket piece by piece, as slow or hostile clients send them.

import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

export type HalfSent = {
  readonly socket: Socket
  readonly write: (text: string | Buffer) => void
  /** The status of the response; 0 when the connection ends without one. */
  readonly status: () => Promise<number>
  /** Everything received so far. */
  readonly answer: () => string
}

export type Head = {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  /** The declared length of the body; chunked when it is undefined. */
  readonly length?: number
}

/** A connection on which the head of a POST was sent, and no body yet. */
export async function halfSent(url: string, { path, headers, length }: Head): Promise<HalfSent> {
  const { hostname, port, host } = new URL(url)
  const socket = connect({ host: hostname, port: Number(port), noDelay: true })
  socket.on('error', () => {})
  let answer = ''
  socket.setEncoding('latin1')
  socket.on('data', (text: string) => {
    answer += text
  })
  await once(socket, 'connect')
  const framing = length === undefined ? 'Transfer-Encoding: chunked' : `Content-Length: ${length}`
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  socket.write([`POST ${path} HTTP/1.1`, `Host: ${host}`, ...lines, framing, '', ''].join('\r\n'))
  return {
    socket,
    write: (text) => socket.write(text),
    status: async () => {
      while (!answer.includes('\r\n\r\n') && !socket.closed) {
        await Promise.race([once(socket, 'data').catch(() => {}), once(socket, 'close')])
      }
      return Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? 0)
    },
    answer: () => answer,
  }
}

/** The value of one of the service's metrics. */
export async function metric(metricsUrl: string, name: string): Promise<number> {
  const text = await (await fetch(metricsUrl)).text()
  const line = text.split('\n').find((one) => one.startsWith(`${name} `))
  if (line === undefined) throw new Error(`no metric is called ${name}`)
  return Number(line.split(' ')[1])
}
