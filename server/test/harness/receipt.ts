// Initial stock for a test: a receipt through the ledger, in the company's order and with its event.

import { z } from 'zod'
import { quantityFrom, valueAt, valueFrom } from '../../kernel/decimal.ts'
import { type WriteMethod, write } from '../../kernel/method.ts'
import { statement } from '../../kernel/statement.ts'
import { type ItemFacts, Items, itemFacts } from '../../stock/items.ts'
import { post } from '../../stock/ledger.ts'
import { type Posting, planPosting } from '../../stock/posting.ts'

export type Receipt = {
  readonly item: number
  readonly amount: string
  readonly unitCost: string
  readonly storage: number
  readonly date?: string
}

const receiptFacts = statement<ItemFacts, { readonly company_id: number; readonly item_ids: readonly number[] }>(
  'given.receipt_facts',
  `select ${itemFacts(':item_ids', "'{}'", "'{}'")}`,
)

export function receiptMethod(receipt: Receipt): WriteMethod<object, ItemFacts, Posting> {
  const amount = quantityFrom(receipt.amount)
  const date = receipt.date ?? new Date().toISOString().slice(0, 10)
  return write({
    path: 'given/stock',
    api: 'app',
    summary: 'A receipt given by a test.',
    input: { schema: z.object({}), read: () => ({}) },
    output: z.object({}),
    refusals: [],
    example: { request: {}, response: {} },
    facts: (_input: object, call) => receiptFacts({ company_id: call.companyId, item_ids: [receipt.item] }),
    plan: (_input, facts: ItemFacts, transaction) => {
      const move = {
        storageId: receipt.storage,
        itemId: receipt.item,
        date,
        onHand: amount,
        value: valueAt(amount, valueFrom(receipt.unitCost)),
      }
      const document = { section: 'given', id: transaction.seq }
      return planPosting(document, [], { moves: [move], reservations: [] }, new Items(facts).costs, transaction)
    },
    write: (posting, transaction) => ({
      statements: post(posting, transaction),
      event: { record: 'receipt', recordId: transaction.seq, change: {} },
    }),
    response: () => ({}),
  })
}
