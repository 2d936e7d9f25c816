// Free ports of this machine.

import { createServer } from 'node:net'

const usualPort = 8080

/** Fails when the port is in use; 0 selects any free one. */
export const freePort = (port = 0, host = '127.0.0.1'): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(port, host, () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : port))
    })
  })

/** The requested port and no other; without a request the default one, or any free port when that is in use. */
export async function choosePort(host: string, requested: string | undefined): Promise<number> {
  if (requested !== undefined) return await freePort(Number(requested), host)
  return await freePort(usualPort, host).catch(() => freePort(0, host))
}
