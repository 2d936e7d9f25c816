// Reading one sale with its lines.

import { recordEntry } from '../../platform/records.ts'
import { saleKind } from '../sale.ts'
import { findSale, saleWithLinesExample, saleWithLinesOnWire } from '../view.ts'

export const getEntry = recordEntry(
  saleKind,
  findSale,
  saleWithLinesOnWire.describe('The sale with its lines.'),
  saleWithLinesExample,
  ['The lines can be sent back to `orders/edit` as they are; fields that it does not know are ignored.'],
)
