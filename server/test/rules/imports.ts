// Rules of imports of files.

import type { Rule } from './rule.ts'
import { under } from './under.ts'

export const importRules: readonly Rule[] = under('imports', {
  check:
    'rows are checked by the rules of the upsert of their section and written nowhere: create, change with the values before and after, unchanged, or refused with its text and field',
  'check.names':
    'units, categories and suppliers are named, components by the SKU of a product or material or the name of a resource; an unknown name refuses its row',
  'check.same': 'a row with the SKU or name of an earlier row of the import is refused',
  'check.earlier': 'a row may refer to products that earlier rows create',
  'check.replace': 'a row that is sent again at its position replaces the one there',
  refused: 'wrong kinds, positions, rows and ids are refused, and an import that has begun takes no rows',
  run: 'a started import is written in the background: its records, one event for each, and what became of each row; rows that are refused are left out',
  'run.twice': 'an import that another process continues writes nothing twice',
  'run.webhooks': 'records that an import creates or changes are in the feed of changes',
  'run.full': 'when the storage limit is reached, the rows that are left are refused with that text',
  stock:
    'rows of stock become completed stocktakes of the storage location, with the unit costs of their rows; an item whose count is what is on hand is left out',
  'stock.refused':
    'unknown and ambiguous SKUs, and counts and unit costs that are no number, 0 or greater, refuse their row',
  undo: 'taking an import back deletes what it created and restores what it changed, in opposite order',
  'undo.touched': 'records that were changed since, or that may not be deleted, are left as they are, with the reason',
  'undo.stock': 'taking back an import of stock deletes its stocktakes, and restores the levels exactly',
  delete: 'a deleted import is forgotten; one at work is not deleted',
  kept: 'imports are deleted after 30 days',
  bound: 'a company has at most 100 imports, an import at most 20000 rows, a request at most 500',
  roles: 'workers may not call these methods, and API keys cannot',
  companies: 'imports of another company are neither shown nor changed',
})
