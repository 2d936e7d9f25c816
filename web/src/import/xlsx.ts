// Reads the first visible sheet of a workbook (XLSX): values only, formulas by their last result.
// Long because the parts of a workbook refer to each other.

import { type Line, Lines, limits, type Note, numberSign, unreadable } from './refusal.ts'
import { XmlPieces, type XmlReader } from './xml.ts'
import { Archive } from './zip.ts'

export type Workbook = { readonly lines: readonly Line[]; readonly notes: readonly Note[] }

const nothing = (): void => {}

function readXml(archive: Archive, name: string, reader: Partial<XmlReader>): void {
  const pieces = new XmlPieces({ open: nothing, close: nothing, text: nothing, ...reader })
  archive.read(name, (text) => pieces.take(text))
}

export function readWorkbook(bytes: Uint8Array): Workbook {
  const archive = new Archive(bytes)
  if (!archive.has('xl/workbook.xml'))
    return unreadable({ why: archive.has('xl/workbook.bin') ? 'old format' : 'not a spreadsheet' })
  const sheet = firstSheet(archive)
  const texts = sharedTexts(archive)
  const isDay = dayStyles(archive)
  const { lines, notes } = readSheet(archive, sheet.part, texts, isDay)
  return {
    lines,
    notes: [
      ...(sheet.others > 0 ? [{ what: 'other sheets', sheet: sheet.name, count: sheet.others } as const] : []),
      ...notes,
    ],
  }
}

function firstSheet(archive: Archive): { readonly name: string; readonly part: string; readonly others: number } {
  const sheets: { name: string; id: string; isHidden: boolean }[] = []
  readXml(archive, 'xl/workbook.xml', {
    open: (name, attribute) => {
      if (name === 'sheet')
        sheets.push({
          name: attribute('name') ?? '',
          id: attribute('id') ?? '',
          isHidden: (attribute('state') ?? 'visible') !== 'visible',
        })
    },
  })
  const targets = new Map<string, string>()
  const relations = 'xl/_rels/workbook.xml.rels'
  if (archive.has(relations))
    readXml(archive, relations, {
      open: (name, attribute) => {
        if (name === 'Relationship') targets.set(attribute('Id') ?? '', attribute('Target') ?? '')
      },
    })
  const visible = sheets.filter(({ isHidden }) => !isHidden)
  const first = visible[0] ?? sheets[0] ?? unreadable({ why: 'empty' })
  const target = targets.get(first.id) ?? 'worksheets/sheet1.xml'
  const part = target.startsWith('/') ? target.slice(1) : `xl/${target}`
  return { name: first.name, part, others: Math.max(0, visible.length - 1) }
}

/** Texts that several cells may share. */
function sharedTexts(archive: Archive): readonly string[] {
  const part = 'xl/sharedStrings.xml'
  if (!archive.has(part)) return []
  const texts: string[] = []
  let [text, length, isIn, isSound] = ['', 0, false, false]
  readXml(archive, part, {
    open: (name) => {
      if (name === 'si') text = ''
      // How a text in Japanese is pronounced is no part of it.
      if (name === 'rPh') isSound = true
      if (name === 't') isIn = !isSound
    },
    close: (name) => {
      if (name === 't') isIn = false
      if (name === 'rPh') isSound = false
      if (name === 'si') texts.push(text)
    },
    text: (piece) => {
      if (!isIn) return
      text += piece
      length += piece.length
      if (length > limits.textLength) unreadable({ why: 'unpacks too large', limit: limits.textLength })
    },
  })
  return texts
}

/** The formats of numbers that show a day: those that Excel has built in, and those with a day, a month or a year in them. */
const builtIn = new Set([14, 15, 16, 17, 22, 27, 28, 29, 30, 31, 36, 50, 51, 52, 53, 54, 57, 58])

function dayStyles(archive: Archive): (style: number) => boolean {
  const part = 'xl/styles.xml'
  if (!archive.has(part)) return () => false
  const days = new Set(builtIn)
  const styles: number[] = []
  let isIn = false
  readXml(archive, part, {
    open: (name, attribute) => {
      if (name === 'numFmt') {
        const code = (attribute('formatCode') ?? '').replace(/"[^"]*"|\\.|\[[^\]]*\]/g, '')
        if (/[dy]/i.test(code) && !/[#0]/.test(code)) days.add(Number(attribute('numFmtId')))
      }
      if (name === 'cellXfs') isIn = true
      if (name === 'xf' && isIn) styles.push(Number(attribute('numFmtId') ?? 0))
    },
    close: (name) => {
      if (name === 'cellXfs') isIn = false
    },
  })
  return (style) => days.has(styles[style] ?? 0)
}

/** `C7` is in column 2. */
function columnOf(place: string | undefined): number | undefined {
  const letters = /^[A-Z]{1,3}/.exec(place ?? '')?.[0]
  if (letters === undefined) return undefined
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1
}

const dayMs = 86_400_000
/** Days since the start of Excel's calendar, which has a 29 February 1900. */
const dayText = (days: number): string => new Date(Math.floor(days - 25_569) * dayMs).toISOString().slice(0, 10)

/** The digits that Excel shows: a sum such as 0.1 + 0.2 is stored with 17 of them. */
function numberText(value: string): string {
  const number = Number(value)
  if (!Number.isFinite(number)) return value
  const shown = String(Number(number.toPrecision(15)))
  return shown.includes('e') ? number.toFixed(Math.abs(number) < 1 ? 12 : 0).replace(/\.?0+$/, '') : shown
}

type CellState = { column: number; type: string; style: number; value: string; hasFormula: boolean }

function readSheet(
  archive: Archive,
  part: string,
  texts: readonly string[],
  isDay: (style: number) => boolean,
): { readonly lines: readonly Line[]; readonly notes: readonly Note[] } {
  const lines = new Lines()
  const counts = { 'merged cells': 0, 'formulas without values': 0, 'formula errors': 0 }
  let [row, cells, inValue]: [number, string[], boolean] = [0, [], false]
  let cell: CellState | undefined
  const shown = ({ type, value, style, hasFormula }: CellState): string => {
    if (value === '' && hasFormula) counts['formulas without values']++
    if (type === 's') return texts[Number(value)] ?? ''
    if (type === 'e') counts['formula errors']++
    if (type === 'b') return value === '1' ? 'TRUE' : 'FALSE'
    if (type !== 'n' || value === '') return value
    const days = Number(value)
    return isDay(style) && days >= 1 && days < 2_958_466 ? dayText(days) : numberSign + numberText(value)
  }
  readXml(archive, part, {
    open: (name, attribute) => {
      if (name === 'row') {
        row = Number(attribute('r') ?? row + 1)
        cells = []
      } else if (name === 'c') {
        const column = columnOf(attribute('r')) ?? cells.length
        if (column >= limits.columns * 100) unreadable({ why: 'too many columns', limit: limits.columns })
        cell = { column, type: attribute('t') ?? 'n', style: Number(attribute('s') ?? 0), value: '', hasFormula: false }
      } else if (name === 'v' || (name === 't' && cell?.type === 'inlineStr')) inValue = true
      else if (name === 'f' && cell !== undefined) cell.hasFormula = true
      else if (name === 'mergeCell') counts['merged cells']++
    },
    text: (text) => {
      if (inValue && cell !== undefined && cell.value.length <= limits.cellLength) cell.value += text
    },
    close: (name) => {
      if (name === 'v' || name === 't') inValue = false
      else if (name === 'row') lines.add(row, cells)
      else if (name === 'c' && cell !== undefined) {
        const text = shown(cell)
        // Cells without a value may be formatted up to the last possible column.
        if (text !== '') {
          if (cell.column > limits.columns) unreadable({ why: 'too many columns', limit: limits.columns })
          while (cells.length < cell.column) cells.push('')
          cells[cell.column] = text
        }
        cell = undefined
      }
    },
  })
  const notes = Object.entries(counts).flatMap(([what, count]) => (count === 0 ? [] : [{ what, count } as Note]))
  return { lines: lines.all, notes }
}
