// A file as a table: its headings, its rows, and what was recognised. Everything that cannot be read is refused with one clear reason. Pure.

import { type Delimiter, delimiterOf, linesOfCsv } from './csv.ts'
import { type DecimalMark, decimalMarkOf } from './decimal-mark.ts'
import { decode, type Encoding } from './encoding.ts'
import { type FileRefusal, type Line, limits, type Note, numberSign, UnreadableFile, unreadable } from './refusal.ts'
import { readWorkbook } from './xlsx.ts'

export type FileTable = {
  readonly headings: readonly string[]
  readonly rows: readonly Line[]
  readonly decimalMark: DecimalMark
  readonly notes: readonly Note[]
  /** Of a text file. */
  readonly encoding?: Encoding
  readonly delimiter?: Delimiter
}

export type ReadFile = { readonly table: FileTable } | { readonly refusal: FileRefusal }

const startsWith = (bytes: Uint8Array, ...start: number[]): boolean => start.every((byte, at) => bytes[at] === byte)

/** Zip archives, of which workbooks are one kind. */
const isZip = (bytes: Uint8Array): boolean => startsWith(bytes, 0x50, 0x4b)
/** Workbooks of Excel before 2007, and those with a password. */
const isCompound = (bytes: Uint8Array): boolean => startsWith(bytes, 0xd0, 0xcf, 0x11, 0xe0)

export function readFile(bytes: Uint8Array): ReadFile {
  try {
    return { table: readTable(bytes) }
  } catch (error) {
    if (error instanceof UnreadableFile) return { refusal: error.refusal }
    return { refusal: { why: 'damaged' } }
  }
}

function readTable(bytes: Uint8Array): FileTable {
  if (bytes.length === 0) unreadable({ why: 'empty' })
  if (bytes.length > limits.fileBytes) unreadable({ why: 'too large', limit: limits.fileBytes })
  if (isZip(bytes)) {
    const { lines, notes } = readWorkbook(bytes)
    return tableOf(lines, notes)
  }
  if (isCompound(bytes)) unreadable({ why: isEncrypted(bytes) ? 'password' : 'old format' })
  const { text, encoding } = decode(bytes)
  if (!isTable(text)) unreadable({ why: 'not a spreadsheet' })
  const delimiter = delimiterOf(text)
  return { ...tableOf(linesOfCsv(text, delimiter), []), encoding, delimiter }
}

/** A workbook with a password is a part of this name in an older kind of file. */
function isEncrypted(bytes: Uint8Array): boolean {
  return new TextDecoder('utf-16le')
    .decode(bytes.subarray(0, bytes.length - (bytes.length % 2)))
    .includes('EncryptedPackage')
}

const sampled = 4_096

/** No control characters, and neither a web page nor another kind of text that programs write. */
function isTable(text: string): boolean {
  const start = text.slice(0, sampled)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: files that are no text contain them
  if (/[\u0000-\u0008\u000e-\u001a\u001c-\u001f]/.test(start)) return false
  return !/^\s*(?:<|\{|%PDF|\{\\rtf)/.test(start)
}

function tableOf(lines: readonly Line[], notes: readonly Note[]): FileTable {
  if (lines.length === 0) unreadable({ why: 'empty' })
  const titles = titleRows(lines)
  const head = lines[titles] ?? unreadable({ why: 'no headings' })
  const rows = lines.slice(titles + 1)
  if (head.cells.filter((cell) => cell !== '').length === 0) unreadable({ why: 'no headings' })
  if (rows.length === 0) unreadable({ why: 'empty' })
  if (rows.length > limits.rows) unreadable({ why: 'too many rows', limit: limits.rows })
  const decimalMark = decimalMarkOf(rows)
  const columns = Math.max(head.cells.length, ...rows.slice(0, 1_000).map(({ cells }) => cells.length))
  return {
    headings: Array.from({ length: columns }, (_, at) => withMark(head.cells[at] ?? '', decimalMark)),
    rows: rows.map(({ line, cells }) => ({ line, cells: cells.map((cell) => withMark(cell, decimalMark)) })),
    decimalMark,
    notes: titles === 0 ? notes : [{ what: 'title rows', count: titles }, ...notes],
  }
}

/** Numbers of a workbook are written like those in its texts. */
const withMark = (cell: string, mark: DecimalMark): string =>
  cell.startsWith(numberSign) ? cell.slice(1).replace('.', mark) : cell

const mostTitles = 5

/** Lines with one cell above a line with several are titles. */
function titleRows(lines: readonly Line[]): number {
  const filled = (at: number): number => lines[at]?.cells.filter((cell) => cell !== '').length ?? 0
  let at = 0
  while (
    at < mostTitles &&
    filled(at) === 1 &&
    filled(at + 1) >= 1 &&
    lines.slice(at + 1, at + 1 + mostTitles).some((_, next) => filled(at + 1 + next) > 1)
  )
    at++
  return filled(at) > 1 ? at : 0
}
