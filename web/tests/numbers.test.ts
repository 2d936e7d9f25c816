// Parsing and formatting of numbers: by the locale, without guessing, and without losing a digit.
// Long because it contains a table of cases for each locale.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { decimalText, product, rounded, sum } from '../src/decimal.ts'
import { fieldText, type NumberRead, numberIn, readNumber, shownNumber } from '../src/numbers.ts'

function shortOf(read: NumberRead): string {
  if (read.is === 'number') return read.text
  if (read.is === 'fine') return `${read.rounded}?`
  return read.is === 'unclear' ? `${read.choices[0]} or ${read.choices[1]}` : read.is
}

/**
 * Locale, typed or pasted text, its value in a money field, and in a quantity field where that differs. `0.13?`: has more decimals than
 * the field, which offers the rounded number.
 */
const cases: readonly (readonly [locale: string, typed: string, money: string, quantity?: string])[] = [
  // English
  ['en-US', '1234.5', '1234.5'],
  ['en-US', '1,234.50', '1234.5'],
  ['en-US', '1,234', '1234'],
  ['en-US', '1,234,567.89', '1234567.89'],
  ['en-US', '1,23,456.50', '123456.5'],
  ['en-US', '12,34,56,789', '123456789'],
  ['en-US', '1.234,50', '1234.5'],
  ['en-US', '1.234.567', '1234567'],
  ['en-US', '1.234', '1234 or 1.234', '1.234'],
  ['en-US', '-1.234', '-1234 or -1.234', '-1.234'],
  ['en-US', '0.125', '0.13?', '0.125'],
  ['en-US', '0,125', '0.13?', '0.125'],
  ['en-US', '1,5', '1.5'],
  ['en-US', '12,34', '12.34'],
  ['en-US', '1234,5', '1234.5'],
  ['en-US', '1234,567', '1234.57?', '1234.567'],
  ['en-US', '1,2345', 'wrong'],
  ['en-US', '1 234,50', '1234.5'],
  ['en-US', '$1,234.50', '1234.5'],
  ['en-US', 'US$ 1,234.50', '1234.5'],
  ['en-US', 'USD 1,234', '1234'],
  ['en-US', '1,234 EUR', '1234'],
  ['en-US', '-$5', '-5'],
  ['en-US', '$-5.10', '-5.1'],
  ['en-US', '($1,234.50)', '-1234.5'],
  ['en-US', '\u22125', '-5'],
  ['en-US', '+5', '5'],
  ['en-US', '.5', '0.5'],
  ['en-US', '5.', '5'],
  ['en-US', '007', '7'],
  ['en-US', '０１２．５', '12.5'],
  ['en-US', '33.333333333333333333', '33.33?', '33.333?'],
  ['en-US', '12.3400', '12.34'],
  ['en-US', '12.3456', '12.35?', '12.346?'],
  ['en-US', '0.0001', '0?', '0?'],
  ['en-US', '', 'empty'],
  ['en-US', ' \u00a0 ', 'empty'],
  ['en-US', '12 50', 'wrong'],
  ['en-US', '1,23,45', 'wrong'],
  ['en-US', '1,234.567.89', 'wrong'],
  ['en-US', '1.2.3', 'wrong'],
  ['en-US', '0,123,456', 'wrong'],
  ['en-US', '--5', 'wrong'],
  ['en-US', '5 kg', 'wrong'],
  ['en-US', 'ABC 5', 'wrong'],
  ['en-US', '1e3', 'wrong'],
  ['en-US', '5²', 'wrong'],
  ['en-US', '½', 'wrong'],
  ['en-US', 'NaN', 'wrong'],
  ['en-US', '.', 'wrong'],
  ['en-US', '-', 'wrong'],
  ['en-US', '99999999999999', 'wrong'],
  ['en-US', '1'.repeat(1000), 'wrong'],
  // Pasted from a spreadsheet: line breaks, no-break spaces, currencies, trailing minus signs
  ['en-US', '1,234.50\r\n', '1234.5'],
  ['en-US', '\u00a01,234.50\u00a0', '1234.5'],
  ['en-US', ' $ 1,234.50 ', '1234.5'],
  ['en-US', '$1,234.50-', '-1234.5'],
  ['en-US', '1,234.50-', '-1234.5'],
  ['en-US', '5 -', '-5'],
  ['en-US', '-5-', 'wrong'],
  ['en-US', '(5)-', 'wrong'],
  ['en-US', '1\t234', 'wrong'],
  ['en-US', '1\r\n234', 'wrong'],
  ['en-US', '12.5%', 'wrong'],
  ['en-US', '#DIV/0!', 'wrong'],
  ['en-US', '#####', 'wrong'],
  ['en-US', '=1+1', 'wrong'],
  // British English
  ['en-GB', '1234.5', '1234.5'],
  ['en-GB', '1,234.50', '1234.5'],
  ['en-GB', '1,234', '1234'],
  ['en-GB', '1.234', '1234 or 1.234', '1.234'],
  ['en-GB', '12,5', '12.5'],
  ['en-GB', '1.234,50', '1234.5'],
  ['en-GB', '£1,234.50', '1234.5'],
  ['en-GB', '-£1,234.50', '-1234.5'],
  ['en-GB', '£1,234.50-', '-1234.5'],
  ['en-GB', '(£1,234.50)', '-1234.5'],
  ['en-GB', 'GBP 1,234.50', '1234.5'],
  ['en-GB', '1\u00a0234.50', '1234.5'],
  // German
  ['de-DE', '1234,5', '1234.5'],
  ['de-DE', '1.234,50', '1234.5'],
  ['de-DE', '1.234', '1234'],
  ['de-DE', '1.234.567,89', '1234567.89'],
  ['de-DE', '1,234.50', '1234.5'],
  ['de-DE', '1,234', '1234 or 1.234'],
  ['de-DE', '12,345', '12345 or 12.345'],
  ['de-DE', '1,2345', '1.23?', '1.235?'],
  ['de-DE', '1.2345', 'wrong'],
  ['de-DE', '0,125', '0.13?', '0.125'],
  ['de-DE', '1.5', '1.5'],
  ['de-DE', '1,234,567', '1234567'],
  ['de-DE', '1.234,50 €', '1234.5'],
  ['de-DE', '\u22121.234,50\u00a0€', '-1234.5'],
  ['de-DE', '1.234,50-', '-1234.5'],
  ['de-DE', '1.234,50- €', '-1234.5'],
  ['de-DE', '1.234,50 €-', '-1234.5'],
  ['de-DE', '(1.234,50 €)', '-1234.5'],
  ['de-DE', 'EUR 1.234,50', '1234.5'],
  ['de-DE', '1\u00a0234,50\r\n', '1234.5'],
  ['de-DE', '1.234\t5', 'wrong'],
  // French: narrow no-break spaces between thousands, a no-break space before the currency symbol
  ['fr-FR', '1\u202f234,50', '1234.5'],
  ['fr-FR', '1\u202f234,50\u00a0€', '1234.5'],
  ['fr-FR', '1 234', '1234'],
  ['fr-FR', '1\u2009234\u2009567', '1234567'],
  ['fr-FR', '1234.5', '1234.5'],
  ['fr-FR', '1.234', '1234 or 1.234'],
  ['fr-FR', '1,234', '1234 or 1.234'],
  ['fr-FR', '1.234,50', '1234.5'],
  ['fr-FR', '1,234.50', '1234.5'],
  ['fr-FR', '-1\u202f234,50\u00a0€', '-1234.5'],
  ['fr-FR', '1\u202f234,50-', '-1234.5'],
  ['fr-FR', '(1\u00a0234,50\u00a0€)', '-1234.5'],
  ['fr-FR', '12,5', '12.5'],
  // Russian
  ['ru-RU', '1\u00a0234,50', '1234.5'],
  ['ru-RU', '1\u00a0234,50\u00a0₽', '1234.5'],
  ['ru-RU', '12345,67', '12345.67'],
  ['ru-RU', '12345.67', '12345.67'],
  ['ru-RU', '1.234', '1234 or 1.234'],
  ['ru-RU', '1,234', '1234 or 1.234'],
  ['ru-RU', '\u22125,5', '-5.5'],
  ['ru-RU', '-1\u00a0234,50\u00a0₽', '-1234.5'],
  ['ru-RU', '1\u00a0234,50-', '-1234.5'],
  ['ru-RU', '1\u202f234,50 RUB', '1234.5'],
  ['ru-RU', '1 234 567,89', '1234567.89'],
  ['ru-RU', '1.234,50', '1234.5'],
  ['ru-RU', '1,234.50', '1234.5'],
  // Swiss German
  ['de-CH', '1’234.50', '1234.5'],
  ['de-CH', "1'234.50", '1234.5'],
  ['de-CH', "1'234", '1234'],
  ['de-CH', 'CHF 1’234.50', '1234.5'],
  ['de-CH', 'CHF-1’234.50', '-1234.5'],
  ['de-CH', '1.234', '1234 or 1.234', '1.234'],
  ['de-CH', '1,234', '1234 or 1.234'],
  ['de-CH', '1,5', '1.5'],
  ['de-CH', '1.234,50', '1234.5'],
]

test('typed or pasted text is parsed by the locale, and ambiguous text raises a question', () => {
  for (const [locale, typed, money, quantity = money] of cases) {
    assert.equal(shortOf(readNumber(typed, { locale, decimals: 2 })), money, `${locale}, money: ${typed}`)
    assert.equal(shortOf(readNumber(typed, { locale, decimals: 3 })), quantity, `${locale}, quantity: ${typed}`)
  }
})

test('a field treats empty text as 0, and has no value for text that is not resolved', () => {
  const money = { locale: 'en-US', decimals: 2 }
  assert.equal(numberIn(readNumber('-2.3400', money), money), -2.34)
  assert.equal(numberIn(readNumber('-2.3450', money), money), undefined)
  assert.equal(numberIn(readNumber('', money), money), 0)
  assert.equal(numberIn(readNumber('1.234', money), money), undefined)
})

test('fields format numbers by the locale', () => {
  const shown = (locale: string, decimals: number, value: number): string =>
    fieldText(value, { locale, decimals }, true).replace(/\s/g, ' ').replace('’', "'")
  assert.equal(shown('en-US', 2, 1234.5), '1,234.50')
  assert.equal(shown('de-DE', 2, 1234.5), '1.234,50')
  assert.equal(shown('fr-FR', 2, 1234.5), '1 234,50')
  assert.equal(shown('de-CH', 2, 1234.5), "1'234.50")
  assert.equal(shown('en-US', 3, 2.375), '2.375')
  assert.equal(shown('de-DE', 3, 2.5), '2,5')
  // 2,375 would be ambiguous when typed.
  assert.equal(shown('de-DE', 3, 2.375), '2,3750')
  assert.equal(fieldText(1234.5, { locale: 'de-DE', decimals: 2 }, false), '1234,50')
})

const locales = Intl.NumberFormat.supportedLocalesOf(
  'en-US en-GB en-IN en-ZA de-DE de-AT de-CH de-LI fr-FR fr-CH fr-CA it-IT it-CH es-ES es-MX pt-PT pt-BR nl-NL ru-RU uk-UA pl-PL cs-CZ sk-SK hu-HU ro-RO bg-BG sr-RS hr-HR sl-SI el-GR tr-TR sv-SE nb-NO da-DK fi-FI et-EE lv-LV lt-LT he-IL ar-EG ar-SA ar-AE fa-IR hi-IN mr-IN bn-BD ne-NP th-TH vi-VN id-ID ms-MY ja-JP ko-KR zh-CN zh-TW ka-GE hy-AM az-AZ kk-KZ uz-UZ is-IS ga-IE eu-ES ca-ES gl-ES mk-MK sq-AL af-ZA sw-KE'.split(
    ' ',
  ),
)
const currencies = [
  'EUR',
  'USD',
  'CHF',
  'RUB',
  'INR',
  'GBP',
  'SEK',
  'DKK',
  'PLN',
  'CZK',
  'BRL',
  'TRY',
  'ILS',
  'EGP',
  'IRR',
]

const aNumber = (decimals: number) =>
  fc
    .tuple(fc.boolean(), fc.bigInt({ min: 0n, max: 10n ** 9n }), fc.integer({ min: 0, max: 10 ** decimals - 1 }))
    .map(([isNegative, whole, part]) =>
      Number(`${isNegative ? '-' : ''}${whole}.${String(part).padStart(decimals, '0')}`),
    )
    .map((value) => (value === 0 ? 0 : value))

test('the text in a field parses to the same number in every locale, with and without thousands separators', () => {
  assert.ok(locales.length > 50, 'Node has the data of all locales')
  for (const decimals of [2, 3, 6])
    fc.assert(
      fc.property(fc.constantFrom(...locales), aNumber(decimals), fc.boolean(), (locale, value, isGrouped) => {
        const field = { locale, decimals }
        const text = fieldText(value, field, isGrouped)
        assert.equal(numberIn(readNumber(text, field), field), value, `${locale}: ${text}`)
      }),
      { numRuns: 2000 },
    )
})

test('a number copied from a list and pasted into a field is the same number or a question that offers it', () => {
  fc.assert(
    fc.property(fc.constantFrom(...locales), fc.constantFrom(...currencies), aNumber(2), (locale, currency, value) => {
      const style = { style: 'currency', currency, currencyDisplay: 'narrowSymbol' } as const
      const money = { ...style, minimumFractionDigits: 2, maximumFractionDigits: 2 }
      const shown = new Intl.NumberFormat(locale, money).format(value).replace('-', '−')
      const read = readNumber(shown, { locale, decimals: 2, currency })
      assert.equal(shortOf(read), decimalText(value), `${locale}: ${shown}`)
    }),
    { numRuns: 3000 },
  )
  fc.assert(
    fc.property(fc.constantFrom(...locales), aNumber(3), (locale, value) => {
      const read = readNumber(shownNumber(value, { locale, decimals: 3 }), { locale, decimals: 3 })
      const offered = read.is === 'unclear' ? read.choices : [shortOf(read)]
      assert.ok(offered.includes(decimalText(value)), `${locale}: ${value}`)
    }),
    { numRuns: 3000 },
  )
})

test('any pasted text is parsed quickly and never yields NaN', () => {
  const signs = fc.constantFrom(..."0123456789.,\u00a0 '’-−+()€$\u202f٫٬١٢３，".split(''))
  fc.assert(
    fc.property(fc.constantFrom(...locales), fc.array(signs, { maxLength: 20 }), (locale, all) => {
      const read = readNumber(all.join(''), { locale, decimals: 2 })
      for (const text of read.is === 'number' ? [read.text] : read.is === 'unclear' ? read.choices : [])
        assert.match(text, /^-?\d+(\.\d+)?$/)
    }),
    { numRuns: 3000 },
  )
})

test('decimals are computed digit by digit', () => {
  assert.equal(product(1.005, 100, 2), 100.5)
  assert.equal(product(1.115, 1, 2), 1.12)
  assert.equal(product(-1.115, 1, 2), -1.12)
  assert.equal(product(33.333333333333336, 6, 2), 200)
  assert.equal(rounded('0.0005', 3), 0.001)
  assert.equal(sum([0.1, 0.2], 3), 0.3)
  assert.equal(sum([], 2), 0)
  assert.equal(sum([99999999999.99, 0.01], 2), 100000000000)
  assert.equal(decimalText(1e-7), '0.0000001')
  assert.equal(decimalText(1e21), '1000000000000000000000')
  assert.equal(decimalText(-12.5), '-12.5')
  assert.equal(decimalText(0), '0')
})
