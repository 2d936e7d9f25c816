// The table of docs/reliability.md: made from the results, never by hand.

import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type Result, readResults } from './results.ts'
import { tests } from './tests.ts'

const place = fileURLToPath(new URL('../../../docs/reliability.md', import.meta.url))
const begins = '<!-- results: made by "npm run campaign -- report" -->'
const ends = '<!-- end of results -->'

/** The report as it should be, given the report as it is. */
export function reportOf(text: string, results: readonly Result[]): string {
  const [before, after] = [text.indexOf(begins), text.indexOf(ends)]
  if (before === -1 || after < before) throw new Error(`docs/reliability.md lacks "${begins}" or "${ends}"`)
  return `${text.slice(0, before + begins.length)}\n\n${table(results)}\n\n${text.slice(after)}`
}

export const currentReport = (): string => readFileSync(place, 'utf8')

export const expectedReport = (): string => reportOf(currentReport(), readResults())

export function writeReport(): string {
  writeFileSync(place, expectedReport())
  return 'docs/reliability.md'
}

function table(results: readonly Result[]): string {
  const order = tests.map(({ name }) => name)
  const rows = results.toSorted((a, b) => order.indexOf(a.test) - order.indexOf(b.test))
  return [
    '| test | what is done | runs | counted | broken | seed | commit, day |',
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
