// A few items to try things with, for a company that has none.

import { z } from 'zod'
import { write } from '../kernel/method.ts'
import { statement } from '../kernel/statement.ts'
import { emptyItem, type Item, type ItemKind } from './item.ts'
import { insertItem } from './store.ts'

type Example = { readonly kind: ItemKind; readonly item: Item }

const examples: readonly Example[] = [
  {
    kind: 'product',
    item: { ...emptyItem, unit_id: 1, name: 'Oak table', sku: 'TABLE-1', alt_skus: ['T1'], price: '249' },
  },
  { kind: 'product', item: { ...emptyItem, unit_id: 1, name: 'Oak chair', sku: 'CHAIR-1', price: '89' } },
  { kind: 'material', item: { ...emptyItem, unit_id: 1, name: 'Oak board', sku: 'BOARD-1', price: '18.5' } },
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
    facts.items > 0 ? [] : examples.map((one) => ({ ...one, id: moment.ids.next('item_id') })),
  write: (items, moment) =>
    items.length === 0
      ? undefined
      : {
          statements: items.flatMap(({ id, kind, item }) => insertItem(id, kind, item, moment)),
          event: {
            record: 'item',
            recordId: items[0]?.id ?? 0,
            change: { examples: items.map(({ item }) => item.sku) },
          },
        },
  answer: () => ({}),
})
