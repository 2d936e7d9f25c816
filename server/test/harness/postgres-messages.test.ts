// Messages of PostgreSQL's wire protocol are reassembled regardless of how the bytes are split.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Message, readMessages, textAt, writeMessage } from './postgres-messages.ts'

const startup = writeMessage('', Buffer.from('\0\x03\0\0user\0kontor\0\0', 'latin1'))
const query = writeMessage('Q', Buffer.from("select 'ä'\0"))
const sync = writeMessage('S', Buffer.alloc(0))

function read(sender: 'client' | 'server', pieces: readonly Buffer[]): Message[] {
  const found: Message[] = []
  const take = readMessages(sender, (message) => found.push(message))
  for (const piece of pieces) take(piece)
  return found
}

test('the first message of a client has no type, all others have one', () => {
  const found = read('client', [Buffer.concat([startup, query, sync])])
  assert.deepEqual(
    found.map(({ type }) => type),
    ['', 'Q', 'S'],
  )
  assert.equal(read('server', [writeMessage('Z', Buffer.from('I'))])[0]?.type, 'Z')
})

test('messages are the same wherever the stream is split', () => {
  const stream = Buffer.concat([startup, query, sync, query])
  const whole = read('client', [stream])
  assert.equal(whole.length, 4)
  for (let at = 0; at <= stream.length; at++) {
    assert.deepEqual(read('client', [stream.subarray(0, at), stream.subarray(at)]), whole, `cut at byte ${at}`)
  }
  assert.deepEqual(
    read(
      'client',
      Array.from(stream, (byte) => Buffer.of(byte)),
    ),
    whole,
  )
})

test('an incomplete message is buffered', () => {
  assert.deepEqual(read('server', [query.subarray(0, -1)]), [])
})

test('a message that is read and written again has the same bytes', () => {
  for (const { type, body, bytes } of read('client', [Buffer.concat([startup, query, sync])])) {
    assert.deepEqual(writeMessage(type, body), bytes)
  }
})

test('an impossible length is an error, not an endless loop', () => {
  assert.throws(() => read('server', [Buffer.from([0x5a, 0, 0, 0, 3])]), /cannot have the length 3/)
  assert.throws(() => read('client', [Buffer.from([0xff, 0xff, 0xff, 0xff])]), /cannot have the length -1/)
})

test('a text ends at the next zero byte, or with the message', () => {
  const body = Buffer.from('name\0text ä\0')
  assert.equal(textAt(body, 0), 'name')
  assert.equal(textAt(body, 5), 'text ä')
  assert.equal(textAt(Buffer.from('open'), 0), 'open')
})
