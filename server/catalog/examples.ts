// A few items to try things with, for a company that has none.

import { z } from 'zod'
import { write } from '../kernel/method.ts'
import { statement } from '../kernel/statement.ts'
import { insertItem, type NewItem } from './store.ts'

const examples: readonly Omit<NewItem, 'id'>[] = [
  { kind: 'product', name: 'Oak table', sku: 'TABLE-1', altSkus: ['T1'], unitId: 1, price: '249.00' },
  { kind: 'product', name: 'Oak chair', sku: 'CHAIR-1', altSkus: [], unitId: 1, price: '89.00' },
  { kind: 'material', name: 'Oak board', sku: 'BOARD-1', altSkus: [], unitId: 1, price: '18.50' },
]

const anything = statement<{ items: number }>(
  'examples.facts',
  'select count(*) as items from items where company_id = $1',
)

export const addExamples = write({
  path: 'examples/add',
  door: 'screens',
  summary: 'Put example items into an empty company.',
  input: { wire: z.object({}), read: () => ({}) },
  output: z.object({}),
  refusals: [],
  example: { request: {}, response: { success: true } },
  facts: (_input, call) => anything(call.companyId),
  plan: (_input, facts: { items: number }, moment) =>
    facts.items > 0 ? [] : examples.map((item) => ({ ...item, id: moment.ids.next('item_id') })),
  write: (items, { call: { companyId } }) =>
    items.length === 0
      ? undefined
      : {
          statements: items.flatMap((item) => insertItem(companyId, item)),
          event: { record: 'item', recordId: items[0]?.id ?? 0, change: { examples: items.map((item) => item.sku) } },
        },
  answer: () => ({}),
})
