// Fields of a request that its method does not declare. They are ignored, but named in a header of the response, so that a misspelled filter is noticed.

import type { Raw } from '../../kernel/json.ts'
import type { Method } from '../../kernel/method.ts'

export const ignoredFieldsHeader = 'kontor-ignored-fields'

const mostNames = 20
const longestName = 100

const declaredOf = new WeakMap<object, ReadonlySet<string>>()

function declared({ input }: Pick<Method, 'input'>): ReadonlySet<string> {
  const known = declaredOf.get(input)
  if (known !== undefined) return known
  const names = new Set(Object.keys(input.schema.shape))
  declaredOf.set(input, names)
  return names
}

/** The names as they were sent, percent-encoded where they are not plain; `undefined` when every field is declared. */
export function ignoredFields(method: Pick<Method, 'input'>, raw: Raw): string | undefined {
  const names = declared(method)
  const ignored: string[] = []
  for (const name of Object.keys(raw)) {
    if (names.has(name)) continue
    ignored.push(encoded(name))
    if (ignored.length === mostNames) break
  }
  return ignored.length === 0 ? undefined : ignored.join(', ')
}

const encoded = (name: string): string =>
  encodeURIComponent(name.slice(0, longestName).toWellFormed()).replaceAll("'", '%27')
