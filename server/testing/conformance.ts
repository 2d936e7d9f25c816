// The text of docs/conformance.md: every rule of the interface with the tests that keep it. There is no such text while a rule has
// no test, or a test names a rule that is not there.

import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { rules } from './rules/index.ts'
import type { Rule } from './rules/rule.ts'

export type TestFile = { readonly path: string; readonly source: string }

const root = join(import.meta.dirname, '..', '..')

export function conformanceDocument(): string {
  const paths = globSync('server/**/*.test.ts', { cwd: root, exclude: (path) => path.includes('node_modules') })
  return conformanceOf(
    rules,
    paths.sort().map((path) => ({ path, source: readFileSync(join(root, path), 'utf8') })),
  )
}

export function conformanceOf(rules: readonly Rule[], files: readonly TestFile[]): string {
  const kept = files.flatMap(testsIn)
  const faults = [
    ...repeated(rules).map((id) => `rule ${id} is listed twice`),
    ...kept
      .filter((test) => !rules.some((rule) => rule.id === test.id))
      .map((test) => `${test.path}:${test.line} names a rule that is not listed: ${test.id}`),
    ...rules.filter((rule) => !kept.some((test) => test.id === rule.id)).map((rule) => `rule ${rule.id} has no test`),
  ]
  if (faults.length > 0) throw new Error(faults.join('\n'))

  const sections = Map.groupBy(rules, (rule) => rule.id.split('.')[0] ?? '')
  return [
    '# Conformance',
    '',
    'Every rule of the interface and the tests that keep it. Made by `npm run generate` from the lists in `server/testing/rules/` and',
    'the tests named after them; a rule without a test, or a test of an unknown rule, stops it.',
    '',
    `${rules.length} rules, ${kept.length} tests.`,
    ...[...sections].flatMap(([section, listed]) => [
      '',
      `## ${section}`,
      '',
      '| rule | what it says | kept by |',
      '|---|---|---|',
      ...listed.map(
        (rule) => `| ${rule.id} | ${cell(rule.text)} | ${keepers(kept.filter((test) => test.id === rule.id))} |`,
      ),
    ]),
    '',
  ].join('\n')
}

type RuleTest = { readonly id: string; readonly path: string; readonly line: number }

// A call of rule() opens a line of its own; the formatter may put its id on the next one.
const call = /^[ \t]*rule\(\s*(?:'([^'\n]+)'|"([^"\n]+)"|`([^`$\n]+)`)?/gm

function testsIn(file: TestFile): RuleTest[] {
  return [...file.source.matchAll(call)].map((match) => {
    const line = file.source.slice(0, match.index).split('\n').length
    const id = match[1] ?? match[2] ?? match[3]
    if (id === undefined) throw new Error(`${file.path}:${line} names its rule by something else than a plain text`)
    return { id, path: file.path, line }
  })
}

function repeated(rules: readonly Rule[]): string[] {
  return [...Map.groupBy(rules, (rule) => rule.id)].filter(([, same]) => same.length > 1).map(([id]) => id)
}

/** Links from docs/ to the files, each with the number of its tests when it has several. */
function keepers(tests: readonly RuleTest[]): string {
  return [...Map.groupBy(tests, (test) => test.path)]
    .map(
      ([path, here]) => `[${path.replace(/^server\//, '')}](../${path})${here.length > 1 ? ` (${here.length})` : ''}`,
    )
    .join('<br>')
}

/** A pipe ends a cell everywhere, `<` opens a tag outside of code. */
const cell = (text: string): string =>
  text.replaceAll('|', '\\|').replaceAll(/`[^`]*`|</g, (found) => (found === '<' ? '&lt;' : found))
