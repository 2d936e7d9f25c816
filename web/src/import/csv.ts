// Reads the lines of a text file: cells between delimiters, quoted where they contain one.

import { type Line, Lines, unreadable } from './refusal.ts'

export const delimiters = [',', ';', '\t', '|'] as const
export type Delimiter = (typeof delimiters)[number]

/** The first lines tell which delimiter the file has. */
const sampled = 20_000

/** The delimiter that occurs in most lines, and as often in each. Excel names it in a first line `sep=;`. */
export function delimiterOf(text: string): Delimiter {
  const named = /^sep=(.)\r?\n/i.exec(text)?.[1]
  const known = delimiters.find((one) => one === named)
  if (known !== undefined) return known
  const sample = withoutQuoted(text.slice(0, sampled))
  const lines = sample.split(/\r\n|\n|\r/).filter((line) => line.trim() !== '')
  // The last one may be cut off.
  if (text.length > sampled && lines.length > 1) lines.pop()
  let [best, bestScore]: [Delimiter, number] = [',', 0]
  for (const delimiter of delimiters) {
    const counts = lines.map((line) => line.split(delimiter).length - 1)
    const most = commonest(counts.filter((count) => count > 0))
    const score = counts.filter((count) => count === most && count > 0).length * 100 + Math.min(most, 50)
    if (most > 0 && score > bestScore) [best, bestScore] = [delimiter, score]
  }
  return best
}

const withoutQuoted = (text: string): string => text.replace(/"(?:[^"]|"")*"/g, '""')

function commonest(counts: readonly number[]): number {
  const times = new Map<number, number>()
  for (const count of counts) times.set(count, (times.get(count) ?? 0) + 1)
  return [...times].toSorted((a, b) => b[1] - a[1] || b[0] - a[0])[0]?.[0] ?? 0
}

/** Text that starts a formula is exported with an apostrophe before it. */
const plain = (cell: string): string => (/^'[=@+\-\t\r＝＠＋－]/.test(cell) ? cell.slice(1) : cell)

export function linesOfCsv(text: string, delimiter: Delimiter): readonly Line[] {
  const lines = new Lines()
  const named = /^sep=.\r?\n/i.exec(text)
  let [at, line] = [named?.[0].length ?? 0, named === null ? 1 : 2]
  while (at < text.length) {
    const { cells, next, breaks } = readLine(text, at, delimiter, line)
    lines.add(line, cells)
    at = next
    line += breaks
  }
  return lines.all
}

const isBreak = (sign: string | undefined): boolean => sign === '\n' || sign === '\r'
/** Long before this a line has too many cells to be stored. */
const mostCells = 1_000

function readLine(text: string, from: number, delimiter: Delimiter, line: number) {
  const cells: string[] = []
  let [at, breaks] = [from, 1]
  for (;;) {
    const cell = text[at] === '"' ? quoted(text, at, line) : bare(text, at, delimiter)
    for (let place = at; place < cell.next; place++) if (text[place] === '\n') breaks++
    at = cell.next
    if (cells.length < mostCells) cells.push(plain(cell.value))
    if (text[at] !== delimiter) break
    at++
  }
  if (text[at] === '\r' && text[at + 1] === '\n') at++
  return { cells, next: at + 1, breaks }
}

function bare(text: string, from: number, delimiter: Delimiter) {
  let at = from
  while (at < text.length && text[at] !== delimiter && !isBreak(text[at])) at++
  return { value: text.slice(from, at), next: at }
}

function quoted(text: string, from: number, line: number) {
  let at = from + 1
  for (;;) {
    at = text.indexOf('"', at)
    if (at < 0) unreadable({ why: 'open quote', line })
    if (text[at + 1] !== '"') break
    at += 2
  }
  let next = at + 1
  const value = text.slice(from + 1, at).replaceAll('""', '"')
  // What follows the closing quote up to the delimiter belongs to the cell: `5" pipe` that a program has not quoted well.
  const rest = next
  while (next < text.length && !delimiters.some((one) => one === text[next]) && !isBreak(text[next])) next++
  return { value: value + text.slice(rest, next), next }
}
