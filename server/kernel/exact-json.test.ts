// The JSON parser that keeps numbers as written. It accepts and rejects the same texts as JSON.parse.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parseJson } from './exact-json.ts'

const outcome = (read: () => unknown): unknown => {
  try {
    return { value: read() }
  } catch (error) {
    assert.ok(error instanceof SyntaxError, String(error))
    return 'refused'
  }
}

function assertSame(text: string): void {
  assert.deepEqual(
    outcome(() => parseJson(text, Number)),
    outcome(() => JSON.parse(text)),
    text,
  )
}

test('accepts and rejects the same texts as JSON.parse', () => {
  const texts = [
    '',
    ' ',
    '{}',
    ' { "a" : [ 1 , -0 , 0.5e-3 , 1E+2 , true , false , null , "x" ] } \n\r\t',
    '{"a":1,"b":2,"a":3}',
    '{"__proto__":{"x":1},"constructor":1}',
    '{"2":1,"1":2,"":3}',
    '"\\ud83d\\ude00\\u0000\\n\\"\\\\\\/"',
    '"\ud800"',
    '"語ü"',
    '"a\nb"',
    '"a\u0000"',
    '"\\x"',
    '"\\u12"',
    '"abc',
    '"abc\\"',
    '"\\',
    '01',
    '+1',
    '1.',
    '.5',
    '1e',
    '-',
    '--1',
    '1 2',
    'tru',
    'truee',
    'nul',
    'NaN',
    '[1,]',
    '[,1]',
    '[1 2]',
    '[',
    ']',
    '{"a":1,}',
    '{"a"}',
    '{"a":}',
    '{a:1}',
    "{'a':1}",
    '{"a":1',
    '{1:2}',
    '\ufeff{}',
    '\u00a01',
    '1\u2028',
  ]
  for (const text of texts) assertSame(text)
})

test('reads any value, and any damaged text, as JSON.parse does', () => {
  fc.assert(
    fc.property(
      fc.jsonValue({ noUnicodeString: false }),
      fc.nat(),
      fc.constantFrom('', '"', '\\', ',', ':', '[', ']', '{', '}', '0', '.', 'e', '-', 't', ' ', '\n', '\u0001', '語'),
      fc.nat(2),
      (value, place, put, removed) => {
        const text = JSON.stringify(value)
        assertSame(text)
        assertSame(JSON.stringify(value, null, 1))
        const at = place % (text.length + 1)
        assertSame(text.slice(0, at) + put + text.slice(at + removed))
      },
    ),
    { numRuns: 2_000 },
  )
})

test('the callback receives every number as it was written', () => {
  const read = parseJson('[1.50, {"a": -12345678901234567890e+05}, 0]', (source) => `<${source}>`)
  assert.deepEqual(read, ['<1.50>', { a: '<-12345678901234567890e+05>' }, '<0>'])
})
