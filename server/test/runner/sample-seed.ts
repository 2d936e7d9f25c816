// The seed of the sample on which the gate runs generated tests. It follows from the commit, so that a commit is always checked on the same cases, and
// the next one on others.

import { execFileSync } from 'node:child_process'
import { sampleVariable } from '../harness/sample.ts'
import { root } from '../structure/architecture.ts'

export function gateSampleSeed(): string {
  const given = process.env[sampleVariable]
  if (given !== undefined) return given
  try {
    const commit = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8', stdio: 'pipe' })
    return String(Number.parseInt(commit.slice(0, 7), 16))
  } catch {
    // Not a git checkout.
    return '1'
  }
}
