// The input of production methods, and the order of the checks.

import { z } from 'zod'
import { idSchema, optionalNumber, plainLineSchema, statusOf, storages, storagesSchema } from '../documents/fields.ts'
import { type LineInput, maxLines, readLines } from '../documents/lines.ts'
import { productionStatuses } from '../fulfilment/production.ts'
import { date, id as idOf, integer, notesLength, passed, text, tooMany, uncountedArray } from '../kernel/field.ts'
import type { Raw } from '../kernel/json.ts'
import { named } from '../kernel/method.ts'
import { refuse } from '../kernel/refusal.ts'
import { readUsed } from './uses.ts'

export type ProductionInput = {
  readonly num: string | undefined
  readonly lines: readonly LineInput[] | undefined
  /** What was actually consumed; absent when it follows from the components. */
  readonly used: readonly LineInput[] | undefined
  readonly productsStorageId: number | undefined
  readonly materialsStorageId: number | undefined
  readonly status: number | undefined
  readonly datePlaced: string | undefined
  readonly datePlanned: string | undefined
  readonly dateDone: string | undefined
  /** `null` unlinks it. */
  readonly saleId: number | null | undefined
  readonly notes: string | undefined
}

export function read(raw: Raw, isNew: boolean): ProductionInput {
  const products = uncountedArray(raw, 'products')
  const materials = uncountedArray(raw, 'materials')
  const resources = uncountedArray(raw, 'resources')
  if ((isNew && products === undefined) || products?.length === 0)
    refuse('No products in input', { code: 'no_lines', field: 'products' })
  if ([products, materials, resources].some((sent) => (sent?.length ?? 0) > maxLines))
    refuse(tooMany('lines', maxLines), { code: 'too_many_lines', field: 'products', value: maxLines })
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
    saleId: readSaleId(raw),
    notes: text(raw, 'notes', { max: notesLength }),
  }
}

/** An empty string or 0 means no sale. */
function readSaleId(raw: Raw): number | null | undefined {
  const value = passed(raw, 'order_id')
  if (value === undefined) return undefined
  return value === '' || integer(value) === 0 ? null : idOf(value)
}

export const schema = {
  num: z.string().optional().describe('Number. Default of add: the next of the sequence M-1, M-2, …'),
  materials: z
    .array(
      named(
        'SentUsedMaterial',
        plainLineSchema.extend({
          type: z.enum(['material', 'product']).optional().describe('Kind of the item. Default: material.'),
        }),
      ),
    )
    .max(maxLines)
    .optional()
    .describe('Materials actually consumed; together with `resources` they replace the consumption by components.'),
  resources: z
    .array(
      named(
        'SentUsedResource',
        plainLineSchema.omit({ sku: true, external_id: true }).extend({ id: idSchema.describe('Id of the resource.') }),
      ),
    )
    .max(maxLines)
    .optional()
    .describe('Resources actually consumed.'),
  ...storagesSchema,
  date_placed: z.string().optional().describe('Day it is placed, `YYYY-MM-DD`. Default of add: today.'),
  date_planned: z.string().optional().describe('Day it is planned for, `YYYY-MM-DD`.'),
  date_done: z.string().optional().describe('Day it is done, `YYYY-MM-DD`.'),
  order_id: idSchema
    .optional()
    .describe('The sale it is made for; 0 for none. While it is planned it makes the products of that sale.'),
  notes: z.string().optional().describe('Notes.'),
}
export const productsSchema = z.array(plainLineSchema).max(maxLines).describe('The products.')
