// Error texts that several methods of the section share, for the API reference and the generated documents.

import { chargeRefusals, dateRefusal, storageRefusals } from '../documents/fields.ts'
import { lineArrayRefusals } from '../documents/lines.ts'
import { textRefusals } from '../kernel/field.ts'

/** Error texts about the fields of a sale, in add and in edit. */
export const saleRefusals: readonly string[] = [
  ...lineArrayRefusals,
  'Materials in orders are disabled in company settings',
  ...storageRefusals,
  dateRefusal,
  ...chargeRefusals,
  'Invalid production value. Must be one of: 0, 1',
  ...textRefusals,
]
