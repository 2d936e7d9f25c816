// The service under test: one address, whatever happens to the processes behind it.

import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../demo/ports.ts'
import { methodPath } from '../../server/platform/http/paths.ts'
import { type Server, startServer } from '../../server/test/harness/app.ts'
import { isAlive, killQuietly } from '../../server/test/harness/processes.ts'

export class Service {
  readonly url: string
  readonly #env: Record<string, string>
  #server: Server | undefined

  private constructor(port: number, env: Record<string, string>) {
    this.url = `http://127.0.0.1:${port}`
    this.#env = { ...env, PORT: String(port), LOG_LEVEL: env['LOG_LEVEL'] ?? 'info' }
  }

  static async start(databaseUrl: string, env: Record<string, string> = {}): Promise<Service> {
    const service = new Service(await freePort(), { ...env, DATABASE_URL: databaseUrl })
    await service.start()
    return service
  }

  async start(): Promise<void> {
    this.#server = await startServer(this.#env)
  }

  get pid(): number {
    return this.#server?.pid ?? 0
  }

  /** Everything that the process has printed since it was started. */
  output(): string {
    return this.#server?.output() ?? ''
  }

  /** The processes that serve requests: the children when there are several, else the process itself. */
  workers(): number[] {
    const text = readFileSync(`/proc/${this.pid}/task/${this.pid}/children`, 'utf8').trim()
    return text === '' ? [this.pid] : text.split(' ').map(Number)
  }

  /** kill -9 of the process that was started. Its workers lose their parent and must end by themselves. */
  async kill(): Promise<{ orphans: number }> {
    const workers = this.workers().filter((pid) => pid !== this.pid)
    await this.#server?.stop('SIGKILL')
    for (let waited = 0; waited < 1_000 && workers.some(isAlive); waited++) await sleep(10)
    const orphans = workers.filter(isAlive)
    for (const pid of orphans) killQuietly(pid, 'SIGKILL')
    return { orphans: orphans.length }
  }

  async stop(): Promise<void> {
    await this.#server?.stop()
  }
}

/** One request that is not in the journal. */
export async function ask(
  url: string,
  key: string,
  path: string,
  body: object,
  patienceMs = 15_000,
): Promise<{ status: number; text: string; tookMs: number }> {
  const began = performance.now()
  try {
    const response = await fetch(url + methodPath(path), {
      method: 'POST',
      headers: { Authorization: key, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(patienceMs),
    })
    const text = await response.text()
    return { status: response.status, text, tookMs: performance.now() - began }
  } catch (error) {
    return { status: 0, text: String(error), tookMs: performance.now() - began }
  }
}
