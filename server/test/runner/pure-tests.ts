// `npm run test:pure`: the tests that need no database, server or browser. They are found by their imports, so there is no list to maintain.

import { spawnSync } from 'node:child_process'
import { pathToFileURL } from 'node:url'
import { importsOf, readTree, root, type SourceFile } from '../structure/architecture.ts'
import { isInGate } from './levels.ts'

/** A test that reaches one of these starts or connects to something. */
export const needsMore = [
  'server/test/harness/app.ts',
  'server/test/harness/database.ts',
  'node:child_process',
  'node:cluster',
  'playwright-core',
]

export function findPureTests(files: readonly SourceFile[]): string[] {
  const targets = new Map(
    files.map((file) => [
      file.path,
      importsOf(file)
        .filter(({ typesOnly }) => !typesOnly)
        .map(({ to }) => to),
    ]),
  )
  const reached = (path: string, seen = new Set<string>()): Set<string> => {
    if (seen.has(path)) return seen
    seen.add(path)
    for (const target of targets.get(path) ?? []) reached(target, seen)
    return seen
  }
  return files
    .map(({ path }) => path)
    .filter((path) => path.endsWith('.test.ts') && isInGate(path) && !needsMore.some((name) => reached(path).has(name)))
    .toSorted()
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const tests = findPureTests(readTree(['.ts', '.tsx', '.js']))
  const { status } = spawnSync(process.execPath, ['--test', ...process.argv.slice(2), ...tests], {
    cwd: root,
    stdio: 'inherit',
  })
  process.exitCode = status ?? 1
}
