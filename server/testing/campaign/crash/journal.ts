// The journal: what was sent, and what was answered, in the order it happened. An answer counts as heard only once it is on disk, so
// that what the journal holds is what a caller could have relied on.

import { readFileSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'

/** One wish of one caller; with a key it may be sent several times. */
export type Sent = {
  readonly kind: 'sent'
  readonly op: string
  readonly lane: number
  readonly company: number
  readonly path: string
  readonly body: Readonly<Record<string, unknown>>
  readonly key: string | null
  readonly attempt: number
  readonly atMs: number
}

export type Told = {
  readonly kind: 'told'
  readonly op: string
  readonly status: number
  readonly request: string
  readonly answer: string
  readonly tookMs: number
  readonly atMs: number
}

/** No answer came. `sent` is false when the request surely reached nobody. */
export type Silent = {
  readonly kind: 'silent'
  readonly op: string
  readonly sent: boolean
  readonly why: string
  readonly tookMs: number
  readonly atMs: number
}

export type Entry = Sent | Told | Silent

export class Journal {
  readonly #file: FileHandle
  #waiting: string[] = []
  #writing: Promise<void> | undefined

  private constructor(file: FileHandle) {
    this.#file = file
  }

  static async open(path: string): Promise<Journal> {
    return new Journal(await open(path, 'a'))
  }

  /** Resolves when the entry is on disk. Those that come meanwhile share the next flush. */
  async write(entry: Entry): Promise<void> {
    this.#waiting.push(`${JSON.stringify(entry)}\n`)
    const before = this.#writing
    if (before !== undefined) {
      await before
      // Somebody else may have begun the flush that this entry is part of.
      if (this.#writing !== undefined) return await this.#writing
    }
    this.#writing = this.#flush()
    await this.#writing
  }

  async #flush(): Promise<void> {
    const lines = this.#waiting.join('')
    this.#waiting = []
    try {
      await this.#file.write(lines)
      await this.#file.datasync()
    } finally {
      this.#writing = undefined
    }
  }

  async close(): Promise<void> {
    await this.#writing
    await this.#file.close()
  }
}

/** What became of a wish, as its caller knows it. */
export type Fate =
  /** Answered with 200. */
  | 'done'
  /** Answered with a refusal, or surely never taken up. */
  | 'not done'
  /** Nobody told. */
  | 'unknown'

export type Op = {
  readonly op: string
  readonly lane: number
  readonly company: number
  readonly path: string
  readonly body: Readonly<Record<string, unknown>>
  readonly key: string | null
  readonly fate: Fate
  /** Ids of the requests that were answered, and how. */
  readonly told: readonly Told[]
  readonly silent: readonly Silent[]
  readonly attempts: number
  readonly sentMs: number
  /** When the last attempt was answered or given up. */
  readonly endedMs: number
}

export function readJournal(path: string): Op[] {
  const lines = readFileSync(path, 'utf8').split('\n').slice(0, -1)
  const entries = new Map<string, Entry[]>()
  for (const line of lines) {
    const entry = JSON.parse(line) as Entry
    const known = entries.get(entry.op)
    if (known === undefined) entries.set(entry.op, [entry])
    else known.push(entry)
  }
  return [...entries.values()].map(opOf)
}

function opOf(entries: readonly Entry[]): Op {
  const sent = entries.filter((one) => one.kind === 'sent')
  const told = entries.filter((one) => one.kind === 'told')
  const silent = entries.filter((one) => one.kind === 'silent')
  const [first] = sent
  if (first === undefined) throw new Error('the journal tells of an answer to nothing')
  const { op, lane, company, path, body, key } = first
  return {
    ...{ op, lane, company, path, body, key, told, silent },
    fate: fateOf(sent.length, told, silent),
    attempts: sent.length,
    sentMs: first.atMs,
    endedMs: Math.max(...entries.map((one) => one.atMs)),
  }
}

export const inProgress = 'A request with this Idempotency-Key is in progress'

function fateOf(sent: number, told: readonly Told[], silent: readonly Silent[]): Fate {
  if (told.some(({ status }) => status === 200)) return 'done'
  // 503 says that nothing was done; 500 and a 409 about a request in progress say nothing.
  const tellsNothing = ({ status, answer }: Told) => status === 500 || (status === 409 && answer.includes(inProgress))
  // Cut off between the writing of the question and that of its end: as if nobody had told.
  if (told.length + silent.length < sent) return 'unknown'
  // With a key, a refusal is the answer to all attempts of that key.
  const refused = told.some((one) => one.status >= 400 && one.status < 500 && !tellsNothing(one))
  if (refused) return 'not done'
  return told.some(tellsNothing) || silent.some((one) => one.sent) ? 'unknown' : 'not done'
}
