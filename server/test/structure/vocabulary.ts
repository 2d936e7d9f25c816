// Words that may not come back: private names for things that have a standard term. The test in vocabulary.test.ts reads every file that people
// write, names of files included.

import type { SourceFile } from './architecture.ts'

export type Replacement = {
  /** A word is found in identifiers too: `told` in `toldOf`. Several words, or a word with a capital, are found exactly as written. */
  readonly words: readonly string[]
  readonly instead: string
}

export const replacements: readonly Replacement[] = [
  { words: ['Asked'], instead: 'Request' },
  { words: ['Visit'], instead: 'RequestHandler' },
  { words: ['told', 'tells'], instead: 'Response, changes; reports, shows, returns' },
  { words: ['door', 'doors'], instead: 'public API, app API' },
  { words: ['flight', 'flights', 'flown'], instead: 'round trip, pipeline' },
  { words: ['proviso', 'provisos'], instead: 'write options, preconditions' },
  { words: ['saysSo', 'isSo'], instead: 'a name for the condition, such as wantsProduction' },
  { words: ['onWire'], instead: 'schema' },
  { words: ['wall', 'walls'], instead: 'row level security policies' },
  { words: ['yardstick', 'yardsticks'], instead: 'reference measurement' },
  { words: ['entrance', 'entrances'], instead: 'session method' },
  { words: ['law', 'laws'], instead: 'cross-cutting tests' },
  { words: ['way of a request', "request's way"], instead: 'request lifecycle' },
  { words: ['beside the way'], instead: 'off the request path' },
  { words: ['stranger', 'strangers'], instead: 'anonymous client, another company' },
  { words: ['house', 'houses'], instead: 'codebase' },
  { words: ['mend', 'mends', 'mended'], instead: 'fix, update' },
  { words: ['whoever'], instead: 'a client that, a user who' },
]

export type Exception = { readonly path: string; readonly words: readonly string[]; readonly reason: string }

const everyWord = replacements.flatMap(({ words }) => words)

/** A path that ends with `/` is a folder. */
export const exceptions: readonly Exception[] = [
  { path: 'server/test/structure/vocabulary.ts', words: everyWord, reason: 'the list itself' },
  { path: 'server/test/structure/vocabulary.test.ts', words: everyWord, reason: 'examples that must fail' },
  { path: 'docs/decisions/0020-plain-vocabulary-and-layout.md', words: everyWord, reason: 'lists the replaced words' },
  { path: 'docs/reliability.md', words: ['wall', 'walls'], reason: 'the table shows results as they were recorded' },
  { path: 'demo/workshop/products.ts', words: ['wall', 'doors'], reason: 'names of furniture' },
  { path: 'server/test/harness/loaded-catalog.ts', words: ['door'], reason: 'names of furniture' },
]

/** Texts that contain a word and cannot change, or use it in another sense. */
export const fixedTexts: readonly { readonly text: string; readonly reason: string }[] = [
  { text: 'use_told', reason: 'a column of the database' },
  { text: '0005_walls.sql', reason: 'the name of a migration that has run' },
  { text: 'Law Street', reason: 'an address in tests' },
  { text: 'in-house', reason: 'a standard term' },
]

/** How often the words may still occur, by folder. A number may only become smaller; a folder without one may not use the words. */
export const allowances: Readonly<Record<string, number>> = {}

/** Generated files, recorded results, and migrations, which are never changed after they have run. */
const notWrittenByHand = [
  'bench/results/',
  'clients/typescript/src/methods.ts',
  'docs/conformance.md',
  'docs/reference/',
  'docs/sql/',
  'migrations/',
  'web/src/methods.ts',
]

export const isWrittenByHand = (path: string): boolean => !notWrittenByHand.some((start) => path.startsWith(start))

export type Finding = {
  readonly path: string
  readonly line: number
  readonly word: string
  readonly instead: string
}

/** `told` matches told, toldOf, TOLD and isTold, but not untold. */
function patternOf(word: string): RegExp {
  if (!/^[a-z]+$/.test(word)) return new RegExp(`(?<![A-Za-z])${word}(?![a-z])`, 'g')
  const capital = word.charAt(0).toUpperCase() + word.slice(1)
  const upper = word.toUpperCase()
  return new RegExp(`(?<![A-Za-z])${word}(?![a-z])|${capital}(?![a-z])|(?<![A-Z])${upper}(?![A-Za-z])`, 'g')
}

const patterns = replacements.flatMap(({ words, instead }) =>
  words.map((word) => ({ word, instead, pattern: patternOf(word) })),
)

/** Finds a text that may contain a word, so that the patterns are applied to few texts only. */
const anyWord = new RegExp(everyWord.join('|'), 'i')

const covers = ({ path: excepted, words }: Exception, { path, word }: Finding): boolean =>
  words.includes(word) && (excepted.endsWith('/') ? path.startsWith(excepted) : path === excepted)

function findingsIn(content: string, path: string, line: number): Finding[] {
  const searched = fixedTexts.reduce((rest, { text }) => rest.replaceAll(text, ''), content)
  return patterns.flatMap(({ word, instead, pattern }) =>
    [...searched.matchAll(pattern)].map(() => ({ path, line, word, instead })),
  )
}

/** Every forbidden word in the path or the text of a file. Line 0 is the path. */
export function findings(files: readonly SourceFile[], excepted: readonly Exception[] = exceptions): Finding[] {
  return files.flatMap(({ path, text }) =>
    [path, ...text.split('\n')].flatMap((content, line) =>
      anyWord.test(content)
        ? findingsIn(content, path, line).filter((finding) => !excepted.some((one) => covers(one, finding)))
        : [],
    ),
  )
}

export const complaintOf = ({ path, line, word, instead }: Finding): string =>
  `${line === 0 ? path : `${path}:${line}`}: "${word}" is not a word of this codebase; write ${instead}`

/** The first two folders of a path, or the first, or the name of a file at the top. */
const folderOf = (path: string): string => {
  const [top = '', folder] = path.split('/').slice(0, -1)
  return folder === undefined ? top || path : `${top}/${folder}`
}

/** Complaints about every folder with more findings than it is allowed, and about every allowance that can be lowered. */
export function allowanceComplaints(found: readonly Finding[], allowed = allowances): string[] {
  const byFolder = Map.groupBy(found, ({ path }) => folderOf(path))
  const over = [...byFolder].flatMap(([folder, inFolder]) =>
    inFolder.length > (allowed[folder] ?? 0) ? inFolder.map(complaintOf) : [],
  )
  const stale = Object.entries(allowed).flatMap(([folder, count]) => {
    const left = byFolder.get(folder)?.length ?? 0
    return left < count ? [`${folder} is allowed ${count} words and has ${left}: lower its allowance`] : []
  })
  return [...over, ...stale]
}

/** Exceptions that nothing needs. */
export function needlessExceptions(
  files: readonly SourceFile[],
  excepted: readonly Exception[] = exceptions,
): string[] {
  const all = findings(files, [])
  return excepted.flatMap((exception) =>
    all.some((finding) => covers(exception, finding)) ? [] : [`${exception.path} needs no exception`],
  )
}
