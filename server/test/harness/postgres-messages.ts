// Reads and writes the messages of PostgreSQL's wire protocol (version 3) from and to a stream of bytes. Used by every proxy between
// a server process and PostgreSQL: in tests, in the campaign and in the benchmark.

export type Message = {
  /** One letter; empty for a client's first message, the only one without a type. */
  readonly type: string
  /** What follows the length. */
  readonly body: Buffer
  /** All bytes of the message: type, length and body. */
  readonly bytes: Buffer
}

/** Returns a function that takes the bytes one side sends, in chunks of any size, and calls `each` for every complete message. */
export function readMessages(sender: 'client' | 'server', each: (message: Message) => void): (bytes: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0)
  let typeBytes = sender === 'client' ? 0 : 1
  return (bytes) => {
    rest = rest.length === 0 ? bytes : Buffer.concat([rest, bytes])
    while (rest.length >= typeBytes + 4) {
      const length = rest.readInt32BE(typeBytes)
      // The length includes itself.
      if (length < 4) throw new Error(`a PostgreSQL message cannot have the length ${length}`)
      const end = typeBytes + length
      if (rest.length < end) return
      const message = {
        type: rest.toString('latin1', 0, typeBytes),
        body: rest.subarray(typeBytes + 4, end),
        bytes: rest.subarray(0, end),
      }
      rest = rest.subarray(end)
      typeBytes = 1
      each(message)
    }
  }
}

/** The bytes of a message. */
export function writeMessage(type: string, body: Buffer): Buffer {
  const head = Buffer.alloc(type.length + 4)
  head.write(type, 0, 'latin1')
  head.writeInt32BE(body.length + 4, type.length)
  return Buffer.concat([head, body])
}

/** The text from `at` to the next zero byte. */
export function textAt(body: Buffer, at: number): string {
  const end = body.indexOf(0, at)
  return body.toString('utf8', at, end === -1 ? body.length : end)
}
