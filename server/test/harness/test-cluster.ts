// The PostgreSQL of a test run: created for it, on a free port, in a folder that is removed afterwards. It never waits for a disk, because nothing of it
// has to survive. Tests about durability create clusters with ordinary settings.

import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { appendFileSync, closeSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../../../demo/ports.ts'
import { canConnect } from './database.ts'
import { ownedFolder, postgresProgram, postgresUser } from './postgres-programs.ts'
import { until } from './until.ts'

export type TestCluster = { readonly url: string; readonly process: ChildProcess }

export type TestClusterOptions = {
  /** The folder of PostgreSQL's programs: another version than the installed one. */
  readonly programs?: string
}

const settings = `
listen_addresses = '127.0.0.1'
max_connections = 300
shared_buffers = '256MB'
fsync = off
synchronous_commit = off
full_page_writes = off
# As on the connections of the server: the plans of an audit take longer to compile than to run.
jit = off
# Some tests read the log with SQL: it must be one file with the line prefix of Debian's packages.
logging_collector = on
log_rotation_age = 0
log_rotation_size = 0
log_line_prefix = '%m [%p] %q%u@%d '
`

const startAttempts = 5

/** Starts it as a child of this process, and resolves when it accepts connections. */
export async function startTestCluster(folder: string, options: TestClusterOptions = {}): Promise<TestCluster> {
  const { programs } = options
  const sockets = ownedFolder(join(folder, 'sockets'))
  const program = (name: string): string => (programs === undefined ? postgresProgram(name) : join(programs, name))
  const data = ownedFolder(join(folder, 'data'))
  const user = { ...postgresUser(), cwd: data }
  const flags = ['-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', '--no-sync']
  execFileSync(program('initdb'), ['-D', data, ...flags], { ...user, stdio: 'pipe' })
  appendFileSync(join(data, 'postgresql.conf'), settings)
  const output = join(folder, 'start.log')
  for (let attempt = 1; ; attempt++) {
    const port = await freePort()
    const url = `postgres://postgres@127.0.0.1:${port}/postgres`
    const log = openSync(output, 'a')
    const child = spawn(program('postgres'), ['-D', data, '-p', String(port), '-k', sockets], {
      ...user,
      stdio: ['ignore', log, log],
    })
    closeSync(log)
    const hasEnded = (): boolean => child.exitCode !== null || child.signalCode !== null
    await until(async () => hasEnded() || (await canConnect(url)), { pollMs: 50 })
    if (!hasEnded()) return { url, process: child }
    // Another process may have taken the port in the meantime.
    if (attempt === startAttempts) throw new Error(`PostgreSQL did not start:\n${readFileSync(output, 'utf8')}`)
  }
}
