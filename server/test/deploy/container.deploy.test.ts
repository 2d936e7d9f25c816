// The image of deploy/Dockerfile: small, started without root on a read-only file system, and stopped under load without a failed request.

import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../../demo/ports.ts'
import { buildRelease } from '../../../release/build.ts'
import { post } from '../harness/concurrent-calls.ts'
import { databaseUrl } from '../harness/database.ts'
import { type Company, given } from '../harness/given.ts'
import { isAlive } from '../harness/processes.ts'
import { until } from '../harness/until.ts'
import { root } from '../structure/architecture.ts'
import { Podman } from './podman.ts'

const maxImageBytes = 200_000_000
/** Between SIGTERM and the end of listening; as much again is allowed for the requests in progress. Longer only on a machine that is slow now. */
const stopDelayMs = 1_000
/** Requests in progress at a time. */
const readers = 150
const writers = 50

type Instance = { readonly id: string; readonly pid: number; readonly url: string }

test('the image', async (context) => {
  const podman = await Podman.open()
  if (typeof podman === 'string') return context.skip(podman)
  after(() => podman.close())
  await buildImage(podman)
  await context.test('is below 200 MB, names its version and does not run as root', (one) => assertSmall(podman, one))
  const next = await start(podman, stopDelayMs)
  await context.test('runs without root, capabilities, shell or a writable file', () => assertConfined(podman, next))
  await context.test('is healthy and ready, and serves the screens and a sale', () => assertServes(podman, next))
  await context.test('stops within 2 s under load, without a failed request', (one) => stopUnderLoad(podman, next, one))
})

async function buildImage(podman: Podman): Promise<void> {
  const out = mkdtempSync(join(tmpdir(), 'kontor-release-'))
  try {
    const { folder } = buildRelease({ source: root, out })
    const args = { NODE_IMAGE: 'node', BASE_IMAGE: 'libraries', VERSION: '1.2.3', REVISION: 'abc' }
    await podman.run([
      ...['build', '--quiet', '--format', 'docker', '--file', join(root, 'deploy', 'Dockerfile'), '--tag', 'kontor'],
      ...Object.entries(args).flatMap(([name, value]) => ['--build-arg', `${name}=${value}`]),
      folder,
    ])
  } finally {
    rmSync(out, { recursive: true })
  }
}

async function assertSmall(podman: Podman, context: TestContext): Promise<void> {
  const bytesOf = async (image: string) =>
    Number(await podman.run(['image', 'inspect', image, '--format', '{{.Size}}']))
  const [all, node, libraries] = [await bytesOf('kontor'), await bytesOf('node'), await bytesOf('libraries')]
  const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`
  context.diagnostic(
    `${megabytes(all)}: Node ${megabytes(node)}, its libraries ${megabytes(libraries)}, Kontor ${megabytes(all - node - libraries)}`,
  )
  assert.ok(all < maxImageBytes, megabytes(all))
  const [config] = JSON.parse(await podman.run(['image', 'inspect', 'kontor']))
  assert.equal(config.Labels['org.opencontainers.image.version'], '1.2.3')
  assert.equal(config.Labels['org.opencontainers.image.revision'], 'abc')
  assert.match(config.User, /^[1-9][0-9]*:[1-9][0-9]*$/)
}

async function start(podman: Podman, delayMs: number): Promise<Instance> {
  const [port, metricsPort] = [await freePort(), await freePort()]
  const id = await podman.start('kontor', {
    DATABASE_URL: databaseUrl(),
    HOST: '127.0.0.1',
    PORT: String(port),
    METRICS_HOST: '127.0.0.1',
    METRICS_PORT: String(metricsPort),
    STOP_DELAY_MS: String(delayMs),
    // All requests come from one company.
    MAX_REQUESTS: '250',
    MAX_COMPANY_REQUESTS: '250',
  })
  const url = `http://127.0.0.1:${port}`
  await until(() => isReady(url), { withinMs: 60_000, pollMs: 100, what: () => 'the container is not ready' })
  return { id, url, pid: Number(await podman.run(['inspect', id, '--format', '{{.State.Pid}}'])) }
}

const isReady = (url: string): Promise<boolean> =>
  fetch(`${url}/readyz`).then(
    async (response) => (await response.text()) !== '' && response.status === 200,
    () => false,
  )

/** Looked at from inside: what process 1 is, and what cannot be written. */
const confinement = `
  const { existsSync, readFileSync, writeFileSync } = require('node:fs')
  const written = (path) => { try { writeFileSync(path, ''); return 'written' } catch ({ code }) { return code } }
  const status = Object.fromEntries(readFileSync('/proc/1/status', 'utf8').split('\\n').map((line) => line.split(':\\t')))
  console.log(JSON.stringify({
    command: readFileSync('/proc/1/cmdline', 'utf8').split('\\0')[0],
    uid: process.getuid(),
    capabilities: status.CapEff,
    noNewPrivileges: status.NoNewPrivs,
    written: ['/opt/kontor/x', '/tmp/x', '/x'].map(written),
    shell: existsSync('/bin/sh'),
  }))`

async function assertConfined(podman: Podman, { id, pid }: Instance): Promise<void> {
  const { written, ...rest } = JSON.parse(await podman.run(['exec', id, '/usr/local/bin/node', '-e', confinement]))
  assert.deepEqual(rest, {
    command: '/usr/local/bin/node',
    uid: 10_001,
    capabilities: '0000000000000000',
    noNewPrivileges: '1',
    shell: false,
  })
  for (const result of written) assert.match(result, /^(?:EROFS|EACCES|ENOENT)$/)
  // EACCES alone could mean that only the user lacks the permission.
  assert.match(readFileSync(`/proc/${pid}/mountinfo`, 'utf8'), /^\S+ \S+ \S+ \S+ \/ ro,/m)
}

async function assertServes(podman: Podman, { id, url }: Instance): Promise<void> {
  assert.equal((await fetch(`${url}/healthz`)).status, 200)
  assert.equal((await fetch(`${url}/readyz`)).status, 200)
  // The health check of the image; throws when it fails.
  await podman.run(['healthcheck', 'run', id])
  assert.match(await (await fetch(url)).text(), /<!doctype html>/i)
  const company = await given.company()
  const { sku } = await given.product(company, {})
  const sale = { num: '1', customer_name: 'Ada', products: [{ sku, amount: 1, total: 1 }] }
  assert.equal((await post(url, company.key, 'orders/add', sale)).status, 200)
}

async function stopUnderLoad(podman: Podman, next: Instance, context: TestContext): Promise<void> {
  const company = await given.company({ daily_limit: 1_000_000_000 })
  const { sku } = await given.product(company, {})
  const trial = new Load(company, sku, next.url, next.url)
  const slowestMs = await slowestBurst(trial)
  const addedBefore = await trial.end()
  const delayMs = Math.min(Math.max(stopDelayMs, 4 * slowestMs), 60_000)
  const old = await start(podman, delayMs)
  const load = new Load(company, sku, old.url, next.url)
  await slowestBurst(load)
  const inProgress = load.burst()
  await sleep(20)
  const begun = performance.now()
  process.kill(old.pid, 'SIGTERM')
  let tookMs = 0
  const stopped = until(() => !isAlive(old.pid), { withinMs: 60_000 }).then(() => {
    tookMs = Math.round(performance.now() - begun)
  })
  await inProgress
  while (tookMs === 0) await load.burst()
  await Promise.all([stopped, load.burst()])
  context.diagnostic(
    `stopped in ${tookMs} ms with ${delayMs} ms of delay; ${readers + writers} requests took ${slowestMs} ms`,
  )
  const added = addedBefore + (await load.end())
  const { body } = await post(next.url, company.key, 'orders/get_list', { limit: 1 })
  assert.equal(body.total, added, 'every acknowledged sale is stored, once')
  assert.equal(await podman.run(['wait', old.id]), '0', 'the exit code')
  assert.ok(tookMs <= 2 * delayMs, `stopping took ${tookMs} ms`)
}

/** How long three bursts took at most; the first is slower, because it opens the connections. */
async function slowestBurst(load: Load): Promise<number> {
  const tookMs: number[] = []
  for (let n = 0; n < 4; n++) {
    const begun = performance.now()
    await load.burst()
    tookMs.push(Math.round(performance.now() - begun))
  }
  return Math.max(...tookMs.slice(1))
}

/** Sends requests to one server, and to the next as soon as the first is not ready, as a load balancer does. */
class Load {
  readonly #company: Company
  readonly #sku: string
  readonly #urls: readonly [string, string]
  #target: string
  readonly #watching: Promise<void>
  #isOver = false
  #added = 0
  readonly #failures: string[] = []

  constructor(company: Company, sku: string, first: string, next: string) {
    this.#company = company
    this.#sku = sku
    this.#urls = [first, next]
    this.#target = first
    this.#watching = this.#watch()
  }

  async #watch(): Promise<void> {
    const [first, next] = this.#urls
    while (!this.#isOver && (await isReady(first))) await sleep(50)
    this.#target = next
  }

  async burst(): Promise<void> {
    const sale = { num: 'L', customer_name: 'Ada', products: [{ sku: this.#sku, amount: 1, total: 1 }] }
    const add = async () => {
      if (await this.#send('orders/add', sale)) this.#added++
    }
    const list = () => this.#send('orders/get_list', { limit: 10 })
    await Promise.all([...Array.from({ length: readers }, list), ...Array.from({ length: writers }, add)])
  }

  async #send(method: string, body: object): Promise<boolean> {
    try {
      const { status, text } = await post(this.#target, this.#company.key, method, body)
      // Nothing was done, and the client is asked to try again.
      if (text.includes('Service is busy')) return await this.#send(method, body)
      if (status === 200) return true
      this.#failures.push(`${method}: ${status} ${text}`)
    } catch (error) {
      this.#failures.push(`${method}: ${(error as Error).cause ?? error}`)
    }
    return false
  }

  /** Throws if a request failed. Returns how many sales were acknowledged. */
  async end(): Promise<number> {
    this.#isOver = true
    await this.#watching
    assert.deepEqual([...new Set(this.#failures)].slice(0, 10), [])
    return this.#added
  }
}
