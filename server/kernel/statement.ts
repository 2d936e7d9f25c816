// SQL as data: a named statement with its values. The name is what the database prepares it under, so one name has one text.

export type Statement<Row = unknown> = {
  readonly name: string
  readonly text: string
  readonly values: readonly unknown[]
  /** The shape of a row, for the type checker only. */
  readonly row?: Row
}

const texts = new Map<string, string>()

/** Declares a statement once, at start. The first value is always the company. */
export function statement<Row = never, Values extends readonly unknown[] = readonly unknown[]>(
  name: string,
  text: string,
): (...values: Values) => Statement<Row> {
  if (texts.has(name)) throw new Error(`statement ${name} is declared twice`)
  texts.set(name, text)
  return (...values) => ({ name, text, values })
}

/** Every statement the server can send, for the checks that read them all. */
export const declaredStatements = (): ReadonlyMap<string, string> => texts
