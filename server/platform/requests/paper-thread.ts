// Papers are composed and written as PDF in a thread of their own, one at a time: 500 lines take a few hundred milliseconds. Companies take turns, and the
// queue has a limit for the process and for each company. Beyond it, or when a paper takes too long, the request is answered 503.

import { parentPort, Worker } from 'node:worker_threads'
import { FairQueue } from '../postgres/queue.ts'
import { inBackground } from '../process/background.ts'
import { Busy, CallerGone } from '../process/faults.ts'
import type { PrintedFile, Printer, PrintJob } from './papers.ts'

export type PaperLimits = {
  /** Papers that wait. */
  readonly waiting: number
  /** The same of one company. */
  readonly waitingOfCompany: number
  readonly waitMs: number
  readonly printMs: number
  readonly heapMb: number
  /** A thread that has printed nothing for this time ends, and gives back its memory. */
  readonly idleMs: number
  /** Called for every paper that had to wait, at the end of its wait. */
  readonly onWaited: (waitedMs: number) => void
}

const defaultLimits: PaperLimits = {
  waiting: 40,
  waitingOfCompany: 8,
  waitMs: 15_000,
  printMs: 10_000,
  heapMb: 256,
  idleMs: 60_000,
  onWaited: () => {},
}

type Answer = { readonly printed: PrintedFile } | { readonly failed: unknown }

export class PaperThread implements Printer {
  readonly #file: URL
  readonly #limits: PaperLimits
  readonly #waiting = new FairQueue<() => void>()
  #isTaken = false
  #isStopped = false
  #thread: Worker | undefined
  /** Receives the answer to the paper that is being printed. */
  #settle: (answer: Answer) => void = () => {}
  #idle: NodeJS.Timeout | undefined

  /** `file` calls `answerPrints`. */
  constructor(file: URL, limits: Partial<PaperLimits> = {}) {
    this.#file = file
    this.#limits = { ...defaultLimits, ...limits }
  }

  get isRunning(): boolean {
    return this.#thread !== undefined
  }

  get waiting(): number {
    return this.#waiting.length
  }

  async print(companyId: number, job: PrintJob, signal?: AbortSignal): Promise<PrintedFile> {
    if (this.#isTaken) await this.#turn(companyId)
    this.#isTaken = true
    try {
      if (signal?.aborted === true) throw new CallerGone()
      const answer = await this.#answer(job)
      if ('failed' in answer) throw answer.failed
      return answer.printed
    } finally {
      this.#next()
    }
  }

  async #turn(companyId: number): Promise<void> {
    const { waiting, waitingOfCompany, waitMs } = this.#limits
    if (this.#waiting.length >= waiting || this.#waiting.lengthOf(companyId) >= waitingOfCompany)
      throw new Busy('too many documents wait to be printed')
    const sinceMs = performance.now()
    await new Promise<void>((resolve, reject) => {
      const turn = (): void => {
        clearTimeout(timer)
        resolve()
      }
      const timer = setTimeout(() => {
        this.#waiting.remove(companyId, turn)
        reject(new Busy('a document waited too long to be printed'))
      }, waitMs)
      this.#waiting.push(companyId, turn)
    }).finally(() => this.#limits.onWaited(performance.now() - sinceMs))
  }

  #next(): void {
    const turn = this.#waiting.shift()
    if (turn === undefined) this.#isTaken = false
    else turn()
  }

  async #answer(job: PrintJob): Promise<Answer> {
    if (this.#isStopped) return { failed: new Busy('the process is stopping') }
    clearTimeout(this.#idle)
    const tooLong = setTimeout(() => this.#end(new Busy('a document took too long to print')), this.#limits.printMs)
    try {
      return await new Promise<Answer>((resolve) => {
        this.#settle = resolve
        this.#thread ??= this.#started()
        this.#thread.postMessage(job)
      })
    } finally {
      clearTimeout(tooLong)
      clearTimeout(this.#idle)
      this.#idle = setTimeout(() => this.#end(new Busy('the thread was idle')), this.#limits.idleMs).unref()
    }
  }

  #started(): Worker {
    const thread = new Worker(this.#file, {
      resourceLimits: { maxOldGenerationSizeMb: this.#limits.heapMb, maxYoungGenerationSizeMb: 32 },
    })
    // It must not keep the process running.
    thread.unref()
    // A thread that was ended may still answer: its request was refused, and the next one must not get its paper.
    thread.on('message', (answer: Answer) => {
      if (this.#thread === thread) this.#settle(answer)
    })
    const ended = (cause: unknown): void => {
      if (this.#thread === thread) this.#end(new Busy('the thread that prints has ended', { cause }))
    }
    // Such as too little memory.
    thread.on('error', ended)
    thread.on('exit', (code) => ended(new Error(`exit code ${code}`)))
    return thread
  }

  /** The next paper starts another thread. */
  #end(failed: Busy): void {
    const thread = this.#thread
    this.#thread = undefined
    inBackground('printing', () => thread?.terminate())
    this.#settle({ failed })
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    clearTimeout(this.#idle)
    const thread = this.#thread
    this.#thread = undefined
    this.#settle({ failed: new Busy('the process is stopping') })
    await thread?.terminate()
  }
}

/** In the thread: prints what the process sends. */
export function answerPrints<Job extends PrintJob>(print: (job: Job) => Promise<PrintedFile>): void {
  const port = parentPort
  port?.on('message', (job: Job) => {
    inBackground('printing', async () => {
      const answer = await answerTo(print, job)
      // The memory of the file is passed on, not copied.
      const moved = 'printed' in answer ? [answer.printed.content.buffer as ArrayBuffer] : []
      port.postMessage(answer, moved)
    })
  })
}

async function answerTo<Job>(print: (job: Job) => Promise<PrintedFile>, job: Job): Promise<Answer> {
  try {
    const { name, content } = await print(job)
    // Memory of its own: that of a small buffer is shared with others.
    return { printed: { name, content: new Uint8Array(content) } }
  } catch (error) {
    return { failed: error }
  }
}
