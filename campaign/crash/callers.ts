// The journal client as seen by its parent: started, paused, resumed, ended; and its journal.

import { type ChildProcess, fork } from 'node:child_process'
import { appendFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { tracked } from './children.ts'
import { type Op, readJournal } from './journal.ts'
import type { Command, Orders, Report } from './journal-client.ts'

const program = fileURLToPath(new URL('journal-client.ts', import.meta.url))
/** As long as an operation with a key may be retried, plus its last response. */
const quietWithinMs = 90_000

export class Callers {
  readonly #child: ChildProcess
  readonly #orders: Orders
  #fault: string | undefined

  constructor(orders: Orders) {
    this.#orders = orders
    appendFileSync(orders.journal, '')
    const options = { execArgv: [], stdio: ['ignore', 'inherit', 'inherit', 'ipc'] as const }
    this.#child = tracked(fork(program, [JSON.stringify(orders)], { ...options, stdio: [...options.stdio] }))
    this.#child.on('message', (report: Report) => {
      if (!report.quiet) this.#fault = report.fault
    })
  }

  /** Resolves when every caller has received the last response it waited for. */
  async pause(): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error('the callers do not become idle')), quietWithinMs)
      const listen = (report: Report) => {
        if (!report.quiet) return
        clearTimeout(timer)
        this.#child.off('message', listen).off('exit', ended)
        resolve()
      }
      const ended = () => reject(new Error(`the callers ended: ${this.#fault ?? 'unknown reason'}`))
      this.#child.once('exit', ended).on('message', listen)
      this.#tell({ do: 'pause' })
    })
  }

  resume(): void {
    this.#tell({ do: 'resume' })
  }

  async end(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return
    const exit = new Promise((resolve) => this.#child.once('exit', resolve))
    this.#tell({ do: 'end' })
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), quietWithinMs)
    await exit
    clearTimeout(timer)
  }

  journal(): Op[] {
    return readJournal(this.#orders.journal)
  }

  #tell(command: Command): void {
    if (this.#child.connected) this.#child.send(command)
    else if (command.do !== 'end') throw new Error(`the callers ended: ${this.#fault ?? 'unknown reason'}`)
  }
}
