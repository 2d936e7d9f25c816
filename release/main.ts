// "npm run release" builds dist/kontor-<version>/, and packs it as a tarball with its checksum and its bill of materials. The same commit, installed
// from the lockfile, always gives the same bytes. Usage: npm run release -- [--source CHECKOUT] [--out FOLDER]

import { parseArgs } from 'node:util'
import { buildRelease } from './build.ts'

const { values } = parseArgs({
  options: {
    /** Another checkout in which "npm ci" was run, for example of an earlier version. */
    source: { type: 'string', default: `${import.meta.dirname}/..` },
    out: { type: 'string', default: 'dist' },
  },
})

const { folder, tarball, checksum, sbom, commit } = buildRelease(values)
console.log(`${commit ?? 'not a git checkout'}\n${folder}\n${tarball}\n${checksum}\n${sbom}`)
