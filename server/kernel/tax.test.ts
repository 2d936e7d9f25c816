// The tax of a document: cases worked out by hand, and what holds for every document. Long because of the cases.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { fixedDecimal, moneyPlaces, parseDecimal } from './decimal.ts'
import { computeTax, maxPercent, noRate, percentPlaces, type TaxRate, type TaxSums } from './tax.ts'

const money = (text: string): bigint => parseDecimal(text, moneyPlaces) ?? assert.fail(text)
/** `19`, or `19 VAT` with a name; `-` for no rate. */
function rate(text: string): TaxRate {
  if (text === '-') return noRate
  const [percent = '', name = 'Tax'] = text.split(' ')
  return { name, percent: parseDecimal(percent, percentPlaces) ?? assert.fail(text) }
}

type Case = {
  readonly lines: readonly (readonly [rate: string, total: string])[]
  readonly delivery?: string
  readonly discount?: string
  /** `<percent>: <net> + <tax> = <gross>` for each rate, then the sums. */
  readonly expected: readonly string[]
}

const shown = (text: string, { net, tax, gross }: Omit<TaxSums, 'rates'>): string =>
  `${text}${[net, tax].map((one) => fixedDecimal(one, moneyPlaces)).join(' + ')} = ${fixedDecimal(gross, moneyPlaces)}`

function computed({ lines, delivery = '0', discount = '0' }: Case, isIncluded: boolean): string[] {
  const sums = computeTax({
    lines: lines.map(([of, total]) => ({ rate: rate(of), total: money(total) })),
    deliveryPrice: money(delivery),
    discount: money(discount),
    isIncluded,
  })
  const name = (one: TaxRate): string => (one.name === 'Tax' || one.name === '' ? '' : ` ${one.name}`)
  return [
    ...sums.rates.map((one) => shown(`${Number(one.percent) / 1_000}${name(one)}: `, one)),
    ...(sums.rates.length === 1 ? [] : [shown('', sums)]),
  ]
}

const added: Readonly<Record<string, Case>> = {
  'one rate': { lines: [['19', '100']], expected: ['19: 100.00 + 19.00 = 119.00'] },
  // 0.0095
  'rounded up': { lines: [['19', '0.05']], expected: ['19: 0.05 + 0.01 = 0.06'] },
  // 0.0038
  'rounded down': { lines: [['19', '0.02']], expected: ['19: 0.02 + 0.00 = 0.02'] },
  // 0.005
  'half a cent': { lines: [['5', '0.10']], expected: ['5: 0.10 + 0.01 = 0.11'] },
  // 0.015
  'half a cent above an odd one': { lines: [['5', '0.30']], expected: ['5: 0.30 + 0.02 = 0.32'] },
  // 0.025
  'half a cent above an even one': { lines: [['25', '0.10']], expected: ['25: 0.10 + 0.03 = 0.13'] },
  // -0.005
  'half a cent below zero': { lines: [['5', '-0.10']], expected: ['5: -0.10 + -0.01 = -0.11'] },
  // 0.09 × 19 % = 0.0171. Line by line it would be 3 × 0.01.
  'rounded once, not line by line': {
    lines: [
      ['19', '0.03'],
      ['19', '0.03'],
      ['19', '0.03'],
    ],
    expected: ['19: 0.09 + 0.02 = 0.11'],
  },
  // 0.06 × 19 % = 0.0114. Line by line it would be 0.
  'small lines add up': {
    lines: [
      ['19', '0.02'],
      ['19', '0.02'],
      ['19', '0.02'],
    ],
    expected: ['19: 0.06 + 0.01 = 0.07'],
  },
  'two rates, the higher first': {
    lines: [
      ['7', '50'],
      ['19', '100'],
    ],
    expected: ['19: 100.00 + 19.00 = 119.00', '7: 50.00 + 3.50 = 53.50', '150.00 + 22.50 = 172.50'],
  },
  'a rate of zero': { lines: [['0', '80']], expected: ['0: 80.00 + 0.00 = 80.00'] },
  'no rate': { lines: [['-', '80']], expected: ['0: 80.00 + 0.00 = 80.00'] },
  'two taxes of the same percentage': {
    lines: [
      ['5 GST', '10.10'],
      ['5 Levy', '10.10'],
    ],
    // 0.505 each
    expected: ['5 GST: 10.10 + 0.51 = 10.61', '5 Levy: 10.10 + 0.51 = 10.61', '20.20 + 1.02 = 21.22'],
  },
  // 9.99945
  'one decimal': { lines: [['8.1', '123.45']], expected: ['8.1: 123.45 + 10.00 = 133.45'] },
  // 9.975
  'three decimals': { lines: [['9.975', '100']], expected: ['9.975: 100.00 + 9.98 = 109.98'] },
  // 0.001 % of 500.00 is half a cent.
  'the lowest percentage': { lines: [['0.001', '500']], expected: ['0.001: 500.00 + 0.01 = 500.01'] },
  'the highest percentage': { lines: [['100', '33.33']], expected: ['100: 33.33 + 33.33 = 66.66'] },
  delivery: { lines: [['19', '100']], delivery: '10', expected: ['19: 110.00 + 20.90 = 130.90'] },
  discount: { lines: [['19', '100']], discount: '10', expected: ['19: 90.00 + 17.10 = 107.10'] },
  'delivery over two rates': {
    lines: [
      ['19', '100'],
      ['7', '50'],
    ],
    delivery: '15',
    expected: ['19: 110.00 + 20.90 = 130.90', '7: 55.00 + 3.85 = 58.85', '165.00 + 24.75 = 189.75'],
  },
  // 6.66 and 3.33, and the cent that is left to the larger: 106.67 × 19 % = 20.2673, 53.33 × 7 % = 3.7331.
  'what remains goes to the largest': {
    lines: [
      ['19', '100'],
      ['7', '50'],
    ],
    delivery: '10',
    expected: ['19: 106.67 + 20.27 = 126.94', '7: 53.33 + 3.73 = 57.06', '160.00 + 24.00 = 184.00'],
  },
  // 93.33 × 19 % = 17.7327, 46.67 × 7 % = 3.2669.
  'also of a discount': {
    lines: [
      ['19', '100'],
      ['7', '50'],
    ],
    discount: '10',
    expected: ['19: 93.33 + 17.73 = 111.06', '7: 46.67 + 3.27 = 49.94', '140.00 + 21.00 = 161.00'],
  },
  'the largest has the lower percentage': {
    lines: [
      ['19', '1'],
      ['7', '2'],
    ],
    delivery: '1',
    // 0.33 and 0.67: 1.33 × 19 % = 0.2527, 2.67 × 7 % = 0.1869
    expected: ['19: 1.33 + 0.25 = 1.58', '7: 2.67 + 0.19 = 2.86', '4.00 + 0.44 = 4.44'],
  },
  'of equal ones the higher percentage': {
    lines: [
      ['7', '50'],
      ['19', '50'],
    ],
    delivery: '0.01',
    // 50.01 × 19 % = 9.5019
    expected: ['19: 50.01 + 9.50 = 59.51', '7: 50.00 + 3.50 = 53.50', '100.01 + 13.00 = 113.01'],
  },
  'a delivery and a discount that are equal change nothing': {
    lines: [
      ['19', '10'],
      ['7', '10'],
      ['0', '10'],
    ],
    delivery: '1',
    discount: '1',
    expected: [
      '19: 10.00 + 1.90 = 11.90',
      '7: 10.00 + 0.70 = 10.70',
      '0: 10.00 + 0.00 = 10.00',
      '30.00 + 2.60 = 32.60',
    ],
  },
  'a discount above the lines': { lines: [['19', '10']], discount: '15', expected: ['19: -5.00 + -0.95 = -5.95'] },
  'goods taken back': {
    lines: [
      ['19', '100'],
      ['19', '-40'],
    ],
    expected: ['19: 60.00 + 11.40 = 71.40'],
  },
  'a rate below zero takes no share': {
    lines: [
      ['19', '100'],
      ['7', '-40'],
    ],
    delivery: '10',
    expected: ['19: 110.00 + 20.90 = 130.90', '7: -40.00 + -2.80 = -42.80', '70.00 + 18.10 = 88.10'],
  },
  'all below zero': {
    lines: [
      ['19', '-100'],
      ['7', '-40'],
    ],
    delivery: '10',
    expected: ['19: -100.00 + -19.00 = -119.00', '7: -30.00 + -2.10 = -32.10', '-130.00 + -21.10 = -151.10'],
  },
  'lines of no value': { lines: [['19', '0']], delivery: '5', expected: ['19: 5.00 + 0.95 = 5.95'] },
  'no lines': { lines: [], delivery: '5', expected: ['0: 5.00 + 0.00 = 5.00'] },
  nothing: { lines: [], expected: ['0.00 + 0.00 = 0.00'] },
  // 199,999,999,999.998
  'the largest amount': {
    lines: [['20', '999999999999.99']],
    expected: ['20: 999999999999.99 + 200000000000.00 = 1199999999999.99'],
  },
}

const included: Readonly<Record<string, Case>> = {
  'one rate': { lines: [['19', '119']], expected: ['19: 100.00 + 19.00 = 119.00'] },
  // 15.966…; 84.03 × 19 % = 15.9657
  'rounded up': { lines: [['19', '100']], expected: ['19: 84.03 + 15.97 = 100.00'] },
  // 6.542…; 93.46 × 7 % = 6.5422
  'rounded down': { lines: [['7', '100']], expected: ['7: 93.46 + 6.54 = 100.00'] },
  // 0.0048: of 0.02 the tax is 0.00, of 0.03 it is 0.01, so no net amount leads to 0.03.
  'no net amount leads to it': { lines: [['19', '0.03']], expected: ['19: 0.03 + 0.00 = 0.03'] },
  // 0.165
  'half a cent': { lines: [['20', '0.99']], expected: ['20: 0.82 + 0.17 = 0.99'] },
  'half a cent below zero': { lines: [['20', '-0.99']], expected: ['20: -0.82 + -0.17 = -0.99'] },
  // 29.97 × 19 / 119 = 4.785…; line by line it would be 3 × 1.60.
  'rounded once, not line by line': {
    lines: [
      ['19', '9.99'],
      ['19', '9.99'],
      ['19', '9.99'],
    ],
    expected: ['19: 25.18 + 4.79 = 29.97'],
  },
  'two rates': {
    lines: [
      ['19', '119'],
      ['7', '107'],
    ],
    expected: ['19: 100.00 + 19.00 = 119.00', '7: 100.00 + 7.00 = 107.00', '200.00 + 26.00 = 226.00'],
  },
  // 10 × 119 / 226 = 5.265…, 10 × 107 / 226 = 4.734…: 5.27 and 4.73. 113.73 × 19 / 119 = 18.158…, 102.27 × 7 / 107 = 6.690….
  'a discount over two rates': {
    lines: [
      ['19', '119'],
      ['7', '107'],
    ],
    discount: '10',
    expected: ['19: 95.57 + 18.16 = 113.73', '7: 95.58 + 6.69 = 102.27', '191.15 + 24.85 = 216.00'],
  },
  // 24.80 × 19 / 119 = 3.959…
  delivery: { lines: [['19', '19.90']], delivery: '4.90', expected: ['19: 20.84 + 3.96 = 24.80'] },
  'a rate of zero': { lines: [['0', '50']], expected: ['0: 50.00 + 0.00 = 50.00'] },
  'no rate beside one': {
    lines: [
      ['-', '50'],
      ['19', '119'],
    ],
    expected: ['19: 100.00 + 19.00 = 119.00', '0: 50.00 + 0.00 = 50.00', '150.00 + 19.00 = 169.00'],
  },
  // 100 × 9.975 / 109.975 = 9.0702…
  'three decimals': { lines: [['9.975', '100']], expected: ['9.975: 90.93 + 9.07 = 100.00'] },
  'the highest percentage': { lines: [['100', '0.01']], expected: ['100: 0.00 + 0.01 = 0.01'] },
  'goods taken back': { lines: [['19', '-119']], expected: ['19: -100.00 + -19.00 = -119.00'] },
}

for (const [title, of] of Object.entries(added))
  test(`tax added: ${title}`, () => assert.deepEqual(computed(of, false), of.expected))
for (const [title, of] of Object.entries(included))
  test(`tax included: ${title}`, () => assert.deepEqual(computed(of, true), of.expected))

const cents = fc.oneof(
  fc.bigInt({ min: -10_000n, max: 10_000n }),
  fc.bigInt({ min: -3n, max: 3n }),
  fc.bigInt({ min: -99_999_999_999_999n, max: 99_999_999_999_999n }),
)
const charge = fc.oneof(fc.constant(0n), fc.bigInt({ min: 0n, max: 10_000n }), fc.bigInt({ min: 0n, max: 10n ** 14n }))
const percent = fc.oneof(fc.constantFrom(0n, 7_000n, 19_000n, 20_000n), fc.bigInt({ min: 0n, max: maxPercent }))
const taxRate = fc.record({ name: fc.constantFrom('VAT', 'Levy'), percent })
const document = fc
  .record({
    rates: fc.array(taxRate, { minLength: 1, maxLength: 5 }),
    totals: fc.array(fc.tuple(fc.nat(4), cents), { maxLength: 30 }),
    deliveryPrice: charge,
    discount: charge,
    isIncluded: fc.boolean(),
  })
  .map(({ rates, totals, ...rest }) => ({
    ...rest,
    lines: totals.map(([at, total]) => ({ rate: rates[at % rates.length] ?? noRate, total })),
  }))

const size = (one: bigint): bigint => (one < 0n ? -one : one)

test('net and tax are gross to the cent, and what was entered stays', () => {
  fc.assert(
    fc.property(document, (one) => {
      const sums = computeTax(one)
      const entered = one.lines.reduce((sum, { total }) => sum + total, 0n) + one.deliveryPrice - one.discount
      assert.equal(one.isIncluded ? sums.gross : sums.net, entered)
      for (const field of ['net', 'tax', 'gross'] as const)
        assert.equal(
          sums.rates.reduce((sum, each) => sum + each[field], 0n),
          sums[field],
        )
      for (const { net, tax, gross, percent: of } of [...sums.rates]) {
        assert.equal(net + tax, gross)
        // Half a cent from the exact tax; where the gross amount is given, half a cent of what is in it.
        const exact = one.isIncluded ? gross * of : net * of
        const by = one.isIncluded ? 100_000n + of : 100_000n
        assert.ok(2n * size(tax * by - exact) <= by)
        // At most a cent from that of the net amount, before it is rounded.
        assert.ok(size(tax * 100_000n - net * of) <= 100_000n)
      }
      assert.equal(sums.net + sums.tax, sums.gross)
    }),
    { numRuns: 5_000 },
  )
})

test('the order of the lines does not matter, and each rate is shown once', () => {
  fc.assert(
    fc.property(document, (one) => {
      const sums = computeTax(one)
      assert.deepEqual(computeTax({ ...one, lines: one.lines.toReversed() }), sums)
      assert.equal(new Set(sums.rates.map(({ name, percent: of }) => `${of} ${name}`)).size, sums.rates.length)
    }),
    { numRuns: 1_000 },
  )
})

test('where a net amount leads to the gross amount, it is found', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -100_000n, max: 100_000n }), percent, (net, of) => {
      const rateOf = { name: 'VAT', percent: of }
      const of1 = { deliveryPrice: 0n, discount: 0n }
      const { gross } = computeTax({ ...of1, lines: [{ rate: rateOf, total: net }], isIncluded: false })
      const back = computeTax({ ...of1, lines: [{ rate: rateOf, total: gross }], isIncluded: true })
      assert.equal(back.net, net)
    }),
    { numRuns: 5_000 },
  )
})
