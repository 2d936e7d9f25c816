// Refusing what there is no room for before anything else is done with it: at ten times the load the refusals must cost next to nothing.

import type { IncomingMessage, Server, ServerResponse } from 'node:http'

/** `refuse` answers those that `isTooMuch` tells; all others go the ordinary way. */
export function shedLoad(
  server: Server,
  isTooMuch: (request: IncomingMessage) => boolean,
  refuse: (request: IncomingMessage, response: ServerResponse) => void,
): void {
  const handlers = server.listeners('request') as ((request: IncomingMessage, response: ServerResponse) => void)[]
  server.removeAllListeners('request')
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (isTooMuch(request)) refuse(request, response)
    else for (const handle of handlers) handle(request, response)
  })
}
