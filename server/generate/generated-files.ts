// Compares generated files with the working tree and updates them.

import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

export type Drift = {
  readonly path: string
  readonly reason: 'missing' | 'different' | 'left over'
}

/** `owned` are patterns of paths that contain only generated files: any other file there is left over. */
export function findDrift(root: string, texts: ReadonlyMap<string, string>, owned: readonly string[]): Drift[] {
  const drift: Drift[] = []
  for (const [path, text] of texts) {
    const present = readIfPresent(join(root, path))
    if (present !== text) drift.push({ path, reason: present === undefined ? 'missing' : 'different' })
  }
  for (const path of globSync([...owned], { cwd: root }))
    if (!texts.has(path)) drift.push({ path, reason: 'left over' })
  return drift
}

export function updateFiles(root: string, texts: ReadonlyMap<string, string>, drift: readonly Drift[]): void {
  for (const { path } of drift) {
    const text = texts.get(path)
    if (text === undefined) {
      rmSync(join(root, path))
      continue
    }
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
}

function readIfPresent(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}
