// The log of the process: one JSON line per event, never with a key, a body or a value of a statement.

import { writeSync } from 'node:fs'
import { type Logger, pino } from 'pino'

export type { Logger }

/** `countLost` is called for each line that could not be written. */
export function createLogger(level: string, countLost = () => {}): Logger {
  const options = {
    level,
    base: { pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: describeError },
  }
  return pino(options, { write: (line) => writeLine(line, countLost) })
}

const standardOutput = 1
const fullPipeRetries = 5
const fullPipeMs = 10

/** A full disk, a closed terminal or a reader that has ended costs lines of the log. It must not cost the service: nothing is thrown. */
function writeLine(line: string, countLost: () => void): void {
  const bytes = Buffer.from(line)
  let retries = 0
  for (let written = 0; written < bytes.length; ) {
    try {
      written += writeSync(standardOutput, bytes, written)
    } catch (error) {
      const isFullPipe = (error as NodeJS.ErrnoException).code === 'EAGAIN'
      if (!isFullPipe || retries === fullPipeRetries) {
        countLost()
        return
      }
      retries++
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, fullPipeMs)
    }
  }
}

/** An error's type, code and location. The detail of a database error may contain values from a request, so it is left out. */
function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) }
  const { code, table, constraint, routine } = error as Error &
    Record<'code' | 'table' | 'constraint' | 'routine', unknown>
  const cause = error.cause === undefined ? undefined : describeError(error.cause)
  return { type: error.name, message: error.message, code, table, constraint, routine, stack: error.stack, cause }
}
