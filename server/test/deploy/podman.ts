// Builds and runs images with podman, in storage of its own. No registry is needed: the base images are assembled from the installed Node and the
// shared libraries that it is linked with.

import { execFile } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

type Ran = { readonly code: number; readonly out: string; readonly errors: string }

const run = (program: string, args: readonly string[]): Promise<Ran> =>
  new Promise((resolve) => {
    execFile(program, args, { timeout: 300_000, maxBuffer: 16 << 20 }, (error, out, errors) =>
      resolve({ code: error === null ? 0 : Number(error.code) || -1, out: out.trim(), errors: errors.trim() }),
    )
  })

const isInstalled = async (program: string): Promise<boolean> => (await run(program, ['--version'])).code === 0

/** Images that contain the files of a folder. */
const fromScratch = 'FROM scratch\nCOPY . /\n'

export class Podman {
  readonly #folder = mkdtempSync(join(tmpdir(), 'kontor-podman-'))
  readonly #options: readonly string[]
  readonly #containers: string[] = []

  constructor(runtime: readonly string[]) {
    const storage = ['--root', join(this.#folder, 'root'), '--runroot', join(this.#folder, 'run')]
    // The simplest storage and cgroups: others do not work inside of a container.
    this.#options = [...storage, '--storage-driver', 'vfs', '--cgroup-manager', 'cgroupfs', ...runtime]
  }

  /** With the images "libraries" and "node"; or the reason why this machine cannot run containers. */
  static async open(): Promise<Podman | string> {
    if (process.getuid?.() !== 0) return 'podman needs root here'
    if (!(await isInstalled('podman'))) return 'podman is not installed'
    const podman = new Podman((await isInstalled('runc')) ? ['--runtime', 'runc'] : [])
    await podman.#assembleBases()
    try {
      await podman.run(['run', '--rm', ...podman.#runOptions, 'tried'])
      return podman
    } catch (error) {
      await podman.close()
      return (error as Error).message
    }
  }

  async #assembleBases(): Promise<void> {
    const [libraries, node] = [join(this.#folder, 'libraries'), join(this.#folder, 'node')]
    for (const [path] of (await run('ldd', [process.execPath])).out.matchAll(/\/\S+/g)) copy(path, libraries, path)
    copy(process.execPath, node, 'usr/local/bin/node')
    await this.#assemble('libraries', libraries, fromScratch)
    await this.#assemble('node', node, fromScratch)
    const trial = 'FROM libraries\nCOPY --from=node / /\nUSER 10001\nCMD ["/usr/local/bin/node", "--version"]\n'
    await this.#assemble('tried', libraries, trial)
  }

  async #assemble(name: string, context: string, dockerfile: string): Promise<void> {
    const file = join(this.#folder, `${name}.Dockerfile`)
    writeFileSync(file, dockerfile)
    await this.run(['build', '--quiet', '--file', file, '--tag', name, context])
  }

  /** Runs a podman command; throws when it fails. */
  async run(args: readonly string[]): Promise<string> {
    const { code, out, errors } = await run('podman', [...this.#options, ...args])
    if (code !== 0) throw new Error(`podman ${args[0]} ended with ${code}: ${errors || out}`)
    return out
  }

  /** Starts a container without root, capabilities or anything writable, in the network of this machine. Returns its id. */
  async start(image: string, env: Record<string, string>): Promise<string> {
    const variables = Object.entries(env).flatMap(([name, value]) => ['--env', `${name}=${value}`])
    const id = await this.run(['run', '--detach', ...this.#runOptions, ...variables, image])
    this.#containers.push(id)
    return id
  }

  readonly #runOptions = [
    ...['--network', 'host', '--read-only', '--read-only-tmpfs=false', '--cap-drop', 'all'],
    ...['--security-opt', 'no-new-privileges'],
    // podman's defaults may exceed the limits of this process.
    ...['--ulimit', 'nofile=8192:8192', '--ulimit', 'nproc=4096:4096'],
  ]

  async close(): Promise<void> {
    for (const id of this.#containers) await this.run(['rm', '--force', '--time', '1', id]).catch(() => {})
    rmSync(this.#folder, { recursive: true, force: true })
  }
}

function copy(path: string, folder: string, to: string): void {
  const target = join(folder, to)
  mkdirSync(dirname(target), { recursive: true })
  copyFileSync(path, target)
}
