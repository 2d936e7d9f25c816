// Reading one sale with its lines.

import { recordEntry } from '../../platform/lists/record-methods.ts'
import { saleKind } from '../sale.ts'
import { findSale, saleWithLinesExample, saleWithLinesSchema } from '../view.ts'

export const getEntry = recordEntry(
  saleKind,
  findSale,
  saleWithLinesSchema.describe('The sale with its lines.'),
  saleWithLinesExample,
  ['The lines can be sent back to `orders/edit` as they are; unknown fields are ignored.'],
)
