// The page that Prometheus reads.

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Registry } from 'prom-client'
import type { Logger } from '../process/logger.ts'

/** Metrics are served on a separate port, so that they are not public by accident. */
export async function serveMetrics(
  host: string,
  port: number,
  collect: () => Promise<string>,
  logger: Logger,
): Promise<{ address: string; close: () => void }> {
  const server = createServer((request, response) => {
    if (request.url !== '/metrics') {
      response.writeHead(404).end()
      return
    }
    collect().then(
      (text) => response.writeHead(200, { 'content-type': Registry.PROMETHEUS_CONTENT_TYPE }).end(text),
      (error) => {
        logger.error({ err: error }, 'the metrics could not be collected')
        response
          .writeHead(500, { 'content-type': 'text/plain; charset=utf-8' })
          .end('The metrics could not be collected\n')
      },
    )
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  const bound = server.address() as AddressInfo
  return { address: `http://${host}:${bound.port}/metrics`, close: () => server.close() }
}
