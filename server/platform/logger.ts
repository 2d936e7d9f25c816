// The process's own log: one JSON line per happening, never a key, a body or a value of a statement.

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

/** An error's kind, code and place. The detail of a database error may hold values that were sent, so it is left out. */
function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) }
  const { code, table, constraint, routine } = error as Error &
    Record<'code' | 'table' | 'constraint' | 'routine', unknown>
  const cause = error.cause === undefined ? undefined : describeError(error.cause)
  return { type: error.name, message: error.message, code, table, constraint, routine, stack: error.stack, cause }
}
