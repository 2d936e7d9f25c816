// What may be sent about a production, and the order of the checks.

import { z } from 'zod'
import { idOnWire, optionalNumber, plainLineOnWire, storages, storagesOnWire } from '../documents/fields.ts'
import { type LineInput, mostLines, readLines } from '../documents/lines.ts'
import { statusOf } from '../documents/methods.ts'
import { productionStatuses } from '../fulfilment/production.ts'
import { array, date, id as idOf, integer, notesLength, passed, text } from '../kernel/field.ts'
import type { Raw } from '../kernel/json.ts'
import { refuse } from '../kernel/refusal.ts'
import { readUsed } from './uses.ts'

export type Given = {
  readonly num: string | undefined
  readonly lines: readonly LineInput[] | undefined
  /** What was really used; absent when that follows from the components. */
  readonly used: readonly LineInput[] | undefined
  readonly productsStorageId: number | undefined
  readonly materialsStorageId: number | undefined
  readonly status: number | undefined
  readonly datePlaced: string | undefined
  readonly datePlanned: string | undefined
  readonly dateDone: string | undefined
  /** `null` sets it free. */
  readonly orderId: number | null | undefined
  readonly notes: string | undefined
}

export function read(raw: Raw, isNew: boolean): Given {
  const products = array(raw, 'products')
  const materials = array(raw, 'materials')
  const resources = array(raw, 'resources')
  if ((isNew && products === undefined) || products?.length === 0) refuse('No products in input')
  if ([products, materials, resources].some((sent) => (sent?.length ?? 0) > mostLines))
    refuse(`Too many lines. Must be at most ${mostLines}`)
  const storage = storages(raw)
  const status = isNew ? statusOf(raw, productionStatuses) : undefined
  const days = {
    datePlaced: date(raw, 'date_placed'),
    datePlanned: date(raw, 'date_planned'),
    dateDone: date(raw, 'date_done'),
  }
  const lines = products === undefined ? undefined : readLines('product', products, 'plain')
  const used = readUsed(materials, resources)
  const num = optionalNumber(raw)
  return {
    num,
    lines,
    used,
    ...storage,
    status,
    ...days,
    orderId: readOrder(raw),
    notes: text(raw, 'notes', { max: notesLength }),
  }
}

/** An empty string or 0 is no sale. */
function readOrder(raw: Raw): number | null | undefined {
  const value = passed(raw, 'order_id')
  if (value === undefined) return undefined
  return value === '' || integer(value) === 0 ? null : idOf(value)
}

export const onWire = {
  num: z.string().optional().describe('Number. Default of add: the next of the sequence M-1, M-2, …'),
  materials: z
    .array(
      plainLineOnWire.extend({
        type: z.enum(['material', 'product']).optional().describe('What is used. Default: material.'),
      }),
    )
    .optional()
    .describe('What was really used of materials; with `resources` it replaces what the components say.'),
  resources: z
    .array(plainLineOnWire.omit({ sku: true }).extend({ id: idOnWire.describe('Id of the resource.') }))
    .optional()
    .describe('What was really used of resources.'),
  ...storagesOnWire,
  date_placed: z.string().optional().describe('Day it is placed, `YYYY-MM-DD`. Default of add: today.'),
  date_planned: z.string().optional().describe('Day it is planned for, `YYYY-MM-DD`.'),
  date_done: z.string().optional().describe('Day it is done, `YYYY-MM-DD`.'),
  order_id: idOnWire
    .optional()
    .describe('The sale it is made for; 0 for none. While it is planned it makes the products of that sale.'),
  notes: z.string().optional().describe('Notes.'),
}
export const productsOnWire = z.array(plainLineOnWire).describe('What is made.')
