// Runs the commands of the restore guide exactly as written: a dump of one cluster is restored on another that never had Kontor.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { Postgres } from '../../../campaign/crash/postgres.ts'
import { auditSchema } from '../../audit.ts'
import { scratchDatabase } from '../conformance/request/scratch.ts'
import { startServer } from '../harness/app.ts'
import { post } from '../harness/concurrent-calls.ts'
import { newFolder } from '../harness/postgres-programs.ts'

const root = join(import.meta.dirname, '..', '..', '..')
const guide = readFileSync(join(root, 'docs', 'guides', 'restore.md'), 'utf8')
const commands = [...guide.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, text = '']) => text)

const { databaseUrl, serve } = scratchDatabase()

const shell = (script: string, env: Record<string, string>): Promise<{ code: number; output: string }> =>
  new Promise((resolve) => {
    const options = { cwd: root, env: { ...process.env, ...env }, timeout: 120_000 }
    execFile('bash', ['-e', '-c', script], options, (error, out, errors) =>
      resolve({ code: error === null ? 0 : Number(error.code ?? -1), output: out + errors }),
    )
  })

test('the guide restores a dump on a cluster without Kontor’s roles, and the service works at once', async () => {
  const folder = newFolder('restore-guide')
  const fresh = await Postgres.make(folder, { settings: { fsync: 'off' } })
  try {
    await serve({}, async (company) => {
      const body = { num: '1', customer_name: 'Ada', products: [{ sku: 'P', amount: 1, total: 1 }] }
      assert.equal((await company.call('orders/add', body)).status, 200)
    })
    await fresh.start()
    const restoredUrl = Object.assign(new URL(fresh.url()), { username: 'kontor_owner' }).href
    const env = {
      BACKUP_FILE: join(folder, 'backup'),
      BACKUP_URL: databaseUrl,
      ADMIN_URL: fresh.url('postgres'),
      RESTORED_URL: restoredUrl,
    }
    const [backup = '', create = '', restore = '', check = ''] = commands
    assert.equal(commands.length, 4)
    for (const block of [backup, create, restore]) {
      const ran = await shell(block, env)
      assert.equal(ran.code, 0, `${block}\n${ran.output}`)
    }
    // Before migrate the restored database is incomplete, and audit reports it.
    const broken = new Set((await auditSchema(fresh.url())).map(({ invariant }) => invariant))
    assert.ok(broken.has('the role kontor_server exists and cannot pass row level security'))
    assert.ok(broken.has('the role kontor_server has exactly the rights it needs'))
    const checked = await shell(check, env)
    assert.equal(checked.code, 0, checked.output)
    assert.match(checked.output, /All invariants hold \(companies: 2\)/)
    await servesAt(restoredUrl, fresh)
  } finally {
    await fresh.stop('immediate')
    rmSync(folder, { recursive: true, force: true })
  }
})

/** A key of the dump still works, and writes continue from its state. */
async function servesAt(restoredUrl: string, fresh: Postgres): Promise<void> {
  const server = await startServer({ DATABASE_URL: restoredUrl })
  try {
    // The company of the sale.
    const [{ company_id: id }] = await fresh.query('select company_id from sales', 'kontor')
    const command = `npm run -s kontor -- key create --company ${id} --name Restored --json`
    const made = await shell(command, { DATABASE_URL: restoredUrl })
    assert.equal(made.code, 0, made.output)
    const key = /kontor_live_\w+/.exec(made.output)?.[0] ?? ''
    const body = { num: '2', customer_name: 'Ada', products: [{ sku: 'P', amount: 1, total: 1 }] }
    const added = await post(server.url, key, 'orders/add', body)
    assert.deepEqual([added.status, added.body.customer_id], [200, 1], added.text)
    assert.equal((await fresh.query('select count(*)::int as n from sales', 'kontor'))[0].n, 2)
  } finally {
    await server.stop()
  }
}
