// The log of the process: one JSON line per event, never with a key, a body or a value of a statement.

import { type Logger, pino } from 'pino'

export type { Logger }

export function createLogger(level: string): Logger {
  return pino({
    level,
    base: { pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: describeError },
  })
}

/** An error's type, code and location. The detail of a database error may contain values from a request, so it is left out. */
function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) }
  const { code, table, constraint, routine } = error as Error &
    Record<'code' | 'table' | 'constraint' | 'routine', unknown>
  const cause = error.cause === undefined ? undefined : describeError(error.cause)
  return { type: error.name, message: error.message, code, table, constraint, routine, stack: error.stack, cause }
}
