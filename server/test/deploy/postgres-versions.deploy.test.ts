// The pages that create the database and its logins, on every version of PostgreSQL that can be had: each leads to a service that stores a sale, to an
// audit and to a doctor without errors, with an owner who is no superuser.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { migrate } from '../../platform/postgres/migrate.ts'
import { knownMigrations, lastOfBaseline, migrationsFolder } from '../../platform/postgres/migration-file.ts'
import { blocksOf, commandsIn, shellBlocks } from '../docs/newcomer/blocks.ts'
import { startServer } from '../harness/app.ts'
import { kontor } from '../harness/command-line.ts'
import { post } from '../harness/concurrent-calls.ts'
import { newFolder } from '../harness/postgres-programs.ts'
import { startTestCluster } from '../harness/test-cluster.ts'
import { root } from '../structure/architecture.ts'
import { obtainVersions, type PostgresVersion } from './postgres-versions.ts'

const page = (name: string): string => readFileSync(join(root, 'docs', 'guides', name), 'utf8')

type Env = Readonly<Record<string, string>>
type Cluster = { readonly env: Env; readonly at: (user: string) => string }

/** Commands of a page, run by the superuser of the cluster instead of the system user that sudo would choose. */
const shell = (commands: readonly string[], { env }: Cluster, more: Env = {}): Promise<string> =>
  new Promise((resolve, reject) => {
    const script = commands.join('\n').replaceAll('sudo -u postgres ', '')
    const options = { cwd: join(root, 'deploy'), env: { ...process.env, ...env, ...more } }
    execFile('bash', ['-e', '-c', script], options, (error, out, errors) =>
      error === null ? resolve(out) : reject(new Error(`${script}\n${out}${errors}`)),
    )
  })

async function run(words: readonly string[], url: string): Promise<string> {
  const { code, out, errors } = await kontor(words, { DATABASE_URL: url })
  assert.equal(code, 0, `kontor ${words.join(' ')}\n${out}${errors}`)
  return out
}

const sqlBlocks = (text: string): string[] =>
  blocksOf(text)
    .filter(({ language, text: block }) => language === '' && /^(create|grant) /m.test(block))
    .map(({ text: block }) => block)

/** What the page does before \`kontor migrate\`; the logins that migrate and serve afterwards. */
type Page = {
  readonly name: string
  readonly prepare: (cluster: Cluster) => Promise<void>
  readonly serves: string
  /** After a restore there is a company already. */
  readonly isRestore?: boolean
}

const withLogins = async (cluster: Cluster): Promise<void> => {
  const create = commandsIn(shellBlocks(page('deployment.md')).join('\n')).filter((line) =>
    line.includes('create-logins.sql'),
  )
  assert.equal(create.length, 1)
  await shell(create, cluster, { OWNER_PASSWORD: 'a', WEB_PASSWORD: 'b', BACKUP_PASSWORD: 'c' })
}

const byInstallPage = async (cluster: Cluster): Promise<void> => {
  const create = commandsIn(shellBlocks(page('install.md')).join('\n')).filter((line) =>
    line.startsWith('sudo -u postgres '),
  )
  assert.equal(create.length, 2)
  await shell(create, cluster)
}

/** The schema before its last migrations, by the same owner. */
async function withOlderSchema(cluster: Cluster): Promise<void> {
  await withLogins(cluster)
  const folder = mkdtempSync(join(tmpdir(), 'kontor-older-schema-'))
  try {
    for (const name of knownMigrations().filter((one) => one <= lastOfBaseline))
      cpSync(join(migrationsFolder, `${name}.sql`), join(folder, `${name}.sql`))
    await migrate(cluster.at('kontor_owner'), folder, [])
  } finally {
    rmSync(folder, { recursive: true })
  }
  const { code, out } = await kontor(['migrate', '--status'], { DATABASE_URL: cluster.at('kontor_owner') })
  assert.equal(code, 1)
  assert.doesNotMatch(out, /^Pending +none$/m)
}

const pages: readonly Page[] = [
  { name: 'install.md', serves: 'kontor_owner', prepare: byInstallPage },
  { name: 'deployment.md', serves: 'kontor_web', prepare: withLogins },
  {
    name: 'operators.md',
    serves: 'kontor_web',
    prepare: async (cluster) => {
      const [owner = '', web = ''] = sqlBlocks(page('operators.md'))
      assert.match(owner, /create database/)
      await shell(
        owner
          .trim()
          .split('\n')
          .map((line) => `psql --command "${line}"`),
        cluster,
      )
      // The page grants the role of the server, which migrate creates.
      await run(['migrate'], cluster.at('kontor_owner'))
      await shell(
        web
          .trim()
          .split('\n')
          .map((line) => `psql --command "${line}"`),
        cluster,
      )
    },
  },
  { name: 'upgrading', serves: 'kontor_web', prepare: withOlderSchema },
  {
    name: 'restore.md',
    serves: 'kontor_owner',
    isRestore: true,
    prepare: async (cluster) => {
      const section =
        page('restore.md')
          .split(/^## /m)
          .find((text) => text.startsWith('A dump\n')) ?? ''
      const [dump = '', create = '', restore = ''] = shellBlocks(section)
      const file = join(cluster.env['FOLDER'] ?? '', 'backup')
      const source = process.env['DATABASE_URL'] ?? ''
      await run(['company', 'create', '--name', 'Restored'], source)
      await shell([dump, create, restore], cluster, {
        BACKUP_FILE: file,
        BACKUP_URL: source,
        ADMIN_URL: cluster.at('postgres').replace('/kontor', '/postgres'),
        RESTORED_URL: cluster.at('kontor_owner'),
      })
    },
  },
]

/** Only the option ADMIN is left, as for everybody who creates a role in PostgreSQL 16 and later: found, and repaired by migrate. */
async function loseMembership(cluster: Cluster): Promise<void> {
  const url = cluster.at('kontor_owner')
  await shell(['psql --command "revoke kontor_server from kontor_owner granted by kontor_owner"'], cluster)
  const doctor = await kontor(['doctor'], { DATABASE_URL: url })
  assert.equal(doctor.code, 1, doctor.out)
  assert.match(doctor.out, /^error +role +kontor_owner may not act as kontor_server/m)
  const audit = await kontor(['audit'], { DATABASE_URL: url })
  assert.equal(audit.code, 1, audit.out)
  assert.match(audit.out, /the user of DATABASE_URL may act as kontor_server/)
  await run(['migrate'], url)
  await run(['doctor'], url)
}

async function withCluster({ programs }: PostgresVersion, work: (cluster: Cluster) => Promise<void>): Promise<void> {
  const folder = newFolder('versions')
  const started = await startTestCluster(folder, { programs })
  const { port } = new URL(started.url)
  const at = (user: string): string => `postgres://${user}@127.0.0.1:${port}/kontor`
  try {
    await work({ at, env: { PGHOST: '127.0.0.1', PGPORT: port, PGUSER: 'postgres', FOLDER: folder } })
  } finally {
    const ended = new Promise((resolve) => started.process.once('exit', resolve))
    started.process.kill('SIGINT')
    await ended
    rmSync(folder, { recursive: true, force: true })
  }
}

async function follow(version: PostgresVersion, { prepare, serves, isRestore }: Page): Promise<void> {
  await withCluster(version, async (cluster) => {
    const { at } = cluster
    await prepare(cluster)
    await run(['migrate'], at('kontor_owner'))
    assert.match(await run(['migrate', '--status'], at('kontor_owner')), /^Pending +none$/m)
    const made = JSON.parse(
      await run(['company', 'create', '--name', 'Oak', '--examples', '--json'], at('kontor_owner')),
    )
    const server = await startServer({ DATABASE_URL: at(serves) }, serves === 'kontor_owner' ? [] : ['--no-migrate'])
    try {
      const sale = { num: '1', customer_name: 'Ada', products: [{ sku: 'TABLE-1', amount: 2, total: 498 }] }
      const added = await post(server.url, made.api_key, 'orders/add', sale)
      assert.equal(added.status, 200, added.text)
    } finally {
      await server.stop()
    }
    await run(['maintain'], at('kontor_owner'))
    assert.match(
      await run(['audit'], at('kontor_owner')),
      isRestore ? /^All invariants hold/ : /^All invariants hold \(companies: 1\)/,
    )
    for (const login of new Set(['kontor_owner', serves])) {
      const report = await run(['doctor'], at(login))
      assert.match(report, new RegExp(`^ok +version +PostgreSQL ${version.name}`))
      assert.match(report, new RegExp(`^ok +role +${login} may act as kontor_server$`, 'm'))
    }
    if (version.major >= 16 && serves === 'kontor_owner' && isRestore !== true) await loseMembership(cluster)
  })
}

const folder = mkdtempSync(join(tmpdir(), 'kontor-postgres-versions-'))
after(() => rmSync(folder, { recursive: true, force: true }))
const { supported: versions, refused } = obtainVersions(folder)
const results = new Map<string, string>()

for (const version of versions)
  for (const one of pages)
    test(`${one.name} works on PostgreSQL ${version.major} with an owner who is no superuser`, async () => {
      const key = `${version.major} ${one.name}`
      results.set(key, 'failed')
      await follow(version, one)
      results.set(key, 'ok')
    })

test('an older version is refused by every command, and nothing is created', {
  skip: refused === undefined ? 'no older version can be had' : false,
}, async () => {
  await withCluster(refused as PostgresVersion, async (cluster) => {
    const isRefused = async (...words: string[]): Promise<void> => {
      const { code, out, errors } = await kontor(words, { DATABASE_URL: cluster.at('postgres') })
      assert.notEqual(code, 0, words.join(' '))
      assert.match(out + errors, /This is PostgreSQL 14\.\d+\.\s+Kontor needs PostgreSQL 15/, words.join(' '))
    }
    const psql = (query: string) => shell([`psql --tuples-only --no-align --command "${query}"`], cluster)
    await isRefused('migrate', '--create')
    await psql('create database kontor')
    for (const command of ['migrate', 'serve', 'audit', 'doctor']) await isRefused(command)
    await isRefused('backup', '--file', join(cluster.env['FOLDER'] ?? '', 'a.dump'))
    assert.equal((await psql(`select count(*) from pg_roles where rolname = 'kontor_server'`)).trim(), '0')
  })
})

test('at least two versions were tried', (context) => {
  const width = Math.max(...pages.map(({ name }) => name.length))
  const row = (cells: readonly string[]): string => cells.map((cell) => cell.padEnd(width)).join('  ')
  context.diagnostic(row(['PostgreSQL', ...pages.map(({ name }) => name)]))
  for (const { major, name } of versions)
    context.diagnostic(row([name, ...pages.map((one) => results.get(`${major} ${one.name}`) ?? 'not run')]))
  assert.ok(versions.length >= 2, `only ${versions.map(({ name }) => name).join(', ')} could be had`)
})
