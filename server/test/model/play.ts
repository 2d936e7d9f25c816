// Runs a sequence over HTTP against its own company, and in the model: every response must equal the model's, and so must the
// final state.

import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { broken } from '../harness/database.ts'
import type { Company } from '../harness/given.ts'
import { found } from './company.ts'
import { methods } from './methods.ts'
import { counted, doOutside, modelOutside } from './outside.ts'
import { compareRecords } from './records.ts'
import { shownShipments } from './shipping.ts'
import { type Fault, type Reply, type Sale, type State, Undetermined } from './state.ts'
import type { Sequence, Step } from './steps.ts'
import { entryView } from './view.ts'

/** Statistics of what was run, to verify that the run was meaningful. */
export type Played = { answers: Map<string, number>; outside: number; leftOut: Map<string, number> }

export const nothingPlayed = (): Played => ({ answers: new Map(), outside: 0, leftOut: new Map() })

const count = (map: Map<string, number>, key: string): void => void map.set(key, (map.get(key) ?? 0) + 1)

const utcDate = (): string => new Date().toISOString().slice(0, 10)

/** A sequence must not continue into the next day: its model has a fixed date. */
export async function awayFromMidnight(): Promise<void> {
  while (new Date(Date.now() + 30_000).toISOString().slice(0, 10) !== utcDate()) await sleep(1_000)
}

export async function play(sequence: Sequence, played: Played, fault?: Fault): Promise<void> {
  await awayFromMidnight()
  const { company, state: start } = await found(sequence, fault)
  let state = start
  for (const [at, step] of sequence.steps.entries()) {
    try {
      state = await playStep(company, state, step, played, `step ${at}: ${JSON.stringify(step)}`)
    } catch (error) {
      if (!(error instanceof Undetermined)) throw error
      count(played.leftOut, error.message)
    }
  }
  await compareReading(company, state)
  await compareRecords(company, state)
  assert.deepEqual(await broken(company.id), [])
}

async function playStep(company: Company, state: State, step: Step, played: Played, message: string): Promise<State> {
  if ('outside' in step) {
    const next = modelOutside(state, step.outside)
    await doOutside(company, state, step.outside)
    played.outside += 1
    return next
  }
  const { call, body } = 'sendBack' in step ? sendBack(state, step.sendBack) : step
  const { state: next, reply } = methods[call](state, body)
  await compareAnswer(company, call, body, reply, message)
  const { error = 'success' } = reply.body as { error?: string }
  count(played.answers, `${call} ${error.replace(/"[^"]*"|\bid \S+|\d+/g, '…')}`)
  return next
}

function sendBack(state: State, at: number) {
  const sale = counted(state.sales, at)
  const { products, materials } = entryView(state, sale) as { products: object[]; materials: object[] }
  return { call: 'orders/edit' as const, body: { order_id: sale.id, products, materials } }
}

async function compareAnswer(company: Company, call: string, body: object, expected: Reply, message: string) {
  const { status, body: answer } = await company.call(call, body)
  assert.deepEqual({ status, body: answer }, expected, message)
}

/** Everything that can be read over HTTP: the whole list, its pages, and every sale that exists, was deleted or never existed. */
export async function compareReading(company: Company, state: State): Promise<void> {
  const compare = (call: 'orders/get_list' | 'orders/get_entry', body: Record<string, unknown>) =>
    compareAnswer(company, call, body, methods[call](state, body).reply, `at the end: ${call} ${JSON.stringify(body)}`)
  await compare('orders/get_list', {})
  for (let offset = 0; offset <= state.sales.length; offset += 2) await compare('orders/get_list', { limit: 2, offset })
  for (let id = 1; id <= state.lastSaleId + 1; id++) await compare('orders/get_entry', { order_id: id })
  for (const sale of state.sales) await compareShipments(company, sale)
}

async function compareShipments(company: Company, sale: Sale): Promise<void> {
  const { body } = await company.call('orders/get_entry', { order_id: sale.id, include: ['shipments'] })
  const shown = body.order.shipments.map(({ carrier: _carrier, lines, ...shipment }: ShownShipment) => ({
    ...shipment,
    lines: lines.map(({ id, amount }) => ({ id, amount })).toSorted((a, b) => a.id - b.id),
  }))
  assert.deepEqual(shown, shownShipments(sale), `shipments of sale ${sale.id}`)
}

type ShownShipment = { carrier: string; lines: { id: number; amount: number }[] }
