// The port that the service listens on. It is separate from the HTTP server, so that accepting connections can end before anything else does: what was
// accepted until then is still answered.

import { lookup } from 'node:dns/promises'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'

/** As long as the system allows: with the default of 511, a connection that does not fit is retried only after 1, 3 and 7 s. */
const backlog = 65_535
/** How long it is tried to stop listening at a moment without new connections. */
const quietMs = 500

export type PortOptions = {
  readonly host: string
  /** 0 selects any free port. */
  readonly port: number
  /** Nothing is read from connections that another process will serve. */
  readonly isPaused: boolean
  readonly take: (socket: Socket) => void
}

export class Port {
  readonly #servers: Server[] = []
  #accepted = 0
  #address = ''

  static async open(options: PortOptions): Promise<Port> {
    const port = new Port()
    const [host = options.host, ...others] = await addressesOf(options.host)
    const first = await port.#listen(options, host, options.port)
    port.#address = `http://${first.family === 'IPv6' ? `[${first.address}]` : first.address}:${first.port}`
    // The other addresses of localhost may be unusable, such as ::1 on a machine without IPv6.
    for (const other of others) await port.#listen(options, other, first.port).catch(() => {})
    return port
  }

  get address(): string {
    return this.#address
  }

  /**
   * Accepts no more connections. The system resets those that it has established and this process has not accepted yet, so the port is closed right after a
   * turn of the event loop that brought none.
   */
  async close(): Promise<void> {
    const endMs = performance.now() + quietMs
    for (let before = -1; this.#accepted !== before && performance.now() < endMs; ) {
      before = this.#accepted
      await nextTurn()
    }
    for (const server of this.#servers) server.close()
  }

  async #listen({ isPaused, take }: PortOptions, host: string, port: number): Promise<AddressInfo> {
    const server = createServer({ allowHalfOpen: true, noDelay: true, pauseOnConnect: isPaused }, (socket) => {
      this.#accepted++
      take(socket)
    })
    await new Promise<void>((resolve, reject) => {
      // Kept: an error of a single connection must not end the process.
      server.on('error', reject)
      server.listen({ host, port, backlog }, resolve)
    })
    this.#servers.push(server)
    return server.address() as AddressInfo
  }
}

/** Localhost has one address per protocol, and clients use any of them. */
const addressesOf = async (host: string): Promise<string[]> =>
  host === 'localhost' ? (await lookup(host, { all: true })).map(({ address }) => address) : [host]
