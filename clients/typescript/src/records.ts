// Finds the records of a list in a response that arrives in parts, so that the whole response is never in memory.

const structural = /["{}[\]]/g
const inString = /["\\]/g

export class RecordScanner {
  /** The response without its records: a small JSON text, which is whole when the response is. */
  rest = ''
  readonly #start: RegExp
  #text = ''
  #at = 0
  /** Where the unfinished record begins. */
  #begin = 0
  /** How many brackets are open in it. */
  #depth = 0
  #isString = false
  #state: 'before' | 'records' | 'after' = 'before'

  /** `listed` is the field of the response with the records. */
  constructor(listed: string) {
    this.#start = new RegExp(`"${listed}"\\s*:\\s*\\[`)
  }

  /** The records that are whole now. */
  *add(text: string): Generator<unknown, void, undefined> {
    this.#text += text
    if (this.#state === 'before') this.#findStart()
    while (this.#state === 'records') {
      const end = this.#next()
      if (end === undefined) break
      if (end === 'last') {
        this.#state = 'after'
        this.#text = this.#text.slice(this.#at - 1)
      } else yield JSON.parse(this.#text.slice(this.#begin, this.#at))
    }
    if (this.#state === 'records') this.#forget()
    else if (this.#state === 'after') {
      this.rest += this.#text
      this.#text = ''
    }
  }

  /** False for a response that is not such a list. */
  get hasStarted(): boolean {
    return this.#state !== 'before'
  }

  /** A response that is not a list is small, so the part before the records is, too. */
  #findStart(): void {
    const found = this.#start.exec(this.#text)
    if (found === null) return
    const end = found.index + found[0].length
    this.rest = this.#text.slice(0, end)
    this.#text = this.#text.slice(end)
    this.#state = 'records'
  }

  /** Goes to the end of the record, or of the list. Undefined when more must arrive first. */
  #next(): 'record' | 'last' | undefined {
    for (;;) {
      const pattern = this.#isString ? inString : structural
      pattern.lastIndex = this.#at
      const found = pattern.exec(this.#text)
      if (found === null) {
        this.#at = this.#text.length
        return undefined
      }
      const [character] = found
      if (character === '\\') {
        // The escaped character may not have arrived yet.
        if (found.index + 1 >= this.#text.length) {
          this.#at = found.index
          return undefined
        }
        this.#at = found.index + 2
        continue
      }
      this.#at = found.index + 1
      if (character === '"') this.#isString = !this.#isString
      else if (character === '{' || character === '[') {
        if (this.#depth === 0) this.#begin = found.index
        this.#depth++
      } else if (this.#depth === 0) return 'last'
      else if (--this.#depth === 0) return 'record'
    }
  }

  /** Drops the records that have been returned. */
  #forget(): void {
    const kept = this.#depth === 0 ? this.#at : this.#begin
    this.#text = this.#text.slice(kept)
    this.#at -= kept
    this.#begin = 0
  }
}
