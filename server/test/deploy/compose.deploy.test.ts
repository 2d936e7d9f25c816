// deploy/compose: the file is valid, its secrets and logins work on a new PostgreSQL, and Caddy keeps requests waiting while the service restarts.

import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { parse } from 'yaml'
import { Postgres } from '../../../campaign/crash/postgres.ts'
import { freePort } from '../../../demo/ports.ts'
import { readConfig, variables } from '../../platform/process/config.ts'
import { startServer } from '../harness/app.ts'
import { post } from '../harness/concurrent-calls.ts'
import { hasProgram, newFolder } from '../harness/postgres-programs.ts'
import { until } from '../harness/until.ts'
import { root } from '../structure/architecture.ts'

const folder = join(root, 'deploy', 'compose')
const read = (name: string): string => readFileSync(join(folder, name), 'utf8')
const compose = parse(read('compose.yaml'), { merge: true })

const commandOf = (service: string): string | undefined => compose.services[service].command?.[0]
const ofKontor = Object.keys(compose.services).filter((name) => compose.services[name].image.includes('IMAGE'))

test('every variable that the compose file sets is one that Kontor reads, and every secret and network exists', () => {
  assert.deepEqual(ofKontor, ['migrate', 'kontor', 'maintain', 'audit'])
  const known = variables.flatMap(({ name, fileName }) => [name, fileName])
  for (const name of ofKontor) {
    const service = compose.services[name]
    for (const variable of Object.keys(service.environment)) assert.ok(known.includes(variable), variable)
    assert.deepEqual([service.read_only, service.cap_drop], [true, ['ALL']], name)
  }
  for (const [name, service] of Object.entries<Record<string, string[]>>(compose.services)) {
    for (const secret of service['secrets'] ?? []) assert.ok(secret in compose.secrets, `${name}: ${secret}`)
    for (const network of service['networks'] ?? []) assert.ok(network in compose.networks, `${name}: ${network}`)
  }
  const { DATABASE_URL_FILE: _, PUBLIC_ORIGIN: origin, ...settings } = compose.services.kontor.environment
  assert.match(origin, /^https:\/\/\$\{DOMAIN/)
  readConfig({ ...settings, DATABASE_URL: 'postgres://127.0.0.1/kontor', PUBLIC_ORIGIN: 'https://kontor.example' })
  // Only the service signs in as the login that owns nothing.
  for (const name of ofKontor) {
    const url = compose.services[name].environment.DATABASE_URL_FILE
    assert.equal(url, commandOf(name) === 'serve' ? '/run/secrets/web_url' : '/run/secrets/owner_url')
  }
})

const composeProgram = hasProgram('docker-compose') ? 'docker-compose' : undefined

test('docker-compose accepts the file', { skip: composeProgram ? false : 'docker-compose is not installed' }, () => {
  const env = { ...process.env, IMAGE: 'kontor:1.0.0', DOMAIN: 'kontor.example' }
  const { status, stderr } = spawnSync('docker-compose', ['config', '--quiet'], { cwd: folder, env, encoding: 'utf8' })
  assert.equal(status, 0, stderr)
})

test('with the created secrets and logins, the owner migrates and audits, and the other login serves', async (context) => {
  const made = mkdtempSync(join(tmpdir(), 'kontor-compose-'))
  context.after(() => rmSync(made, { recursive: true }))
  cpSync(folder, made, { recursive: true })
  execFileSync(join(made, 'create-secrets.sh'))
  assert.equal(statSync(join(made, 'secrets')).mode & 0o777, 0o700)
  assert.notEqual(spawnSync(join(made, 'create-secrets.sh')).status, 0, 'existing passwords are not replaced')

  const cluster = newFolder('compose')
  const postgres = await Postgres.make(cluster, { settings: { fsync: 'off' } })
  const rules = ['postgres 127.0.0.1/32 trust', 'all 127.0.0.1/32 scram-sha-256'].map((rule) => `host all ${rule}\n`)
  writeFileSync(join(postgres.dataFolder, 'pg_hba.conf'), rules.join(''))
  await postgres.start()
  context.after(async () => {
    await postgres.stop('immediate')
    rmSync(cluster, { recursive: true })
  })
  const address = new URL(postgres.url())
  const script = read('create-logins.sh')
    .replace('/run/secrets', join(made, 'secrets'))
    .replace('/create-logins.sql', join(root, 'deploy', 'create-logins.sql'))
  // Repeated, as by an operator who is not sure.
  for (const _ of [1, 2]) {
    execFileSync('sh', ['-c', script], { env: { ...process.env, PGHOST: address.hostname, PGPORT: address.port } })
  }

  /** The file of the secret, with the address of this PostgreSQL instead of that of the container. */
  const urlFile = (secret: string): string => {
    const path = join(made, secret)
    writeFileSync(path, readFileSync(join(made, 'secrets', secret), 'utf8').replace('postgres:5432', address.host))
    return path
  }
  const kontor = (words: readonly string[]) => {
    const { DATABASE_URL: _, ...env } = process.env
    const options = { cwd: root, encoding: 'utf8', env: { ...env, DATABASE_URL_FILE: urlFile('owner_url') } } as const
    return execFileSync(process.execPath, ['server/cli.ts', ...words], options)
  }
  for (const name of ['migrate', 'maintain']) kontor(compose.services[name].command)
  const { api_key: key } = JSON.parse(kontor(['company', 'create', '--name', 'Oak', '--json']))
  const server = await startServer(
    { DATABASE_URL: '', DATABASE_URL_FILE: urlFile('web_url') },
    compose.services.kontor.command.slice(1),
  )
  try {
    assert.equal((await post(server.url, key, 'orders/get_list', { limit: 1 })).status, 200)
  } finally {
    await server.stop()
  }
  // The folder is mounted at /metrics, and the audit runs as another user.
  assert.equal(statSync(join(made, 'metrics')).mode & 0o1777, 0o1777)
  const command = compose.services.audit.command.map((word: string) => word.replace('/metrics', join(made, 'metrics')))
  assert.match(kontor(command), /^\{"companies":1,"broken_rows":0,/)
  assert.match(readFileSync(join(made, 'metrics', 'kontor-audit.prom'), 'utf8'), /^kontor_audit_last_run_/m)
})

const caddySkip = hasProgram('caddy') ? false : 'caddy is not installed'

test('behind Caddy, requests over TLS wait while the service restarts, and none fails', {
  skip: caddySkip,
}, async (context) => {
  const { port, caddy } = await startCaddy(context)
  const start = () =>
    startServer({
      PORT: String(port.kontor),
      PUBLIC_ORIGIN: `https://localhost:${port.caddy}`,
      // Longer than in the compose file: Caddy must notice also on a busy machine.
      STOP_DELAY_MS: '5000',
    })
  let server = await start()
  context.after(() => server.stop())
  const url = `https://localhost:${port.caddy}/healthz`
  await until(async () => (await statusOf(url).catch(() => 0)) === 200, {
    withinMs: 60_000,
    what: () => caddy.output(),
  })
  const statuses: (number | string)[] = []
  let isOver = false
  const callers = Array.from({ length: 10 }, async () => {
    while (!isOver) {
      statuses.push(await statusOf(url).catch((error: Error) => error.message))
      await sleep(20)
    }
  })
  try {
    await sleep(300)
    await server.stop()
    server = await start()
  } finally {
    isOver = true
    await Promise.all(callers)
  }
  assert.deepEqual(new Set(statuses), new Set([200]))
  assert.ok(statuses.length > 20)
})

const agent = new Agent({ keepAlive: true, rejectUnauthorized: false })

/** Waits longer than Caddy does. */
const statusOf = (url: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const sent = request(url, { agent, timeout: 150_000 }, (response) => {
      response.resume().once('end', () => resolve(response.statusCode ?? 0))
    })
    sent.once('error', reject).end()
  })

/** With our Caddyfile, on free ports and with a certificate of its own. */
async function startCaddy(context: { after(run: () => unknown): void }) {
  const home = mkdtempSync(join(tmpdir(), 'kontor-caddy-'))
  const port = { kontor: await freePort(), caddy: await freePort(), http: await freePort() }
  const local = `{\n\tadmin off\n\tskip_install_trust\n\thttp_port ${port.http}\n\thttps_port ${port.caddy}\n}\n`
  const file = join(home, 'Caddyfile')
  // Starting the service may take long on a busy machine.
  const ours = read('Caddyfile').replace('lb_try_duration 20s', 'lb_try_duration 120s')
  writeFileSync(file, local + ours.replace('kontor:8080', `127.0.0.1:${port.kontor}`))
  const env = { ...process.env, DOMAIN: 'localhost', HOME: home, XDG_DATA_HOME: home, XDG_CONFIG_HOME: home }
  const child = spawn('caddy', ['run', '--adapter', 'caddyfile', '--config', file], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
  context.after(async () => {
    await ended(child)
    rmSync(home, { recursive: true, force: true })
  })
  return { port, caddy: { output: () => output } }
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  const exit = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  await exit
}
