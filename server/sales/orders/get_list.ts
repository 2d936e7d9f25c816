// Listing sales.

import { documentList } from '../../documents/list.ts'
import { saleKind } from '../sale.ts'
import { saleExample, saleJoins, saleJson, saleSchema } from '../view.ts'

export const getList = documentList({
  kind: saleKind,
  json: saleJson,
  joins: saleJoins,
  recordSchema: saleSchema,
  example: saleExample,
})
