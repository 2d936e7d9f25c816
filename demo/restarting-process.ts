// A child process that is started again when a source file changes. Between the end of one and the start of the next nothing runs.

import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, type FSWatcher, globSync, watch } from 'node:fs'
import { join, relative } from 'node:path'

/** Several files change at once when a branch is switched or a formatter runs. */
const settleMs = 150

export type RestartingOptions = {
  readonly command: string
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: NodeJS.ProcessEnv
  /** Folders below `cwd` whose files are watched. */
  readonly folders: readonly string[]
  /** Whether a change of this file matters. */
  readonly isSource: (path: string) => boolean
  readonly tell: (text: string) => void
}

export class RestartingProcess {
  readonly #options: RestartingOptions
  #watchers: FSWatcher[] = []
  #child: ChildProcess | undefined
  #ended: Promise<void> = Promise.resolve()
  #timer: NodeJS.Timeout | undefined
  #restart: Promise<void> = Promise.resolve()
  #isStopped = false

  constructor(options: RestartingOptions) {
    this.#options = options
    this.#start()
    this.#watch()
  }

  /** Ends the process and the watch. */
  async stop(): Promise<void> {
    this.#isStopped = true
    clearTimeout(this.#timer)
    for (const watcher of this.#watchers) watcher.close()
    await this.#restart
    await this.#end()
  }

  #start(): void {
    const { command, args, cwd, env, tell } = this.#options
    const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'inherit', 'inherit'] })
    this.#child = child
    this.#ended = new Promise((resolve) => {
      child.once('error', () => resolve())
      child.once('exit', (code) => {
        if (code !== null && code !== 0) tell(`The server ended with ${code}. It starts again when a file changes.`)
        resolve()
      })
    })
  }

  async #end(): Promise<void> {
    this.#child?.kill('SIGTERM')
    await this.#ended
  }

  // One watch per folder: a recursive watch follows single files on Linux and loses those that an editor replaces.
  #watch(): void {
    const { cwd, folders } = this.#options
    for (const watcher of this.#watchers) watcher.close()
    this.#watchers = folders
      .flatMap((folder) => [folder, ...globSync(`${folder}/**/`, { cwd, exclude: ['**/node_modules'] })])
      .map((folder) => join(cwd, folder))
      .filter((folder) => existsSync(folder))
      .map((folder) => watch(folder, (_event, name) => this.#changed(relative(cwd, join(folder, name ?? '')))))
  }

  #changed(path: string): void {
    if (this.#isStopped || !this.#options.isSource(path)) return
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      this.#restart = this.#restart.then(async () => {
        if (this.#isStopped) return
        this.#options.tell(`${path} changed: restarting the server`)
        await this.#end()
        if (this.#isStopped) return
        this.#watch()
        this.#start()
      })
    }, settleMs)
  }
}
