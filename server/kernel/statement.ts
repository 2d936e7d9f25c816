// SQL as data: a named statement with its values. The database prepares it under that name, so each name has one text.

export type Statement<Row = unknown> = {
  readonly name: string
  readonly text: string
  readonly values: readonly unknown[]
  /** The shape of a row, for the type checker only. */
  readonly row?: Row
}

/** SQL with numbered parameters, and the parameter name for each number. */
export type CompiledSql = { readonly text: string; readonly parameters: readonly string[] }

// String literals and casts (`::`) are matched first, so that a colon in them is not read as a parameter.
const parameterPattern = /'(?:[^']|'')*'|::|:([a-z][a-z0-9_]*)/g

/** Numbers the parameters of a text, `:company_id` always as `$1`, which the sharding rules check. */
export function compileSql(sql: string): CompiledSql {
  const named = [...sql.matchAll(parameterPattern)].map((match) => match[1]).filter((name) => name !== undefined)
  const parameters = [...new Set(named.includes('company_id') ? ['company_id', ...named] : named)]
  const numbers = new Map(parameters.map((name, index) => [name, `$${index + 1}`]))
  return { text: replaceParameters(sql, (name) => numbers.get(name) ?? ''), parameters }
}

/** The text with each parameter replaced by `replacement(name)`. */
export const replaceParameters = (sql: string, replacement: (name: string) => string): string =>
  sql.replace(parameterPattern, (match, name?: string) => (name === undefined ? match : replacement(name)))

const declared = new Map<string, DeclaredStatement>()

/** A statement as written with named parameters, and as sent to the database. `variantOf` is the name of a statement that does the same for
 * other requests. */
export type DeclaredStatement = CompiledSql & { readonly sql: string; readonly variantOf?: string | undefined }

/** Declares a statement once, at startup. `Values` has one property for each named parameter, such as `:document_id`. */
export function statement<Row = never, Values extends object = never>(
  name: string,
  sql: string,
  variantOf?: string,
): (values: Values) => Statement<Row> {
  const { text, parameters } = declareSql(name, sql, variantOf)
  return (values) => ({ name, text, values: parameters.map((parameter) => parameterValue(name, values, parameter)) })
}

/** Registers a statement whose values the caller puts in order. */
export function declareSql(name: string, sql: string, variantOf?: string): CompiledSql {
  const compiled = compileSql(sql)
  if (declared.has(name)) throw new Error(`statement ${name} is declared twice`)
  declared.set(name, { sql, ...compiled, variantOf })
  return compiled
}

export function parameterValue(name: string, values: object, parameter: string): unknown {
  const value = (values as Readonly<Record<string, unknown>>)[parameter]
  if (value === undefined) throw new Error(`statement ${name} needs a value for :${parameter}`)
  return value
}

/** Every statement the server can send, for tests that check all of them. */
export const declaredStatements = (): ReadonlyMap<string, DeclaredStatement> => declared

/** The text of every statement as sent to the database, by name. */
export const statementTexts = (): ReadonlyMap<string, string> =>
  new Map([...declared].map(([name, { text }]) => [name, text]))
