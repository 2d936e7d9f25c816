// The methods of the sales section.

import type { Method } from '../kernel/method.ts'
import { add } from './orders/add.ts'
import { browseSales } from './orders/browse.ts'
import { deleteSale } from './orders/delete.ts'
import { edit } from './orders/edit.ts'
import { findNumber } from './orders/find_number.ts'
import { getCard } from './orders/get_card.ts'
import { getEntry } from './orders/get_entry.ts'
import { getList } from './orders/get_list.ts'
import { nextNumber } from './orders/next_number.ts'
import { ship } from './orders/ship.ts'
import { shipPart } from './orders/ship_part.ts'
import { undoShipment } from './orders/undo_shipment.ts'
import { updatePayment } from './orders/update_payment.ts'
import { updateStatus } from './orders/update_status.ts'
import { acceptQuote } from './quotes/accept.ts'
import { addQuote } from './quotes/add.ts'
import { browseQuotes } from './quotes/browse.ts'
import { declineQuote } from './quotes/decline.ts'
import { deleteQuote } from './quotes/delete.ts'
import { editQuote } from './quotes/edit.ts'
import { getQuoteCard } from './quotes/get_card.ts'
import { reopenQuote } from './quotes/reopen.ts'
import { revokeQuoteLink } from './quotes/revoke.ts'
import { sendQuote } from './quotes/send.ts'

export const salesMethods: readonly Method[] = [
  add,
  edit,
  deleteSale,
  updateStatus,
  updatePayment,
  getList,
  getEntry,
  ship,
  shipPart,
  undoShipment,
  browseSales,
  getCard,
  nextNumber,
  findNumber,
  addQuote,
  editQuote,
  deleteQuote,
  sendQuote,
  revokeQuoteLink,
  reopenQuote,
  acceptQuote,
  declineQuote,
  browseQuotes,
  getQuoteCard,
]
