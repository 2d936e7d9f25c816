// Compares the responses shown in a document with the actual ones.

import assert from 'node:assert/strict'

/** Consecutive JSON values, each beginning at the start of a line. */
export const valuesIn = (text: string): unknown[] =>
  text
    .trim()
    .split(/\n(?=\{)/)
    .map((one) => JSON.parse(one))

/** Everything shown must match; a document may omit fields, but must show all elements of an array. */
export function holds(actual: unknown, shown: unknown, at: string): void {
  if (Array.isArray(shown)) {
    assert.ok(Array.isArray(actual), at)
    assert.equal(actual.length, shown.length, `${at}: number of elements`)
    for (const [n, one] of shown.entries()) holds(actual[n], one, `${at}[${n}]`)
  } else if (typeof shown === 'object' && shown !== null) {
    assert.ok(typeof actual === 'object' && actual !== null, at)
    for (const [field, value] of Object.entries(shown)) {
      assert.ok(Object.hasOwn(actual, field), `${at} has no ${field}`)
      holds((actual as Record<string, unknown>)[field], value, `${at}.${field}`)
    }
  } else assert.deepEqual(actual, shown, at)
}
