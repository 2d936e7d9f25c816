// Rules of the lines that documents leave out because their item is not found, and of what becomes of them.

import type { Rule } from './rule.ts'
import { under } from './under.ts'

export const skippedLineRules: readonly Rule[] = under('skipped_lines', {
  stored:
    'the lines that orders/add skips are stored with the sale, with position, type, SKU, id or external id as sent, amount and total',
  replaced:
    'an edit of the API that sends lines replaces the skipped lines by those that it skips; other edits keep them',
  'kept-by-screens':
    'an edit from the screens keeps the skipped lines whose sentence it leaves in the notes, and adds those that it skips itself',
  deleted: 'a deleted document has no skipped lines',
  list: 'the list groups by type and SKU, id or external id, most documents first, with their number, quantity, total and the newest of them',
  'list.closed': 'lines of shipped and canceled sales are listed separately',
  'list.item': 'an entry names the item that has its SKU or external id now',
  'list.case': 'SKUs that differ only in case are one entry, and are assigned together',
  assign:
    'assigning adds the SKU to the alternative SKUs of a product, and the lines to every sale that is not shipped or canceled, with their effect on stock, and takes the sentences out of the notes',
  'assign.closed': 'shipped and canceled sales keep their skipped lines',
  'assign.material': 'a material without a SKU gets the code as its SKU; another one keeps its own',
  'assign.id': 'lines that were named by id are assigned without a code',
  'assign.external-id':
    'external ids are listed and assigned for each API connection separately, because two connections may give the same one to different items',
  'assign.production':
    'the planned production of a sale made to order makes the assigned product too; new productions get numbers that none has',
  'assign.bound':
    'one step changes at most 500 documents, the oldest first, and answers how many remain; a document that would have more than 5000 lines is left out',
  'assign.refused': 'a SKU that another item has, an unknown item and an unknown line are refused, and nothing changes',
  'purchases.stored':
    'the lines that purchases/add and purchases/edit skip are stored, replaced and deleted like those of sales',
  'purchases.list': 'sales and purchases that wait for the same item are one entry, with the number of both',
  'purchases.assign':
    'purchases that are not received or canceled get the lines too; delivery and discount are spread again, and the value of goods that were received follows',
  'purchases.dismiss': 'with purchase_id only the lines of one purchase are dismissed',
  dismiss: 'dismissed lines are no longer listed; the notes stay',
  'dismiss.one-document': 'with order_id only the lines of one sale are dismissed',
  events: 'a step is one write, with one event for each record that it changes, and new versions of the documents',
  undo: 'undoing a step restores lines, stock, notes, skipped lines and codes',
  'undo.changed': 'a step is not undone when one of its documents was changed meanwhile, nor twice',
  roles: 'workers may not call these methods, and API keys cannot',
  companies: 'the skipped lines of another company are neither listed nor changed',
})
