// Large writes are planned in a thread of their own, so that the event loop serves other requests meanwhile: a sale of 5,000 lines with shipments took
// 200 to 400 ms. The thread is started by the first of them. It plans one write at a time; companies take turns. A write does not depend on it: while it
// starts, the process plans all but the largest writes by itself, and these too if it starts slowly or cannot start.

import { parentPort, Worker } from 'node:worker_threads'
import { type Counter, Ids, type RequestContext, type TransactionContext } from '../../kernel/clock.ts'
import type { Method, WriteMethod } from '../../kernel/method.ts'
import { Refusal, type RefusalDetail } from '../../kernel/refusal.ts'
import { costName } from '../postgres/costs.ts'
import { LargeJson } from '../postgres/round-trip.ts'
import { inBackground } from '../process/background.ts'
import { inStep } from '../process/event-loop.ts'
import { Busy } from '../process/faults.ts'
import { Turns } from './blocking-work.ts'
import { computePlan, type Planned } from './planning.ts'

/** A JSON value of this length, or a body, makes a write a large one. */
const defaultLargeLength = 32 * 1024
/** How long a write waits until it is planned. */
const waitMs = 2_000
/** How long one of the largest writes waits for a thread that is starting. */
const defaultStartMs = 1_000
/** Writes are among the largest from this length of body and facts on. A sale of 500 lines is shorter, and is planned in less than 50 ms. */
const defaultWaitingLength = 128 * 1024
/** A plan takes less than a second on a machine that is not overloaded. */
const planMs = 4_000
const maxHeapMb = 256
/** More young objects only delay their collection: the thread has no requests that would wait for it. */
const maxYoungMb = 16
/** A thread that has planned nothing for this time ends, and gives back its memory: 60 MB, or 120 MB after the largest writes. */
const idleMs = 30_000

/** A write to plan. */
export type PlanningJob = {
  readonly input: unknown
  /** A row; its large values are not parsed yet. */
  readonly facts: unknown
  readonly isDry: boolean
  /** The length of the request's body. */
  readonly bodyLength: number
}

const columnsOf = (facts: unknown): [name: string, value: unknown][] => Object.entries(facts ?? {})

type Message = {
  readonly method: string
  readonly input: unknown
  readonly facts: Readonly<Record<string, unknown>>
  /** The large values. */
  readonly texts: Readonly<Record<string, string>>
  readonly isDry: boolean
  readonly context: RequestContext
  readonly seq: number
  readonly at: string
  readonly lastIds: Readonly<Record<Counter, number>>
}
/** The first message of a thread: it has loaded the methods. */
const ready = 'ready'
type Answer =
  | { readonly planned: Planned }
  | { readonly refused: { readonly text: string; readonly detail: RefusalDetail } }
  | { readonly failed: unknown }

export type PlanningOptions = {
  readonly largeLength?: number
  readonly waitingLength?: number
  readonly startMs?: number
  readonly idleMs?: number
}

/** Plans the writes that it takes. */
export type Planner = Pick<PlanningThread, 'largeLengthOf' | 'takes' | 'plan'>

export class PlanningThread {
  readonly #file: URL
  readonly #methods: ReadonlySet<object>
  readonly #turns = new Turns<number>({ pauseFactor: 0, waitMs })
  readonly #largeLength: number
  readonly #waitingLength: number
  readonly #startMs: number
  #thread: Worker | undefined
  #isReady: Promise<boolean> = Promise.resolve(false)
  /** Receives the answer to the write that is being planned. */
  #settle: (answer: Answer) => void = () => {}
  #idle: NodeJS.Timeout | undefined
  readonly #idleMs: number

  /** `file` calls `answerPlans` with the same methods. */
  constructor(file: URL, methods: readonly object[], options: PlanningOptions = {}) {
    this.#file = file
    this.#methods = new Set(methods)
    this.#largeLength = options.largeLength ?? defaultLargeLength
    this.#waitingLength = options.waitingLength ?? defaultWaitingLength
    this.#startMs = options.startMs ?? defaultStartMs
    this.#idleMs = options.idleMs ?? idleMs
  }

  /** From which length on the facts or the body make a write a large one; `undefined` if the thread does not know the method. */
  largeLengthOf(method: object): number | undefined {
    return this.#methods.has(method) ? this.#largeLength : undefined
  }

  /** Whether the write is planned in the thread. */
  takes(method: object, facts: unknown, bodyLength: number): boolean {
    const large = this.largeLengthOf(method)
    if (large === undefined) return false
    return bodyLength >= large || columnsOf(facts).some(([, value]) => value instanceof LargeJson)
  }

  async plan<I, Facts, Plan>(
    method: WriteMethod<I, Facts, Plan>,
    { input, facts, isDry, bodyLength }: PlanningJob,
    transaction: TransactionContext,
  ): Promise<Planned> {
    const { context, seq, at, ids } = transaction
    const { small, texts } = separated(facts)
    const request = { method: costName(method), input, facts: small, texts, isDry }
    const message = { ...request, context, seq, at, lastIds: ids.all }
    const length = Object.values(texts).reduce((total, text) => total + text.length, bodyLength)
    const startMs = length < this.#waitingLength ? 0 : this.#startMs
    const answer = await this.#turns.run(context.companyId, async () =>
      (await this.starts(startMs)) ? await this.#answer(message) : undefined,
    )
    if (answer === undefined) {
      const parsed = await inStep('facts', () => ({ ...small, ...parsedOf(texts) }))
      const job = { input: input as I, facts: parsed as Facts, isDry }
      return await computePlan(method, job, transaction, inStep)
    }
    if ('planned' in answer) return answer.planned
    if ('refused' in answer) throw new Refusal(answer.refused.text, answer.refused.detail)
    throw answer.failed
  }

  /** Starts the thread if there is none, and says whether it is ready within the time. */
  async starts(withinMs: number): Promise<boolean> {
    this.#thread ??= this.#started()
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<false>((resolve) => {
      timer = setTimeout(resolve, withinMs, false)
    })
    const isReady = await Promise.race([this.#isReady, late])
    clearTimeout(timer)
    return isReady
  }

  async #answer(message: Message): Promise<Answer> {
    clearTimeout(this.#idle)
    const tooLong = setTimeout(() => this.#end(new Busy('a large request took too long to plan')), planMs)
    try {
      return await new Promise<Answer>((resolve) => {
        this.#settle = resolve
        if (this.#thread === undefined) resolve({ failed: new Busy('the planning thread has ended') })
        else this.#thread.postMessage(message)
      })
    } finally {
      clearTimeout(tooLong)
      clearTimeout(this.#idle)
      this.#idle = setTimeout(() => this.#endIdle(), this.#idleMs).unref()
    }
  }

  /** No write is being planned: the next one clears the timer before it is sent. */
  #endIdle(): void {
    inBackground('planning', () => this.stop())
  }

  #started(): Worker {
    const thread = new Worker(this.#file, {
      resourceLimits: { maxOldGenerationSizeMb: maxHeapMb, maxYoungGenerationSizeMb: maxYoungMb },
    })
    // It must not keep the process running.
    thread.unref()
    // A thread that was ended may still answer: its write was refused, and the next one must not get its plan.
    thread.on('message', (answer: Answer | typeof ready) => {
      if (this.#thread === thread && answer !== ready) this.#settle(answer)
    })
    this.#isReady = new Promise((resolve) => {
      thread.once('message', () => resolve(true))
      thread.once('exit', () => resolve(false))
    })
    const ended = (cause: unknown) => {
      if (this.#thread === thread) this.#end(new Busy('the planning thread has ended', { cause }))
    }
    // Such as too little memory.
    thread.on('error', ended)
    thread.on('exit', (code) => ended(new Error(`exit code ${code}`)))
    return thread
  }

  /** The next large write starts another thread. */
  #end(failed: Busy): void {
    const thread = this.#thread
    this.#thread = undefined
    inBackground('planning', () => thread?.terminate())
    this.#settle({ failed })
  }

  async stop(): Promise<void> {
    clearTimeout(this.#idle)
    const thread = this.#thread
    this.#thread = undefined
    await thread?.terminate()
  }
}

/** Large texts are copied to the thread as they are, and parsed there. */
function separated(facts: unknown): Pick<Message, 'texts'> & { readonly small: Message['facts'] } {
  const texts: Record<string, string> = {}
  const small: Record<string, unknown> = {}
  for (const [name, value] of columnsOf(facts)) {
    if (value instanceof LargeJson) texts[name] = value.text
    else small[name] = value
  }
  return { texts, small }
}

const parsedOf = (texts: Message['texts']): object =>
  Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, JSON.parse(text)]))

/** In the thread: plans what the process sends. */
export function answerPlans(methods: readonly Method[]): void {
  const writes = methods.filter((method) => method.kind === 'write')
  const byName = new Map(writes.map((method) => [costName(method), method]))
  const port = parentPort
  port?.postMessage(ready)
  port?.on('message', (message: Message) => {
    inBackground('planning', async () => port.postMessage(await answerTo(byName, message)))
  })
}

async function answerTo(methods: ReadonlyMap<string, WriteMethod>, message: Message): Promise<Answer> {
  try {
    const method = methods.get(message.method)
    if (method === undefined) throw new Error(`the planning thread does not know ${message.method}`)
    const { input, facts, texts, isDry, context, seq, at, lastIds } = message
    const job = { input, facts: { ...facts, ...parsedOf(texts) }, isDry }
    return { planned: await computePlan(method, job, { context, seq, at, ids: new Ids(lastIds) }, (_, work) => work()) }
  } catch (error) {
    return error instanceof Refusal ? { refused: { text: error.message, detail: error.detail } } : { failed: error }
  }
}
