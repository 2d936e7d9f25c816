// The results of long runs: one file per test, kept in the repository, from which the report's table is generated.

import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export type Result = {
  readonly test: string
  readonly about: string
  readonly date: string
  readonly commit: string
  readonly seed: number
  readonly runs: number
  readonly seconds: number
  readonly counts: Readonly<Record<string, number | string>>
  readonly found: readonly string[]
}

const folder = fileURLToPath(new URL('results/', import.meta.url))

export function writeResult(result: Result): string {
  mkdirSync(folder, { recursive: true })
  const path = `${folder}${result.test}.json`
  writeFileSync(path, `${JSON.stringify(result, null, 2)}\n`)
  return path
}

export function readResults(): Result[] {
  return globSync('*.json', { cwd: folder })
    .toSorted()
    .map((name) => JSON.parse(readFileSync(folder + name, 'utf8')) as Result)
}
