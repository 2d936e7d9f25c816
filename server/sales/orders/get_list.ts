// Listing sales.

import { documentList } from '../../documents/list.ts'
import { saleFilters } from '../filters.ts'
import { saleKind } from '../sale.ts'
import { listedSaleSchema, saleExample, saleJoins, saleJson } from '../view.ts'

export const getList = documentList({
  kind: saleKind,
  json: saleJson,
  joins: saleJoins,
  recordSchema: listedSaleSchema,
  example: saleExample,
  notes: [
    '`num` is compared with the whole number, prefix included. `search` finds part of the number or of the name of the customer.',
    '`updated_after` finds changes of the sale itself. Deleted sales are in no list.',
    '`include: ["lines"]` adds `products` and `materials` to each sale, `include: ["meta"]` adds `external_id`, `created_at`, `updated_at` and `version`.',
    '`include: ["addresses"]` adds `billing_address` and `delivery_address`.',
    '`include: ["shipments"]` adds `shipments` and, together with `lines`, `shipped` to each line.',
  ],
  filters: saleFilters,
})
