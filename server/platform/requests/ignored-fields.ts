// Fields of a request that its method does not declare. They are ignored, but named in a header of the response and in the request log, so
// that a misspelled filter is noticed.

import type { Raw } from '../../kernel/json.ts'
import type { Method } from '../../kernel/method.ts'
import { encoded } from './error-headers.ts'

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

/** The names as they were sent; long ones are cut. */
export function ignoredFields(method: Pick<Method, 'input'>, raw: Raw): readonly string[] {
  const names = declared(method)
  const ignored: string[] = []
  for (const name of Object.keys(raw)) {
    if (names.has(name)) continue
    ignored.push(name.slice(0, longestName).toWellFormed())
    if (ignored.length === mostNames) break
  }
  return ignored
}

/** The header with the names, percent-encoded where they are not plain; none when every field is declared. */
export const ignoredFieldsHeaders = (names: readonly string[]): Readonly<Record<string, string>> =>
  names.length === 0 ? {} : { 'kontor-ignored-fields': names.map(encoded).join(', ') }
