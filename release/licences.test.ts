// Every package of a release names its licence: otherwise no release can be built.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { root } from '../server/test/structure/architecture.ts'
import { licenceTexts } from './licences.ts'
import { type Lockfile, runtimePackages } from './packages.ts'

test('every package of a release names its licence, in its description or in the text', () => {
  const lockfile: Lockfile = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  const shipped = ['server', 'web'].flatMap((workspace) => runtimePackages(lockfile, workspace))
  const titles = [...licenceTexts(root, shipped).matchAll(/^[\w@/.-]+ \d\S* \((.+)\)$/gm)].map(([, licence]) => licence)
  assert.ok(titles.length > 50)
  for (const licence of titles) assert.match(licence ?? '', /MIT|BSD|ISC|Apache|0BSD|CC0|OFL|Unlicense|BlueOak/)
})
