// Exported cells are data: none is a formula when a spreadsheet opens the file.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { strFromU8, unzipSync } from 'fflate'
import { csvOf, type Sheet, xlsxOf } from '../src/kit/export-file.ts'

const formulas = [
  '=HYPERLINK("http://x")',
  '+1+cmd|x',
  '-2+3+cmd|x',
  '@SUM(A1)',
  ' =1+1',
  '\t=1+1',
  '\n=1+1',
  '\r\n =1+1',
  '\u00a0=1+1',
  '\u3000=1+1',
  '\ufeff=1+1',
  '\u200b=1+1',
  '\u0001=1+1',
  '＝1+1',
  ' ＝1+1',
  '＋cmd',
  '－cmd',
  '＠SUM(A1)',
  '﹦1+1',
  '\tplain text after a tab',
]
const harmless = ['Oak & Sons', '+49 30 123-45', '-5', '-1.234,50', ' plain', 'a=b', "O'Neil", '５ ｍ', '']

const sheetOf = (values: readonly string[]): Sheet => ({
  columns: [{ title: 'Name', kind: 'text' }],
  rows: values.map((value) => [value]),
})

/** The only cell of a CSV file with one row. */
const cellOf = (value: string): string => {
  const [, ...rest] = csvOf(sheetOf([value])).split('\r\n')
  const cell = rest.join('\r\n').replace(/\r\n$/, '')
  return cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell
}

test('a text that a spreadsheet would run as a formula is marked as text in CSV, whatever precedes it', () => {
  for (const value of formulas) assert.equal(cellOf(value), `'${value}`, JSON.stringify(value))
  for (const value of harmless) assert.equal(cellOf(value), value, JSON.stringify(value))
})

test('column titles are escaped in the same way', () => {
  const csv = csvOf({ columns: [{ title: ' =1+1', kind: 'text' }], rows: [] })
  assert.ok(csv.includes("' =1+1"))
})

test('in XLSX every text is a string and no cell is a formula', () => {
  const files = unzipSync(xlsxOf(sheetOf(formulas)))
  const sheet = strFromU8(files['xl/worksheets/sheet1.xml'] ?? new Uint8Array())
  assert.ok(!sheet.includes('<f>'))
  assert.equal(sheet.match(/t="inlineStr"/g)?.length, formulas.length + 1)
  const days = unzipSync(xlsxOf({ columns: [{ title: 'Day', kind: 'day' }], rows: [['=1+1']] }))
  const daySheet = strFromU8(days['xl/worksheets/sheet1.xml'] ?? new Uint8Array())
  assert.ok(!daySheet.includes('<v>NaN'), daySheet)
})

test('with semicolons numbers have a decimal comma, with commas a decimal point', () => {
  const sheet: Sheet = {
    columns: [
      { title: 'Name', kind: 'text' },
      { title: 'Total', kind: 'money' },
    ],
    rows: [
      ['Oak; elm', 1234.5],
      ['a,b', -0.25],
    ],
  }
  assert.equal(csvOf(sheet, ';'), '\uFEFFName;Total\r\n"Oak; elm";1234,5\r\n"a,b";-0,25\r\n')
  assert.equal(csvOf(sheet, ','), '\uFEFFName,Total\r\n"Oak; elm",1234.5\r\n"a,b",-0.25\r\n')
})
