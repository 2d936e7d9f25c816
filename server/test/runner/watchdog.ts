// A process that owns what a test run uses: its PostgreSQL, in memory, and its temporary files. It learns from the end of its standard input that the run
// has ended, also when the run was killed. Then it ends every process that the run has left behind and removes everything.

import type { ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, globSync, mkdirSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isAlive, killQuietly } from '../harness/processes.ts'
import { startTestCluster } from '../harness/test-cluster.ts'

/** In the environment of every process of a run, so that they can be found. */
export const runVariable = 'KONTOR_TEST_RUN'

export type Started = { readonly run: string; readonly serverUrl: string; readonly folder: string }

const memory = '/dev/shm'
const neededBytes = 3_000_000_000

function hasRoom(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize > neededBytes
  } catch {
    return false
  }
}

/** Short, because the paths below it have limits: 50 characters for podman, 107 for a socket. */
const prefix = 'kontor-'

/** Folders of runs whose watchdog was killed. The name contains its process id. */
function removeAbandoned(): void {
  for (const path of globSync([memory, tmpdir()].map((folder) => `${folder}/${prefix}[0-9]*-*`))) {
    const pid = Number(basename(path).slice(prefix.length).split('-')[0])
    if (!isAlive(pid)) rmSync(path, { recursive: true, force: true })
  }
}

/** The processes of the run, by their environment. Only Linux shows it. */
function processesOf(run: string): number[] {
  return globSync('/proc/[0-9]*/environ').flatMap((path) => {
    try {
      const pid = Number(path.split('/')[2])
      return readFileSync(path, 'utf8').split('\0').includes(`${runVariable}=${run}`) ? [pid] : []
    } catch {
      // It has ended, or belongs to somebody else.
      return []
    }
  })
}

async function endProcesses(run: string): Promise<void> {
  for (let attempt = 0; attempt < 20; attempt++) {
    const left = processesOf(run).filter((pid) => pid !== process.pid)
    if (left.length === 0) return
    for (const pid of left) killQuietly(pid, attempt < 5 ? 'SIGTERM' : 'SIGKILL')
    await sleep(attempt < 5 ? 300 : 100)
  }
}

async function watch(): Promise<void> {
  removeAbandoned()
  const run = `${prefix}${process.pid}-${randomBytes(2).toString('hex')}`
  const folder = join(tmpdir(), run)
  const dataFolder = hasRoom(memory) ? join(memory, run) : join(folder, 'postgres')
  let postgres: ChildProcess | undefined
  const ended = new Promise<void>((resolve) => process.stdin.resume().once('close', resolve).once('error', resolve))
  try {
    for (const path of [folder, dataFolder]) {
      mkdirSync(path, { recursive: true })
      chmodSync(path, 0o755)
    }
    const cluster = await startTestCluster(dataFolder)
    postgres = cluster.process
    const started: Started = { run, serverUrl: cluster.url, folder }
    process.stdout.write(`${JSON.stringify(started)}\n`)
    await ended
  } finally {
    await endProcesses(run)
    if (postgres !== undefined && postgres.exitCode === null && postgres.signalCode === null) {
      const exit = new Promise((resolve) => postgres?.once('exit', resolve))
      // Nothing needs to be kept.
      postgres.kill('SIGQUIT')
      await exit
    }
    for (const path of [folder, dataFolder])
      rmSync(path, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
  }
}

if (import.meta.main) {
  // A terminal that is closed and a machine that shuts down end the run, whose end is what counts here.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.stdin.destroy())
  process.stdout.on('error', () => {})
  await watch()
}
