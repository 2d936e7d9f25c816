// A new machine after following the README: a clone of this repository with "npm ci" run in it, its own home directory, and nothing from
// the environment of the tests.

import { execFileSync, spawn } from 'node:child_process'
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { homedir, tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { until } from '../../harness/until.ts'
import { runVariable } from '../../runner/watchdog.ts'
import { root } from '../../structure/architecture.ts'

/** How npm reaches the packages from here; no other environment variables are passed on. */
const passedOn = [
  // By it, processes that are left when a run is killed are found and ended.
  runVariable,
  'npm_config_registry',
  'http_proxy',
  'https_proxy',
  'no_proxy',
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'NO_PROXY',
  'NODE_EXTRA_CA_CERTS',
]
/** Below the runner's longest test timeout. Creating the demo's year took 325 s on two cores shared by twenty processes. */
const readyMs = 570_000
/** The end of the output of a failed script. */
const shownChars = 4_000

export type Running = {
  /** The process id of the command itself, as known to the shell that started it. */
  readonly pid: number
  readonly output: () => string
  /** Resolves when the command has ended, with the exit code that the shell received. */
  readonly ended: Promise<number>
}

export class CleanClone {
  readonly #home = mkdtempSync(join(tmpdir(), 'kontor-newcomer-'))
  readonly folder = join(this.#home, 'kontor')
  readonly #env: Record<string, string>
  readonly #groups: number[] = []

  constructor() {
    // The demo's PostgreSQL must not run as root, and its user needs access to the data directory.
    chmodSync(this.#home, 0o711)
    mkdirSync(join(this.#home, 'cache'), { mode: 0o755 })
    const userConfig = process.env['npm_config_userconfig'] ?? join(homedir(), '.npmrc')
    this.#env = {
      ...Object.fromEntries(passedOn.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : []))),
      // npm prepends its command folders when it runs a script, including the Node of this repository.
      PATH: (process.env['PATH'] ?? '')
        .split(delimiter)
        .filter((folder) => !/node_modules|node-gyp-bin/.test(folder))
        .join(delimiter),
      HOME: this.#home,
      XDG_CACHE_HOME: join(this.#home, 'cache'),
      npm_config_cache: process.env['npm_config_cache'] ?? join(homedir(), '.npm'),
      npm_config_prefer_offline: 'true',
      ...(existsSync(userConfig) ? { npm_config_userconfig: userConfig } : {}),
    }
    // The last commit plus the uncommitted changes: the test covers the current state.
    this.#git(dirname(root), 'clone', '--quiet', '--no-hardlinks', root, this.folder)
    const changed = this.#git(root, 'ls-files', '-z', '--modified', '--others', '--exclude-standard').split('\0')
    for (const path of new Set(changed.filter((one) => one !== ''))) {
      if (existsSync(join(root, path))) cpSync(join(root, path), join(this.folder, path))
      else rmSync(join(this.folder, path), { force: true })
    }
  }

  /** Runs a script to its end and returns its output. */
  async run(script: string, env: Record<string, string> = {}): Promise<string> {
    const child = this.#spawn(`set -e\n${script}`, env)
    const code = await child.ended
    if (code !== 0) throw new Error(`exit code ${code} of\n${script}\n${child.output().slice(-shownChars)}`)
    return child.output()
  }

  /** Starts a command in the background, as a shell does with "&", and resolves when it has printed `until`. */
  async start(command: string, until: RegExp, env: Record<string, string> = {}): Promise<Running> {
    const child = this.#spawn(`${command} &\necho "started $!"\nwait $!`, env)
    const pidOf = (): number => Number(/^started (\d+)$/m.exec(child.output())?.[1])
    const hasEnded = child.ended.then((code) => {
      throw new Error(`"${command}" ended with ${code}:\n${child.output()}`)
    })
    await Promise.race([
      waitUntil(
        () => until.test(child.output()),
        () => child.output(),
      ),
      hasEnded,
    ])
    hasEnded.catch(() => {})
    return { pid: pidOf(), output: child.output, ended: child.ended }
  }

  #spawn(script: string, env: Record<string, string>): { output: () => string; ended: Promise<number> } {
    const child = spawn('bash', ['-c', script], {
      cwd: this.folder,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...this.#env, ...env },
    })
    if (child.pid !== undefined) this.#groups.push(child.pid)
    let output = ''
    const hear = (chunk: Buffer): void => {
      output += chunk.toString()
    }
    child.stdout.on('data', hear)
    child.stderr.on('data', hear)
    const ended = new Promise<number>((resolve, reject) => {
      child.once('error', reject)
      // Processes left in the background keep the pipes open: only the shell's own exit counts.
      child.once('exit', (code) => resolve(code ?? -1))
    })
    return { output: () => output, ended }
  }

  #git(folder: string, ...args: string[]): string {
    const env = { ...this.#env, GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'safe.directory', GIT_CONFIG_VALUE_0: '*' }
    return execFileSync('git', args, { cwd: folder, env, encoding: 'utf8' })
  }

  /** Ends the processes left running and removes all files. */
  async remove(): Promise<void> {
    for (const group of this.#groups) if (isAlive(group)) process.kill(-group, 'SIGTERM')
    await waitUntil(
      () => !this.#groups.some(isAlive),
      () => 'what the documents started does not end',
    )
    // Half a gigabyte of packages: rm takes a fraction of the time that Node takes.
    execFileSync('rm', ['-rf', this.#home])
  }
}

function isAlive(group: number): boolean {
  try {
    return process.kill(-group, 0)
  } catch {
    return false
  }
}

export const waitUntil = (holds: () => boolean | Promise<boolean>, what: () => string): Promise<void> =>
  until(holds, { withinMs: readyMs, pollMs: 100, what })

export const isListening = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    const end = (answer: boolean): void => {
      socket.destroy()
      resolve(answer)
    }
    socket.once('connect', () => end(true))
    socket.once('error', () => end(false))
  })
