// Listing sales.

import { documentList } from '../../documents/list.ts'
import { saleFilters } from '../filters.ts'
import { saleKind } from '../sale.ts'
import { saleExample, saleJoins, saleJson, saleSchema } from '../view.ts'

export const getList = documentList({
  kind: saleKind,
  json: saleJson,
  joins: saleJoins,
  recordSchema: saleSchema,
  example: saleExample,
  notes: [
    '`num` is compared with the whole number, prefix included. `search` finds part of the number or of the name of the customer.',
    '`updated_after` finds changes of the sale itself. Deleted sales are in no list.',
  ],
  filters: saleFilters,
})
