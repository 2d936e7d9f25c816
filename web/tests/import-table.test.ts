// Files as tables: what is recognised in them, and one clear reason for each file that cannot be read.
// Long because each kind of damage has its own case.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deflateRawSync } from 'node:zlib'
import { strToU8, zipSync } from 'fflate'
import { plainNumber } from '../src/import/decimal-mark.ts'
import type { Note } from '../src/import/refusal.ts'
import { readFile } from '../src/import/table.ts'
import { csvOf, type Sheet, xlsxOf } from '../src/kit/export-file.ts'

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)
const bytesOf = (text: string, encode: (code: number) => number[]): number[] =>
  [...text].flatMap((sign) => encode(sign.codePointAt(0) ?? 0))
const utf16le = (text: string): Uint8Array => new Uint8Array(bytesOf(text, (code) => [code & 0xff, code >> 8]))
const utf16be = (text: string): Uint8Array => new Uint8Array(bytesOf(text, (code) => [code >> 8, code & 0xff]))
/** Latin letters have the same numbers as in Unicode. */
const windows1252 = (text: string): Uint8Array =>
  new Uint8Array(bytesOf(text, (code) => [code === 0x20ac ? 0x80 : code]))
const windows1251 = (text: string): Uint8Array =>
  new Uint8Array(bytesOf(text, (code) => [code >= 0x410 ? code - 0x410 + 0xc0 : code]))
const joined = (...parts: (Uint8Array | number[])[]): Uint8Array => new Uint8Array(parts.flatMap((part) => [...part]))

function table(bytes: Uint8Array) {
  const read = readFile(bytes)
  return 'table' in read ? read.table : assert.fail(JSON.stringify(read.refusal))
}
function refusal(bytes: Uint8Array) {
  const read = readFile(bytes)
  return 'refusal' in read ? read.refusal : assert.fail('the file was read')
}
const cells = (bytes: Uint8Array): readonly (readonly string[])[] => {
  const { headings, rows } = table(bytes)
  return [headings, ...rows.map((row) => row.cells)]
}
const ofNote = (bytes: Uint8Array, what: Note['what']): number | undefined =>
  table(bytes).notes.find((note) => note.what === what)?.count

const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'

/** A workbook of one sheet with this XML of its rows. */
function workbook(
  rows: string,
  more: { after?: string; files?: Record<string, string>; level?: 0 | 9 } = {},
): Uint8Array {
  const files = {
    'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="r"><sheets><sheet name="One" sheetId="1" r:id="r1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': '<Relationships><Relationship Id="r1" Target="worksheets/one.xml"/></Relationships>',
    'xl/worksheets/one.xml': `<worksheet xmlns="${main}"><sheetData>${rows}</sheetData>${more.after ?? ''}</worksheet>`,
    ...more.files,
  }
  return zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(text)])), {
    level: more.level ?? 9,
  })
}
const text = (value: string): string => `<c t="inlineStr"><is><t>${value}</t></is></c>`
const head = `<row>${text('SKU')}${text('Price')}</row>`

const latin = 'Größe;Preis\nÄpfel;1,5\nBirnen;2,75\n'
const cyrillic = 'Название;Цена\nСтол дубовый;1,5\nСтул;2,75\n'

test('the encoding of a text file is recognised', () => {
  const cases: readonly (readonly [string, Uint8Array, string])[] = [
    ['utf-8', utf8(latin), 'Größe'],
    ['utf-8', joined([0xef, 0xbb, 0xbf], utf8(latin)), 'Größe'],
    ['utf-16le', joined([0xff, 0xfe], utf16le(cyrillic)), 'Название'],
    ['utf-16be', joined([0xfe, 0xff], utf16be(latin)), 'Größe'],
    ['utf-16le', utf16le(latin), 'Größe'],
    ['windows-1252', windows1252(latin), 'Größe'],
    ['windows-1251', windows1251(cyrillic), 'Название'],
  ]
  for (const [encoding, bytes, heading] of cases) {
    const found = table(bytes)
    assert.deepEqual([found.encoding, found.headings[0], found.rows.length], [encoding, heading, 2])
  }
})

test('the delimiter and the decimal mark are recognised', () => {
  const cases: readonly (readonly [string, string, string])[] = [
    ['a,b\n1,2\n3,4', ',', '.'],
    ['a;b;c\n1,5;2,50;x\n3,25;1.234,00;y', ';', ','],
    ['a\tb\n1.5\t2\n', '\t', '.'],
    ['a|b\n1|2\n', '|', '.'],
    ['sep=;\na;b,c\n1;2\n', ';', '.'],
    ['"a;b",c\n"1;2;3",4\n"1;2;3",5', ',', '.'],
    ['a;b\n1,234;x\n12,5;y', ';', ','],
  ]
  for (const [file, delimiter, decimalMark] of cases) {
    const found = table(utf8(file))
    assert.deepEqual([found.delimiter, found.decimalMark], [delimiter, decimalMark], file)
  }
})

test('quotes, line breaks in cells, empty lines and the lines of the file are kept apart', () => {
  const found = table(utf8('a,b\r\n\r\n"x ""y""\r\nz",2\r\n,,\r\n3,"4",\r\n5" pipe,6'))
  assert.deepEqual(
    found.rows.map(({ line, cells: own }) => [line, ...own]),
    [
      [3, 'x "y"\r\nz', '2'],
      [6, '3', '4'],
      [7, '5" pipe', '6'],
    ],
  )
})

test('what Export writes is read back, with texts that start a formula', () => {
  const sheet: Sheet = {
    columns: [{ title: 'Name', kind: 'text' }, { title: 'Price', kind: 'money' }, { title: 'Day', kind: 'day' }],
    rows: [['=1+1', 1.5, '2026-03-12'], ['a "b"; <c> & d\ne', 1234567.25, ''], ['+49 30 1', 0.001, null]],
  } // biome-ignore format: rows
  const expected = [
    ['Name', 'Price', 'Day'],
    ['=1+1', '1.5', '2026-03-12'],
    ['a "b"; <c> & d\ne', '1234567.25'],
    ['+49 30 1', '0.001'],
  ]
  assert.deepEqual(cells(utf8(csvOf(sheet))), expected)
  const semicolons = table(utf8(csvOf(sheet, ';')))
  assert.deepEqual(
    [semicolons.delimiter, semicolons.decimalMark, semicolons.rows[1]?.cells[1]],
    [';', ',', '1234567,25'],
  )
  const found = cells(xlsxOf(sheet))
  assert.deepEqual([found[0], found[2]], [expected[0], expected[2]])
  assert.deepEqual(found[1]?.slice(1), ['1.5', '2026-03-12'])
})

test('a workbook is read by the last results of its formulas', () => {
  const rows = `${head}<row r="4"><c r="A4" t="str"><f>A1</f><v>T-1</v></c><c r="B4"><f>0.1+0.2</f><v>0.30000000000000004</v></c></row>
    <row r="5"><c r="A5"><v>4006381333931</v></c><c r="B5"><f>NOW()</f></c></row><row r="6"><c r="A6" t="e"><v>#N/A</v></c></row>`
  const file = workbook(rows, { after: '<mergeCells count="1"><mergeCell ref="A1:B1"/></mergeCells>' })
  assert.deepEqual(cells(file), [['SKU', 'Price'], ['T-1', '0.3'], ['4006381333931'], ['#N/A']])
  assert.equal(table(file).rows[0]?.line, 4)
  assert.deepEqual(
    (['formulas without values', 'formula errors', 'merged cells', 'title rows'] as const).map((what) =>
      ofNote(file, what),
    ),
    [1, 1, 1, undefined],
  )
})

test('merged titles above the headings are left out', () => {
  const file = workbook(`<row>${text('Price list 2026')}</row><row/>${head}<row>${text('A')}<c><v>1</v></c></row>`)
  assert.deepEqual(cells(file), [
    ['SKU', 'Price'],
    ['A', '1'],
  ])
  assert.equal(ofNote(file, 'title rows'), 1)
  assert.deepEqual(cells(utf8('List\n\nsku,price\nA,1\n')), [
    ['sku', 'price'],
    ['A', '1'],
  ])
  assert.deepEqual(cells(utf8('name\nA\nB\n')), [['name'], ['A'], ['B']])
})

test('days are shown as days, and texts of any kind are read', () => {
  const rows = `${head}<row><c s="1"><v>46093</v></c><c t="b"><v>1</v></c></row><row><c t="s"><v>1</v></c><c><v>1E-3</v></c></row>`
  const files = {
    'xl/styles.xml': `<styleSheet><numFmts><numFmt numFmtId="170" formatCode="dd\\.mm\\.yyyy"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="170"/></cellXfs></styleSheet>`,
    'xl/sharedStrings.xml':
      '<sst><si><t>x</t></si><si><r><t>two </t></r><r><t>runs &amp; &#228;</t></r><rPh><t>no</t></rPh></si></sst>',
  }
  assert.deepEqual(cells(workbook(rows, { files })), [
    ['SKU', 'Price'],
    ['2026-03-12', 'TRUE'],
    ['two runs & ä', '0.001'],
  ])
})

test('numbers of a workbook are not taken for grouped ones when its texts have decimal commas', () => {
  const file = workbook(`${head}<row>${text('A')}<c><v>1.234</v></c></row><row>${text('B')}${text('12,5')}</row>`)
  const { decimalMark, rows } = table(file)
  assert.deepEqual(
    rows.map((row) => plainNumber(row.cells[1] ?? '', decimalMark)),
    ['1.234', '12.5'],
  )
})

test('only the first visible sheet is read', () => {
  const files = {
    'xl/workbook.xml': `<workbook xmlns:r="r"><sheets><sheet name="Hidden" state="hidden" r:id="r0"/><sheet name="One" r:id="r1"/><sheet name="Two" r:id="r2"/></sheets></workbook>`,
  }
  const file = workbook(`${head}<row>${text('A')}</row>`, { files })
  assert.deepEqual(table(file).notes, [{ what: 'other sheets', sheet: 'One', count: 1 }])
})

const compound = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]
const good = workbook(`${head}<row>${text('A')}<c><v>1</v></c></row>`)

test('each file that cannot be read is refused with its reason', () => {
  const manyRows = `a,b\n${'1,2\n'.repeat(20_001)}`
  const wide = `${Array.from({ length: 100_000 }, (_, at) => `c${at}`).join(',')}\n1,2\n`
  const cases: readonly (readonly [string, Uint8Array])[] = [
    ['empty', new Uint8Array()],
    ['empty', utf8('\n \n;;\n')],
    ['empty', utf8('sku,price\n')],
    ['not a spreadsheet', new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 13, 7, 0, 200, 0])],
    ['not a spreadsheet', utf8('%PDF-1.7 …')],
    ['not a spreadsheet', utf8('<html><table><tr><td>a</td></tr></table></html>')],
    ['not a spreadsheet', utf8('{"a": [1, 2]}')],
    ['not a spreadsheet', zipSync({ 'word/document.xml': strToU8('<w/>') })],
    ['old format', joined(compound, utf16le('Workbook'))],
    ['old format', zipSync({ 'xl/workbook.bin': strToU8('x') })],
    ['password', joined(compound, utf16le('EncryptedPackage'))],
    ['truncated', good.subarray(0, good.length - 60)],
    ['truncated', good.subarray(0, 50)],
    ['damaged', workbook('', { files: { 'xl/_rels/workbook.xml.rels': '<Relationships><Relationship Id="r1" Target="none.xml"/></Relationships>' } })],
    ['open quote', utf8('a,b\n1,"2\n3,4\n')],
    ['too many rows', utf8(manyRows)],
    ['too many columns', utf8(wide)],
    ['too many columns', workbook(`<row><c r="A1"><v>1</v></c><c r="XFD1"><v>2</v></c></row>`)],
    ['cell too long', utf8(`a,b\n${'x'.repeat(32_768)},1\n`)],
    ['too large', new Uint8Array(20 * 1024 * 1024 + 1).fill(65)],
  ] // biome-ignore format: one case per line
  for (const [why, bytes] of cases) assert.equal(refusal(bytes).why, why)
})

test('bytes that are changed anywhere are refused, or read as something', () => {
  for (let at = 0; at < good.length; at++) {
    const changed = Uint8Array.from(good)
    changed[at] = (changed[at] ?? 0) ^ 0xff
    const read = readFile(changed)
    assert.ok('table' in read || read.refusal.why !== undefined)
  }
})

/** An archive of one part, packed by zlib, which is faster for so many bytes. */
function archiveOf(name: string, content: Uint8Array): Uint8Array {
  const packed = deflateRawSync(content)
  const header = (mark: number, length: number, at: number, values: Readonly<Record<number, number>>): Uint8Array => {
    const view = new DataView(new ArrayBuffer(length))
    view.setUint32(0, mark, true)
    view.setUint16(at, 8, true)
    for (const [place, value] of Object.entries(values)) view.setUint32(Number(place), value, true)
    return new Uint8Array(view.buffer)
  }
  const local = joined(header(0x04034b50, 30, 8, { 18: packed.length, 26: name.length }), utf8(name), packed)
  const entry = joined(header(0x02014b50, 46, 10, { 20: packed.length, 28: name.length }), utf8(name))
  const end = header(0x06054b50, 22, 4, { 8: 1 | (1 << 16), 16: local.length })
  return joined(local, entry, end)
}

test('an archive that unpacks to gigabytes is refused, in little memory', () => {
  const bomb = archiveOf('xl/workbook.xml', new Uint8Array(70 * 1024 * 1024))
  assert.ok(bomb.length < 1024 * 1024)
  const before = process.memoryUsage().heapUsed
  assert.equal(refusal(bomb).why, 'unpacks too large')
  assert.ok(process.memoryUsage().heapUsed - before < 100 * 1024 * 1024)
})

test('numbers are read by the mark of the file', () => {
  const cases: readonly (readonly [cell: string, mark: '.' | ',', number: string | undefined])[] = [
    ['1.5', '.', '1.5'],
    ['1,234.50', '.', '1234.50'],
    ['1,5', '.', undefined],
    ['1,5', ',', '1.5'],
    ['1.234,5', ',', '1234.5'],
    ['1 234,5', ',', '1234.5'],
    ['1’234.5', '.', '1234.5'],
    ['€ 12,50', ',', '12.50'],
    ['12,50 EUR', ',', '12.50'],
    ['1 250,00 руб.', ',', '1250.00'],
    ['$12.50', '.', '12.50'],
    ['-3', '.', '-3'],
    ['(3)', '.', '-3'],
    [',5', ',', '0.5'],
    ['007', '.', '7'],
    ['1e5', '.', undefined],
    ['abc', '.', undefined],
    ['', '.', undefined],
    ['1.2.3', '.', undefined],
  ]
  for (const [cell, mark, number] of cases) assert.equal(plainNumber(cell, mark), number, `${cell} ${mark}`)
})
