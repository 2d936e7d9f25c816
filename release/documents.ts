// The documents of a release. They link to files of the repository that a release does not contain, such as tests and pictures: such a link becomes its text.

import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path/posix'

/** A link or a picture; one with a scheme, or to an anchor of the same page, is left alone. */
const link = /!?\[([^\]]*)\]\((?![a-z]+:|#)([^)\s]+)\)/g

export const targetOf = (target: string, document: string): string =>
  normalize(join(dirname(document), target.replace(/#.*$/, '')))

/** `contains` receives a path from the root of the release. */
export const withoutDeadLinks = (text: string, document: string, contains: (path: string) => boolean): string =>
  text.replace(link, (whole, shown: string, target: string) => (contains(targetOf(target, document)) ? whole : shown))

/** Relative targets of a document. */
export const targetsOf = (text: string, document: string): string[] =>
  [...text.matchAll(link)].map((match) => targetOf(match[2] ?? '', document))

export const documentsIn = (folder: string): string[] =>
  globSync('**/*.md', { cwd: folder, exclude: (name) => name === 'node_modules' }).toSorted()

export function removeDeadLinks(folder: string): void {
  for (const path of documentsIn(folder)) {
    const text = readFileSync(join(folder, path), 'utf8')
    writeFileSync(
      join(folder, path),
      withoutDeadLinks(text, path, (target) => existsSync(join(folder, target))),
    )
  }
}
