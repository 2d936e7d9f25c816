// Example items to try things out, for a company without items.

import { z } from 'zod'
import { type RelatedEvent, write } from '../kernel/method.ts'
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

const anything = statement<{ items: number }, { company_id: number }>(
  'examples.facts',
  'select count(*) as items from items where company_id = :company_id',
)

export const addExamples = write({
  path: 'examples/add',
  api: 'app',
  summary: 'Add example items to an empty company.',
  input: { schema: z.object({}), read: () => ({}) },
  output: z.object({}),
  refusals: [],
  example: { request: {}, response: { success: true } },
  facts: (_input, context) => anything({ company_id: context.companyId }),
  plan: (_input, facts: { items: number }, transaction) =>
    facts.items > 0 ? [] : examples.map((one) => ({ ...one, id: transaction.ids.next('item_id') })),
  write: (items, transaction) => {
    const events = items.map(({ id, kind, item }): RelatedEvent => {
      return { record: kind, recordId: id, change: item, action: 'created' }
    })
    const event = events.pop()
    if (event === undefined) return undefined
    const statements = items.flatMap(({ id, kind, item }) => insertItem(id, kind, item, transaction))
    return { statements, event, related: events }
  },
  response: () => ({}),
})
