// How papers are laid out: pages, repeated headings, sums, languages, long names, and characters that the typeface does not have.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { companyLanguages } from '../../access/first-records.ts'
import { Pdf } from '../../platform/paper/pdf.ts'
import type { Mark, Page, Sheet } from '../../platform/paper/sheet.ts'
import {
  itemsToLabel,
  jobToPrint,
  longName,
  printingCompany,
  purchaseToPrint,
  quoteToPrint,
  saleToPrint,
  slipToPrint,
} from '../../test/harness/papers.ts'
import { composeSheet, printPaper } from './compose.ts'
import { formatsFor } from './formats.ts'
import type { Language, PaperKind, PaperOptions } from './job.ts'
import { labelSheetNames, labelSheets } from './label-sheets.ts'
import { textsOf } from './texts.ts'

type Facts = Parameters<typeof composeSheet>[1]
type Text = Extract<Mark, { kind: 'text' }>

/** Reads the typeface once. */
const pen = new Pdf('en', undefined)
const composed = (
  kind: PaperKind,
  facts: Facts,
  { with: own = pen, ...options }: Partial<PaperOptions> & { with?: Pdf } = {},
): Sheet => composeSheet({ kind, options: { language: 'en', ...options } }, facts, own)
const textsOn = (page: Page | undefined): Text[] => (page ?? []).filter((mark) => mark.kind === 'text')
const wordsOn = (page: Page | undefined): string[] => textsOn(page).map(({ text }) => text)
const wordsOf = ({ pages }: Sheet): string[] => pages.flatMap(wordsOn)

const kinds: readonly (readonly [PaperKind, (count: number) => Facts])[] = [
  ['order-confirmation', saleToPrint],
  ['quote', quoteToPrint],
  ['packing-slip', slipToPrint],
  ['purchase-order', purchaseToPrint],
  ['job-sheet', jobToPrint],
]

function assertOnPaper(sheet: Sheet): void {
  for (const page of sheet.pages)
    for (const { text, x, y, face, size, hasEqualFigures } of textsOn(page)) {
      const width = pen.widthOf(text, { face, size, hasEqualFigures })
      assert.ok(x >= 0 && x + width <= sheet.width + 0.01, `${text} is beyond the side of the page`)
      assert.ok(y >= 0 && y <= sheet.height, `${text} is beyond the foot of the page`)
    }
}

test('500 lines continue over pages with a repeated heading, numbered pages, and no line lost or below the edge', () => {
  for (const [kind, facts] of kinds) {
    const count = kind === 'order-confirmation' ? 500 : 120
    const sheet = composed(kind, facts(count))
    assert.ok(sheet.pages.length > count / 50, kind)
    assertOnPaper(sheet)
    for (const [at, page] of sheet.pages.entries()) {
      const words = wordsOn(page)
      assert.equal(words.filter((one) => one === `Page ${at + 1} of ${sheet.pages.length}`).length, 1)
      const lines = words.filter((one) => one.startsWith('SKU-')).length
      assert.ok(lines === 0 || words.includes('Quantity'), `${kind}: page ${at + 1} has no heading`)
    }
    const skus = wordsOf(sheet).filter((one) => one.startsWith('SKU-'))
    assert.equal(skus.length, kind === 'job-sheet' ? count + 2 : count, kind)
    // The foot of the page is kept free.
    for (const page of sheet.pages)
      for (const { text, y } of textsOn(page))
        if (text.startsWith('SKU-')) assert.ok(y < sheet.height - 75, `${text} at ${y}`)
  }
})

test('totals are never alone on a page, however many lines there are', () => {
  let breaks = 0
  for (let count = 1; count <= 60; count++) {
    const lines = saleToPrint(1).lines.slice(0, 1)
    const { pages } = composed('order-confirmation', saleToPrint(0, { lines: Array(count).fill(lines[0]) }))
    const last = pages.findLastIndex((page) => wordsOn(page).includes('Subtotal'))
    assert.ok(wordsOn(pages[last]).includes('SKU-1000'), `${count} lines`)
    if (pages.length > 1) breaks++
  }
  assert.ok(breaks > 20)
})

test('a row stays together, and a name that is too long for its column continues on further lines', () => {
  const { pages } = composed('packing-slip', slipToPrint(4))
  const [page] = pages
  const words = wordsOn(page)
  const from = words.findIndex((one) => longName.startsWith(one) && one.startsWith('Dining'))
  const to = words.indexOf('SKU-1003')
  assert.ok(to - from >= 4)
  assert.equal(words.slice(from, to).join(' ').replaceAll(' ', ''), longName.replaceAll(' ', ''))
})

test('every language has every text, and a document contains none of another language', () => {
  const keys = Object.keys(textsOf.en)
  for (const language of companyLanguages) assert.deepEqual(Object.keys(textsOf[language]), keys)
  const plain = (language: Language): string[] =>
    Object.values(textsOf[language]).filter((one): one is string => typeof one === 'string' && one.length > 4)
  for (const language of companyLanguages)
    for (const [kind, facts] of kinds) {
      const found = new Set(wordsOf(composed(kind, facts(3), { language })))
      for (const other of companyLanguages.filter((one) => one !== language))
        for (const one of plain(other).filter((text) => !plain(language).includes(text)))
          assert.ok(!found.has(one), `${kind} in ${language} contains ${one}`)
    }
})

test('numbers, money and days are written as in the language, to the last digit', () => {
  const cases: readonly (readonly [Language, string, string, string, string])[] = [
    ['en', '€999,999,999,999.99', '−1,234.50', '1,234.125\u00a0kg', '5 Mar 2026'],
    ['de', '999.999.999.999,99\u00a0€', '−1.234,50', '1.234,125\u00a0kg', '05.03.2026'],
    ['ru', '999\u00a0999\u00a0999\u00a0999,99\u00a0€', '−1\u00a0234,50', '1\u00a0234,125\u00a0kg', '05.03.2026'],
  ]
  for (const [language, money, price, quantity, day] of cases) {
    const formats = formatsFor(language, printingCompany)
    assert.equal(formats.money('999999999999.99'), money)
    assert.equal(formats.plain('-1234.5'), price)
    assert.equal(formats.quantity('1234.125', 'kg'), quantity)
    assert.equal(formats.day('2026-03-05'), day)
  }
  const american = formatsFor('en', { ...printingCompany, country: 'US', currency: 'USD' })
  assert.deepEqual([american.money('1234.5'), american.day('2026-03-05')], ['$1,234.50', 'Mar 5, 2026'])
  // More digits than a binary number has.
  assert.equal(formatsFor('en', printingCompany).plain('9007199254740993.01'), '9,007,199,254,740,993.01')
})

test('a character that the typeface does not have is shown as a box, and the document says of which script it is', () => {
  const customer = { name: '東芝 שלום \u202eabc', country: 'JP', vat_number: '' }
  const lines = [{ ...saleToPrint(1).lines[0], name: 'طاولة 😀 table', sku: 'A\u0301' }]
  // A pen remembers what was missing.
  const fresh = () => ({ with: new Pdf('en', undefined) })
  const sheet = composed('order-confirmation', saleToPrint(0, { customer, lines } as object), fresh())
  const words = wordsOf(sheet)
  assert.ok(words.includes('□□ □□□□ abc'), words.join('\n'))
  assert.ok(words.includes('□□□□□ □ table'))
  assert.ok(words.includes('Á'))
  const notice = words.filter((one) => /cannot be printed|Arabic|other symbols/.test(one)).join(' ')
  for (const script of ['Arabic', 'Han', 'Hebrew', 'other symbols']) assert.ok(notice.includes(script), notice)
  assert.doesNotMatch(wordsOf(composed('order-confirmation', saleToPrint(3), fresh())).join(), /□/)
  // Also what only the foot of the page shows.
  const foreign = { company: { ...printingCompany, bank_name: 'ბანკი' } }
  assert.match(wordsOf(composed('order-confirmation', saleToPrint(3, foreign), fresh())).join(' '), /Georgian/)
})

test('what a packing slip and a job sheet are given contains no money', () => {
  for (const facts of [slipToPrint(3), jobToPrint(3)])
    assert.doesNotMatch(JSON.stringify(facts), /"(price|total|cost|subtotal|discount|bank_account)"/)
})

test('prices below each other have figures of equal width, and end where their column ends', () => {
  const { pages } = composed('order-confirmation', saleToPrint(30))
  const ends = textsOn(pages[0])
    .filter(({ text }) => /^1,0\d\d\.07$/.test(text))
    .map((mark) => (mark.x + pen.widthOf(mark.text, mark)).toFixed(3))
  assert.ok(ends.length > 5)
  assert.equal(new Set(ends).size, 1)
  const wide = (text: string): number => pen.widthOf(text, { hasEqualFigures: true })
  assert.ok(Math.abs(wide('1,111.11') - wide('8,000.00')) < 0.001)
  assert.notEqual(pen.widthOf('111', {}), pen.widthOf('000', {}))
})

test('labels are inside their labels, on every sheet, and a code that would be too narrow becomes a QR code', () => {
  const counts = new Map(itemsToLabel.items.map(({ id }) => [id, 7]))
  for (const sheet of labelSheetNames)
    for (const code of [undefined, 'qr', 'code128'] as const) {
      const made = composed('labels', itemsToLabel, { labels: { counts, sheet, code, first: 1 } })
      assertOnPaper(made)
      const { columns, rows } = labelSheets[sheet]
      assert.equal(made.pages.length, Math.ceil(28 / (columns * rows)), sheet)
      const codes = made.pages.flat().filter((mark) => mark.kind === 'code')
      assert.equal(codes.length, 21, sheet)
      for (const { boxes } of codes)
        for (const [x, y, width, height] of boxes)
          assert.ok(x >= 0 && y >= 0 && x + width <= made.width && y + height <= made.height)
    }
})

test('a logo that cannot be drawn is left out, and the document is printed', async () => {
  const facts = JSON.stringify(saleToPrint(1))
  const options = { language: undefined }
  const broken = Buffer.from('89504e470d0a1a0a0000000d494844520000000200000002080600000072b60d24', 'hex')
  for (const bytes of [broken, Buffer.from('no picture')])
    for (const type of ['image/png', 'image/jpeg']) {
      const { content, name } = await printPaper({ kind: 'order-confirmation', options, facts, logo: { bytes, type } })
      assert.equal(Buffer.from(content).toString('latin1', 0, 5), '%PDF-')
      assert.equal(name, 'Auftragsbestätigung A-1007.pdf')
    }
})
