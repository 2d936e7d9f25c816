// Writes a table as CSV or XLSX and downloads it. Loaded on the first export.

import { strToU8, zipSync } from 'fflate'

export type ExportForm = 'csv with commas' | 'csv with semicolons' | 'xlsx'

export type Cell = string | number | null
export type SheetColumn = { readonly title: string; readonly kind: 'text' | 'number' | 'money' | 'day' }
export type Sheet = { readonly columns: readonly SheetColumn[]; readonly rows: readonly (readonly Cell[])[] }

// Characters that spreadsheets skip before a formula: blanks, control characters and invisible characters.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they may precede a formula
const skipped = /^[\s\u0000-\u001f\u007f-\u00a0\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u2069\u3000\ufeff]+/

/** Marks a text as text that a spreadsheet would run as a formula; phone numbers and negative numbers are unchanged. */
function inert(value: string): string {
  // Compatibility forms start a formula too: full-width ＝, ＋, － and ＠, and the small ones.
  const start = value.replace(skipped, '').normalize('NFKC')
  const isFormula = /^[=@]/.test(start) || (/^[+-]/.test(start) && !/^[+-][\d\s().,/-]*$/.test(start))
  return isFormula || /^[\t\r\n]/.test(value) ? `'${value}` : value
}

/** The field separator; with a semicolon numbers have a decimal comma, as spreadsheets in such locales expect. */
export type Separator = ',' | ';'

export function csvOf({ columns, rows }: Sheet, separator: Separator = ','): string {
  const field = (cell: Cell): string => {
    if (cell === null) return ''
    if (typeof cell === 'number') return separator === ';' ? String(cell).replace('.', ',') : String(cell)
    const value = inert(cell)
    return /[",\n\r;]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value
  }
  const lines = [columns.map(({ title }) => field(title)), ...rows.map((row) => row.map(field))]
  // The byte order mark makes Excel read the file as UTF-8.
  return `\uFEFF${lines.map((line) => line.join(separator)).join('\r\n')}\r\n`
}

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escaped = (value: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: XML does not allow them
  value.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g, '').replace(/[&<>"]/g, (sign) => escapes[sign] ?? sign)

/** Days since the start of Excel's calendar. */
const excelDay = (day: string): number => Date.parse(`${day}T00:00:00Z`) / 86_400_000 + 25_569

const styleOf = { text: 0, number: 0, money: 2, day: 3 } as const

export function xlsxOf({ columns, rows }: Sheet): Uint8Array {
  const text = (value: string, style = 0): string =>
    `<c t="inlineStr" s="${style}"><is><t xml:space="preserve">${escaped(value)}</t></is></c>`
  const cell = (value: Cell, { kind }: SheetColumn): string => {
    if (value === null || value === '') return '<c/>'
    if (typeof value === 'number') return `<c s="${styleOf[kind]}"><v>${value}</v></c>`
    if (kind === 'day' && /^\d{4}-\d{2}-\d{2}$/.test(value)) return `<c s="3"><v>${excelDay(value)}</v></c>`
    return text(value)
  }
  const body = rows.map((row) => `<row>${columns.map((column, at) => cell(row[at] ?? null, column)).join('')}</row>`)
  const widths = columns.map(
    ({ kind }, at) => `<col min="${at + 1}" max="${at + 1}" width="${kind === 'text' ? 24 : 14}" customWidth="1"/>`,
  )
  const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
  const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
  const relations = 'http://schemas.openxmlformats.org/package/2006/relationships'
  const sheetType = 'application/vnd.openxmlformats-officedocument.spreadsheetml'
  const files: Record<string, string> = {
    '[Content_Types].xml': `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${sheetType}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${sheetType}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${sheetType}.styles+xml"/></Types>`,
    '_rels/.rels': `<Relationships xmlns="${relations}"><Relationship Id="r1" Type="${office}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${relations}"><Relationship Id="r1" Type="${office}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="r2" Type="${office}/styles" Target="styles.xml"/></Relationships>`,
    'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${office}"><sheets><sheet name="Kontor" sheetId="1" r:id="r1"/></sheets></workbook>`,
    'xl/styles.xml': `<styleSheet xmlns="${main}"><fonts count="2"><font/><font><b/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="4"><xf/><xf fontId="1" applyFont="1"/><xf numFmtId="4" applyNumberFormat="1"/><xf numFmtId="14" applyNumberFormat="1"/></cellXfs></styleSheet>`,
    'xl/worksheets/sheet1.xml': `<worksheet xmlns="${main}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" state="frozen"/></sheetView></sheetViews><cols>${widths.join('')}</cols><sheetData><row>${columns.map(({ title }) => text(title, 1)).join('')}</row>${body.join('')}</sheetData></worksheet>`,
  }
  const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
  return zipSync(Object.fromEntries(Object.entries(files).map(([name, xml]) => [name, strToU8(head + xml)])), {
    level: 6,
  })
}

export function downloadFile(name: string, sheet: Sheet, as: ExportForm): void {
  const isXlsx = as === 'xlsx'
  const type = isXlsx ? 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet' : 'text/csv;charset=utf-8'
  const content = isXlsx ? new Uint8Array(xlsxOf(sheet)) : csvOf(sheet, as === 'csv with semicolons' ? ';' : ',')
  const address = URL.createObjectURL(new Blob([content], { type }))
  const link = document.createElement('a')
  link.href = address
  link.download = `${name}.${isXlsx ? 'xlsx' : 'csv'}`
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), 10_000)
}
