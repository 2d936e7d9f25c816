// The journal: requests and responses in the order they happened. A response counts as received only once it is on disk, so
// that the journal contains exactly what a client could have relied on.

import { readFileSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'

/** One operation of one caller; with a key it may be sent several times. */
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

export type JournalResponse = {
  readonly kind: 'response'
  readonly op: string
  readonly status: number
  readonly request: string
  readonly answer: string
  readonly tookMs: number
  readonly atMs: number
}

/** There was no response. `sent` is false when the request certainly did not reach the service. */
export type Silent = {
  readonly kind: 'silent'
  readonly op: string
  readonly sent: boolean
  readonly why: string
  readonly tookMs: number
  readonly atMs: number
}

export type Entry = Sent | JournalResponse | Silent

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

  /** Resolves when the entry is on disk. Entries added in the meantime share the next flush. */
  async write(entry: Entry): Promise<void> {
    this.#waiting.push(`${JSON.stringify(entry)}\n`)
    const before = this.#writing
    if (before !== undefined) {
      await before
      // Another call may have started the flush that includes this entry.
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

/** The outcome of an operation, as known to its caller. */
export type Outcome =
  /** The response was 200. */
  | 'done'
  /** Refused, or certainly not started. */
  | 'not done'
  /** Unknown. */
  | 'unknown'

export type Op = {
  readonly op: string
  readonly lane: number
  readonly company: number
  readonly path: string
  readonly body: Readonly<Record<string, unknown>>
  readonly key: string | null
  readonly outcome: Outcome
  /** Ids of the requests that got a response, and which. */
  readonly responses: readonly JournalResponse[]
  readonly silent: readonly Silent[]
  readonly attempts: number
  readonly sentMs: number
  /** When the last attempt got a response or was abandoned. */
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
  const responses = entries.filter((one) => one.kind === 'response')
  const silent = entries.filter((one) => one.kind === 'silent')
  const [first] = sent
  if (first === undefined) throw new Error('the journal has a response without a request')
  const { op, lane, company, path, body, key } = first
  return {
    ...{ op, lane, company, path, body, key, responses, silent },
    outcome: fateOf(sent.length, responses, silent),
    attempts: sent.length,
    sentMs: first.atMs,
    endedMs: Math.max(...entries.map((one) => one.atMs)),
  }
}

export const inProgress = 'A request with this Idempotency-Key is in progress'

function fateOf(sent: number, responses: readonly JournalResponse[], silent: readonly Silent[]): Outcome {
  if (responses.some(({ status }) => status === 200)) return 'done'
  // 503 means that nothing was done; 500 and a 409 about a request in progress leave it open.
  const isInconclusive = ({ status, answer }: JournalResponse) =>
    status === 500 || (status === 409 && answer.includes(inProgress))
  // The journal ends between a request and its response: the outcome is unknown.
  if (responses.length + silent.length < sent) return 'unknown'
  // With a key, a refusal is the response to all attempts with that key.
  const refused = responses.some((one) => one.status >= 400 && one.status < 500 && !isInconclusive(one))
  if (refused) return 'not done'
  return responses.some(isInconclusive) || silent.some((one) => one.sent) ? 'unknown' : 'not done'
}
