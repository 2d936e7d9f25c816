// The npm packages that are needed at run time, as the lockfile lists them.

import { cpSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'

type Locked = {
  readonly version?: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}
/** The paths of packages, such as "node_modules/ajv/node_modules/fast-uri", with what they need. */
export type Lockfile = { readonly packages: Readonly<Record<string, Locked>> }

export type RuntimePackage = { readonly path: string; readonly version: string }

/** All packages that a workspace needs, directly or through others, sorted by path. */
export function runtimePackages({ packages }: Lockfile, workspace: string): RuntimePackage[] {
  const found = new Set<string>()
  const visit = (from: string): void => {
    const { dependencies, optionalDependencies } = packages[from] ?? {}
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const path = placesOf(from, name).find((place) => place in packages)
      if (path === undefined) throw new Error(`${name}, which ${from} needs, is not in the lockfile`)
      if (found.has(path)) continue
      found.add(path)
      visit(path)
    }
  }
  visit(workspace)
  return [...found].toSorted().map((path) => ({ path, version: packages[path]?.version ?? '' }))
}

/** Where Node looks for a package, nearest first. */
function placesOf(from: string, name: string): string[] {
  const parents = from.split('/node_modules/').map((_, at, parts) => parts.slice(0, at + 1).join('/node_modules/'))
  return [...parents.toReversed().map((parent) => `${parent}/node_modules/${name}`), `node_modules/${name}`]
}

/** Types and source maps: Node reads none of them. */
const unread = ['.ts', '.cts', '.mts', '.map']

export function copyPackages(source: string, folder: string, lockfile: Lockfile): void {
  for (const { path, version } of runtimePackages(lockfile, 'server')) {
    if (!path.startsWith('node_modules/')) throw new Error(`${path} is not at the top: npm would not pack it`)
    const from = join(source, path)
    const installed = JSON.parse(readFileSync(join(from, 'package.json'), 'utf8')).version
    if (installed !== version) throw new Error(`${path} is ${installed}, the lockfile has ${version}: run "npm ci"`)
    // A nested package is copied only if it is needed itself.
    const filter = (file: string): boolean =>
      !unread.includes(extname(file)) && !file.slice(from.length).startsWith('/node_modules')
    cpSync(from, join(folder, path), { recursive: true, filter })
  }
}
