// Listing sales.

import { documentList } from '../../documents/list.ts'
import { saleKind } from '../sale.ts'
import { saleExample, saleJoins, saleJson, saleOnWire } from '../view.ts'

export const getList = documentList({
  kind: saleKind,
  json: saleJson,
  joins: saleJoins,
  recordOnWire: saleOnWire,
  example: saleExample,
})
