// The rules of comparing texts.

import type { Rule } from './rule.ts'
import { under } from './under.ts'

export const comparedTextRules: readonly Rule[] = under('compared', {
  sku: 'SKUs compare in Unicode normal form C with full case folding: a line, a component, a filter and an upsert find STRASSE by Straße',
  'sku-taken': '`SKU "<sku>" is already used` also for an SKU that compares as equal; barcodes are compared exactly',
  name: 'Names of customers and suppliers compare alike: a sale, a purchase and an upsert find the existing one, and a new one is refused',
  search: 'A search compares alike: names and codes of items, and names of customers and suppliers',
  'free-text': 'A search in notes and numbers finds ß by ss and a final sigma by any other',
  stored: 'What is stored and returned is what was sent',
  collision:
    'Texts that an older version accepted as different keep their records: the exact text finds its own one, another one that compares as equal finds the oldest, and both can be edited',
  backfill:
    'Rows of an older version are found by their exact text, and after the backfill by every text that compares as equal',
})
