// Comparing texts: in Unicode normal form C and with full case folding, so that Straße equals STRASSE. What is stored stays as it was sent; its folded
// form is stored beside it. docs/decisions/0026-comparing-texts.md says why, and what happens to texts that became equal.

/** The lower case of İ: an i and a combining dot. */
const dottedI = 'i\u0307'

/**
 * The form in which names, SKUs and searched texts are compared. JavaScript has no case folding: lower, upper and lower case again give the same classes of
 * equal texts, checked for every character, except for the final sigma and the dotless i, which has no other case. The dotted İ is an i, because
 * databases disagree about its lower case.
 */
export const foldedText = (text: string): string =>
  text
    .normalize('NFC')
    .split('ı')
    .map((part) => part.toLowerCase().toUpperCase().toLowerCase())
    .join('ı')
    .replaceAll('ς', 'σ')
    .replaceAll(dottedI, 'i')
    .normalize('NFC')

/**
 * The texts and their folded forms. A row is found by its folded form or, if it was written by an older version and has none yet, by its exact text.
 */
export const withFolded = (texts: readonly string[]): string[] => [
  ...new Set(texts.flatMap((text) => [text, foldedText(text)])),
]

/**
 * SQL: a text that is not stored in folded form, folded as far as the database can do it quickly. It differs from `foldedText` for decomposed characters
 * and ligatures.
 */
export const foldedSql = (column: string): string => foldedLower(`lower(${column})`)
/** The same for a column that is in lower case. */
export const foldedLower = (column: string): string =>
  `replace(replace(replace(${column}, 'ß', 'ss'), 'ς', 'σ'), '${dottedI}', 'i')`

/** Values by text: the exact text first, otherwise the first one that was added of those that compare as equal. */
export class FoldedMap<V> {
  readonly #exact = new Map<string, V>()
  readonly #equal = new Map<string, Set<string>>()

  constructor(entries: Iterable<readonly [string, V]> = []) {
    for (const [text, value] of entries) this.set(text, value)
  }

  get(text: string): V | undefined {
    const exact = this.#exact.get(text)
    if (exact !== undefined) return exact
    const [first] = this.#equal.get(foldedText(text)) ?? []
    return first === undefined ? undefined : this.#exact.get(first)
  }

  set(text: string, value: V): void {
    this.#exact.set(text, value)
    const key = foldedText(text)
    const equal = this.#equal.get(key)
    if (equal === undefined) this.#equal.set(key, new Set([text]))
    else equal.add(text)
  }

  delete(text: string): void {
    this.#exact.delete(text)
    this.#equal.get(foldedText(text))?.delete(text)
  }
}
