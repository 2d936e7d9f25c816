// The software bill of materials of a release: every package of the server and of the screens, in CycloneDX's format.

import { createHash } from 'node:crypto'
import type { Commit } from './commit.ts'
import { run } from './run.ts'

export function createSbom(source: string, version: string, commit: Commit | undefined): string {
  const workspaces = ['-w', 'server', '-w', 'web']
  const options = ['--package-lock-only', '--omit', 'dev', '--sbom-format', 'cyclonedx', '--sbom-type', 'application']
  const sbom = JSON.parse(run('npm', ['sbom', '--silent', ...options, ...workspaces], source))
  // npm uses the name of the folder, the current time and a random number.
  sbom.metadata.component.name = 'kontor'
  sbom.metadata.timestamp = new Date((commit?.seconds ?? 0) * 1000).toISOString()
  sbom.serialNumber = `urn:uuid:${uuidOf(`kontor ${version} ${commit?.id}`)}`
  return `${JSON.stringify(sbom, undefined, 2)}\n`
}

/** A UUID of version 8 made of a hash. */
function uuidOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  )
}
