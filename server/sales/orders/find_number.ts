// Finding sales with a given number.

import { customer } from '../../contacts/contact.ts'
import { documentFindNumber } from '../../documents/find-number.ts'
import { saleStatusTable } from '../../kernel/document-statuses.ts'
import { saleKind } from '../sale.ts'

export const findNumber = documentFindNumber({
  kind: saleKind,
  party: customer,
  statuses: saleStatusTable,
  example: { num: 'A-1007', party: 'Oak & Sons' },
})
