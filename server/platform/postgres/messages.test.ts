// The messages are byte for byte those of the driver, for values of every kind and size.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { serialize } from 'pg-protocol'
import { Messages } from './messages.ts'

const written = (write: (messages: Messages) => void): Buffer => {
  const messages = new Messages()
  write(messages)
  return Buffer.concat(messages.take())
}

test('a batch is the concatenation of the messages of the driver', () => {
  const values = ['Zoë', null, Buffer.from([0, 255, 7]), '', '€'.repeat(40), 'x'.repeat(65), '😀']
  const batch = written((messages) => {
    messages.parse('sales.insert', 'insert into sales values ($1, $2)')
    messages.bind('sales.insert', values)
    messages.describe()
    messages.execute()
    messages.bind('', [])
    messages.execute()
    messages.sync()
  })
  const driver = [
    serialize.parse({ name: 'sales.insert', text: 'insert into sales values ($1, $2)', types: [] }),
    serialize.bind({ statement: 'sales.insert', values }),
    serialize.describe({ type: 'P', name: '' }),
    serialize.execute(),
    serialize.bind({ statement: '', values: [] }),
    serialize.execute(),
    serialize.sync(),
  ]
  assert.deepEqual(batch, Buffer.concat(driver))
})

test('any texts, also large ones and unpaired surrogates, are encoded like those of the driver', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: fc.nat({ max: 0xffff }).map((code) => String.fromCharCode(code)) }),
    fc.tuple(fc.string({ unit: 'binary', minLength: 1 }), fc.nat({ max: 3_000 })).map(([one, n]) => one.repeat(n)),
  )
  const messages = new Messages()
  fc.assert(
    fc.property(fc.array(fc.option(text)), (values) => {
      messages.bind('any', values)
      assert.deepEqual(Buffer.concat(messages.take()), serialize.bind({ statement: 'any', values }))
    }),
  )
})

test('numbers, booleans, times, objects and arrays are sent in the text form of PostgreSQL', () => {
  const sent = (value: unknown): Buffer => written((messages) => messages.bind('any', [value]))
  const text = (value: string): Buffer => serialize.bind({ statement: 'any', values: [value] })
  for (const [value, expected] of [
    [12.5, '12.5'],
    [9_007_199_254_740_993n, '9007199254740993'],
    [false, 'false'],
    [new Date(0), '1970-01-01T00:00:00.000Z'],
    [{ a: [1, 'é'] }, '{"a":[1,"é"]}'],
    [[], '{}'],
    [[1, null, undefined, 2n, true], '{1,NULL,NULL,2,true}'],
    [['plain', 'a "b" \\c', '', 'NULL', 'é'], '{"plain","a \\"b\\" \\\\c","","NULL","é"}'],
    [
      [
        [1, 2],
        [3, 4],
      ],
      '{{1,2},{3,4}}',
    ],
    [[Buffer.from([1, 255])], '{"\\\\x01ff"}'],
    [[{ a: 'b' }], '{"{\\"a\\":\\"b\\"}"}'],
  ] as const) {
    assert.deepEqual(sent(value), text(expected))
  }
})

test('a batch keeps its bytes while the next ones are written', () => {
  const messages = new Messages()
  const batches = ['small', 'x'.repeat(100_000), 'y'.repeat(30), 'z'.repeat(3_000_000)].map((value) => {
    messages.bind('any', [value])
    return { value, bytes: Buffer.concat(messages.take()) }
  })
  for (const { value, bytes } of batches) assert.deepEqual(bytes, serialize.bind({ statement: 'any', values: [value] }))
})

test('a batch of many buffers is written whole, with the lengths of messages that began in an earlier one', () => {
  const value = 'é'.repeat(50_000)
  const values = Array.from({ length: 40 }, () => value)
  const sent = written((messages) => {
    messages.bind('first', values)
    messages.bind('second', [values])
  })
  const array = `{${values.map((one) => `"${one}"`).join(',')}}`
  const driver = [
    serialize.bind({ statement: 'first', values }),
    serialize.bind({ statement: 'second', values: [array] }),
  ]
  assert.ok(sent.equals(Buffer.concat(driver)))
})

test('nothing of a batch that failed is sent with the next one', () => {
  const messages = new Messages()
  assert.throws(() => messages.bind('any', ['x'.repeat(400_000), { toJSON: () => assert.fail('no JSON') }]))
  messages.clear()
  messages.sync()
  assert.deepEqual(Buffer.concat(messages.take()), serialize.sync())
})
