// Turns a recording into a pgbench script: the server's own statements, with a pgbench variable wherever the two recordings differ.

import type { Mark, Recorded } from './recording.ts'
import type { RoundTrip, Sent } from './wire.ts'

export type Command = {
  /** The text with pgbench's variables in it. */
  readonly text: string
  /** The statement as the server sent it, when it had values. */
  readonly from?: Sent
}

export type Script = {
  readonly text: string
  /** Texts passed to pgbench on its command line: the same in every transaction. */
  readonly constants: Readonly<Record<string, string>>
  /** The value of each variable in the first recording, including constants; a missing name means null. */
  readonly recorded: Readonly<Record<string, string>>
  readonly commands: readonly Command[]
  /** Values that differed and that no variable explains: they are kept as first recorded. */
  readonly kept: readonly string[]
}

/** Never set: pgbench sends null for it. */
const nullName = 'null_'

export function scriptOf(kind: string, recorded: readonly Recorded[]): Script {
  const writer = new Writer(kind)
  for (const one of recorded) writer.request(one)
  return writer.script()
}

const namesOf = (roundTrip: RoundTrip): string => roundTrip.map(({ name, text }) => name ?? text).join(', ')

class Writer {
  readonly #kind: string
  readonly #lines: string[] = []
  readonly #constants = new Map<string, string>()
  readonly #recorded: Record<string, string> = {}
  readonly #commands: Command[] = []
  readonly #kept: string[] = []
  readonly #drawn = new Set<string>()

  constructor(kind: string) {
    this.#kind = kind
  }

  request({ roundTrips, marks }: Recorded): void {
    const [one, other] = roundTrips
    const used = new Set<string>(['company'])
    const commands = one.map((roundTrip, at) => this.#roundTrip(roundTrip, other[at] ?? [], marks, used))
    if (one.length !== other.length) throw new Error(`${this.#kind}: the recordings have different round trips`)
    this.#set(marks, used)
    for (const roundTrip of commands)
      this.#lines.push('\\startpipeline', ...roundTrip.map((text) => `${text};`), '\\endpipeline')
  }

  script(): Script {
    return {
      text: `${this.#lines.join('\n')}\n`,
      constants: Object.fromEntries([...this.#constants].map(([value, name]) => [name, value])),
      recorded: this.#recorded,
      commands: this.#commands,
      kept: this.#kept,
    }
  }

  /** The variables that the statements use, and those that their formulas use. Drawn once for all requests of a kind; ids are new for each. */
  #set(marks: readonly Mark[], used: Set<string>): void {
    this.#lines.push('\\set turn :turn + 1', '\\set fresh :base + :turn * 64 + :client_id')
    const needed = new Set(used)
    for (const { name, formula } of marks.toReversed()) {
      if (needed.has(name)) for (const [, other] of formula.matchAll(/:(\w+)/g)) needed.add(other ?? '')
    }
    for (const { name, formula, pair } of marks) {
      if (!needed.has(name)) continue
      this.#recorded[name] = pair[0]
      if (formula === '' || this.#drawn.has(name)) continue
      if (!formula.includes(':fresh')) this.#drawn.add(name)
      this.#lines.push(`\\set ${name} ${formula}`)
    }
  }

  #roundTrip(one: RoundTrip, other: RoundTrip, marks: readonly Mark[], used: Set<string>): string[] {
    if (one.length !== other.length)
      throw new Error(`${this.#kind}: the recordings have different statements: ${namesOf(one)} and ${namesOf(other)}`)
    return one.flatMap((sent, at) => {
      const twin = other[at]
      if (twin === undefined) return []
      const commands = sent.values === undefined ? this.#plain(sent, twin) : [this.#prepared(sent, twin, marks, used)]
      this.#commands.push(...commands)
      return commands.map(({ text }) => text)
    })
  }

  /** A plain query may contain several commands; pgbench prepares each. The one that sets the company accepts a parameter only as a function. */
  #plain(sent: Sent, twin: Sent): Command[] {
    const parts = sent.text.split(';').map((part) => part.trim())
    const twins = twin.text.split(';').map((part) => part.trim())
    return parts.map((part, at) => {
      if (/^set local app\.company_id = '\d+'$/.test(part)) {
        return { text: `select set_config('app.company_id', :company, true)` }
      }
      if (part !== twins[at]) throw new Error(`${this.#kind}: "${part}" differs between the recordings`)
      return { text: escaped(part) }
    })
  }

  #prepared(sent: Sent, twin: Sent, marks: readonly Mark[], used: Set<string>): Command {
    if (sent.text !== twin.text) throw new Error(`${this.#kind}: ${sent.name} has two texts`)
    const values = (sent.values ?? []).map((value, at) =>
      this.#value(value, twin.values?.[at] ?? null, marks, used, `${sent.name} $${at + 1}`),
    )
    return { text: escaped(sent.text, (n) => values[n - 1] ?? 'null'), from: sent }
  }

  #value(one: string | null, other: string | null, marks: readonly Mark[], used: Set<string>, where: string): string {
    if (one === null) return `:${nullName}`
    const mark = markOf(one, other, marks)
    if (mark !== undefined) {
      used.add(mark.name)
      return mark.sql ?? `:${mark.name}`
    }
    const [elements, others] = [elementsOf(one), elementsOf(other)]
    if (elements?.length !== others?.length) throw new Error(`${this.#kind}: ${where} is longer in one recording`)
    if (elements !== undefined && others !== undefined) {
      const found = elements.map((element, at) => markOf(element, others[at] ?? null, marks))
      if (found.some((one) => one !== undefined)) {
        // As text, like the server sends it: with an array built from its elements the planner would know the length.
        const texts = elements.map((element, at) => this.#element(element, found[at], used))
        return `('{' || ${texts.join(" || ',' || ")} || '}')`
      }
    }
    if (one !== other) this.#kept.push(where)
    return this.#constant(one)
  }

  #element(value: string, mark: Mark | undefined, used: Set<string>): string {
    if (mark === undefined) return this.#constant(value)
    used.add(mark.name)
    return mark.sql ?? `:${mark.name}`
  }

  /** As a value from the command line, so that it stays a parameter. pgbench does not accept an empty one. */
  #constant(value: string): string {
    if (value === '') return "''"
    const name = this.#constants.get(value) ?? `${this.#kind}_c${this.#constants.size + 1}`
    this.#constants.set(value, name)
    this.#recorded[name] = value
    return `:${name}`
  }
}

/** The variable that had these two values. With a fixed company both are equal, and only the company's own id is that long. */
const markOf = (one: string, other: string | null, marks: readonly Mark[]): Mark | undefined =>
  marks.find(
    ({ name, pair }) => pair[0] === one && pair[1] === other && (one !== other || name === 'company' || name === 'key'),
  )

/** The elements of an array of numbers. */
const elementsOf = (text: string | null): string[] | undefined =>
  text !== null && /^\{[\d.,"-]+\}$/.test(text) ? text.slice(1, -1).replaceAll('"', '').split(',') : undefined

/**
 * Replaces the parameters of the text, outside of literals and comments. pgbench would read `:MI` in a literal as a
 * variable; a colon before a letter is therefore escaped by its code there, which makes no difference after the lexer.
 */
function escaped(text: string, parameter: (n: number) => string = (n) => `$${n}`): string {
  return text.replace(
    /(\be)?'(?:[^']|'')*'|"[^"]*"|--[^\n]*|\/\*[\s\S]*?\*\/|\$(\d+)/gi,
    (token, escapes: string | undefined, n: string | undefined) => {
      if (n !== undefined) return parameter(Number(n))
      if (!/:[A-Za-z_]/.test(token)) return token
      if (!token.endsWith("'")) throw new Error(`pgbench would find a variable in ${token}`)
      if (escapes !== undefined) return token.replace(/:(?=[A-Za-z_])/g, '\\x3a')
      return `U&${token.replaceAll('\\', '\\\\').replace(/:(?=[A-Za-z_])/g, '\\003A')}`
    },
  )
}

/** A command as pgbench sends it: one parameter for every occurrence of a variable, in order. */
export function asSent(text: string): { readonly text: string; readonly names: readonly string[] } {
  const names: string[] = []
  const sent = text.replace(/(?<![:\w]):([A-Za-z_]\w*)/g, (_, name: string) => `$${names.push(name)}`)
  return { text: sent, names }
}
