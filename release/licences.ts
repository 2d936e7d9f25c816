// The licences of all packages that a release contains, in one text: most of them must be passed on with the code.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RuntimePackage } from './packages.ts'

export function licenceTexts(source: string, packages: readonly RuntimePackage[]): string {
  const byName = new Map(packages.map(({ path }) => path).map((path) => licenceOf(join(source, path))))
  const texts = [...byName].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([title, text]) => `${title}\n\n${text}`)
  return `Kontor contains these packages: in node_modules/, and in the screens of web/dist/.\n${['', ...texts].join(`\n${'-'.repeat(80)}\n\n`)}`
}

function licenceOf(folder: string): [title: string, text: string] {
  const { name, version, license, author } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const files = readdirSync(folder)
    .filter((file) => /^(?:licen[cs]e|copying|notice)(?![a-z])/i.test(file))
    .toSorted()
  const texts = files.map((file) => readFileSync(join(folder, file), 'utf8').trim())
  // Some packages name their licence only in its text.
  const named = typeof license === 'string' ? license : texts[0]?.split('\n', 1)[0]
  if (named === undefined) throw new Error(`${name} names no licence`)
  const owner = typeof author === 'object' ? author.name : author
  const text =
    texts.length > 0 ? texts.join('\n\n') : `No licence text is part of the package. Author: ${owner ?? name}.`
  return [`${name} ${version} (${named})`, `${text}\n`]
}
