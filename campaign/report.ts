// Generates the table of results in docs/reliability.md.

import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type Result, readResults } from './results.ts'
import { tests } from './tests.ts'

const reportPath = fileURLToPath(new URL('../docs/reliability.md', import.meta.url))
const beginMarker = '<!-- results: made by "npm run campaign -- report" -->'
const endMarker = '<!-- end of results -->'

/** The text of docs/reliability.md with a new table. */
export function reportOf(text: string, results: readonly Result[]): string {
  const [before, after] = [text.indexOf(beginMarker), text.indexOf(endMarker)]
  if (before === -1 || after < before) throw new Error(`docs/reliability.md lacks "${beginMarker}" or "${endMarker}"`)
  return `${text.slice(0, before + beginMarker.length)}\n\n${table(results)}\n\n${text.slice(after)}`
}

export const currentReport = (): string => readFileSync(reportPath, 'utf8')

export const expectedReport = (): string => reportOf(currentReport(), readResults())

export function writeReport(): string {
  writeFileSync(reportPath, expectedReport())
  return 'docs/reliability.md'
}

function table(results: readonly Result[]): string {
  const order = tests.map(({ name }) => name)
  const rows = results.toSorted((a, b) => order.indexOf(a.test) - order.indexOf(b.test))
  return [
    '| test | description | runs | counted | failures | seed | commit, date |',
    '| --- | --- | --- | --- | --- | --- | --- |',
    ...rows.map(rowOf),
  ].join('\n')
}

function rowOf({ test, about, runs, counts, found, seed, commit, date }: Result): string {
  const counted = Object.entries(counts).map(([name, value]) => `${thousands(value)} ${name}`)
  const cells = [`\`${test}\``, about, thousands(runs), counted.join('; '), String(found.length), String(seed)]
  return `| ${[...cells, `${commit}, ${date}`].map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
}

const thousands = (value: number | string): string =>
  typeof value === 'number' ? value.toLocaleString('en-US') : value
