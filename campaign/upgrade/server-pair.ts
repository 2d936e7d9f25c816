// The servers of the upgrade drill: as many as the proxy has ports, replaced by those of another release one after the other.

import { type Server, startServer } from '../../server/test/harness/app.ts'
import type { LoadBalancer } from '../overload/proxy.ts'
import { programOf, type Release } from './releases.ts'

export class ServerPair {
  readonly #proxy: LoadBalancer
  readonly #env: Readonly<Record<string, string>>
  readonly #servers: (Server | undefined)[] = []
  readonly #started: Server[] = []

  constructor(proxy: LoadBalancer, env: Readonly<Record<string, string>>) {
    this.#proxy = proxy
    this.#env = env
  }

  /** Errors that the servers logged, each once. */
  errors(): string[] {
    const lines = this.#started.flatMap((server) =>
      server
        .output()
        .split('\n')
        .filter((line) => line.includes('"level":50')),
    )
    return [...new Set(lines.map((line) => `logged: ${JSON.parse(line).err?.message ?? line}`))]
  }

  async replace(release: Release): Promise<void> {
    for (const [at, port] of this.#proxy.ports.entries()) {
      await this.#servers[at]?.stop()
      this.#servers[at] = undefined
      const env = { ...this.#env, PORT: String(port) }
      const server = await startServer(env, ['--no-migrate'], programOf(release))
      this.#started.push(server)
      this.#servers[at] = server
      if (at === this.#proxy.ports.length - 1 || this.#servers[at + 1] !== undefined) await this.#proxy.allUp()
    }
  }

  async stop(): Promise<void> {
    await Promise.all(this.#servers.map((server) => server?.stop('SIGKILL')))
  }
}
