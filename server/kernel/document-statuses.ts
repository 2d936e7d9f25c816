// The statuses of all documents. They are in the kernel because SQL of every section asks for the open documents of others.

import { codesOf, type StatusTable, sqlCodes } from './status.ts'

export const saleStatusTable = {
  new: { code: 0, label: 'New', colour: 'grey', stock: 'reserves', isSettable: true },
  packed: { code: 1, label: 'Packed', colour: 'blue', stock: 'reserves', isSettable: true },
  partlyShipped: { code: 2, label: 'Partially shipped', colour: 'yellow', stock: 'moves part', isSettable: false },
  shipped: { code: 3, label: 'Shipped', colour: 'green', stock: 'moves', isSettable: true },
  canceled: { code: 4, label: 'Canceled', colour: 'struck', stock: 'none', isSettable: true },
} as const satisfies StatusTable
export const saleStatus = codesOf(saleStatusTable)

export const purchaseStatusTable = {
  new: { code: 0, label: 'New', colour: 'grey', stock: 'none', isSettable: true },
  ordered: { code: 1, label: 'Ordered', colour: 'blue', stock: 'none', isSettable: true },
  partlyReceived: { code: 2, label: 'Partially received', colour: 'yellow', stock: 'moves part', isSettable: false },
  received: { code: 3, label: 'Received', colour: 'green', stock: 'moves', isSettable: true },
  canceled: { code: 4, label: 'Canceled', colour: 'struck', stock: 'none', isSettable: true },
} as const satisfies StatusTable
export const purchaseStatus = codesOf(purchaseStatusTable)

export const productionStatusTable = {
  planned: { code: 0, label: 'Planned', colour: 'grey', stock: 'none', isSettable: true },
  inProgress: { code: 1, label: 'In progress', colour: 'blue', stock: 'none', isSettable: true },
  done: { code: 3, label: 'Done', colour: 'green', stock: 'moves', isSettable: true },
  canceled: { code: 4, label: 'Canceled', colour: 'struck', stock: 'none', isSettable: true },
} as const satisfies StatusTable
export const productionStatus = codesOf(productionStatusTable)

export const transferStatusTable = {
  new: { code: 0, label: 'New', colour: 'grey', stock: 'none', isSettable: true },
  inTransit: { code: 1, label: 'In transit', colour: 'blue', stock: 'moves part', isSettable: true },
  received: { code: 3, label: 'Received', colour: 'green', stock: 'moves', isSettable: true },
  canceled: { code: 4, label: 'Canceled', colour: 'struck', stock: 'none', isSettable: true },
} as const satisfies StatusTable
export const transferStatus = codesOf(transferStatusTable)

export const auditStatusTable = {
  counting: { code: 0, label: 'Counting', colour: 'grey', stock: 'none', isSettable: true },
  completed: { code: 3, label: 'Completed', colour: 'green', stock: 'moves', isSettable: true },
  canceled: { code: 4, label: 'Canceled', colour: 'struck', stock: 'none', isSettable: true },
} as const satisfies StatusTable
export const auditStatus = codesOf(auditStatusTable)

/** A quote has no effect on stock. A sent one that is no longer valid is expired, which is no status of its own. */
export const quoteStatusTable = {
  draft: { code: 0, label: 'Draft', colour: 'grey', stock: 'none', isSettable: true },
  sent: { code: 1, label: 'Sent', colour: 'blue', stock: 'none', isSettable: true },
  accepted: { code: 3, label: 'Accepted', colour: 'green', stock: 'none', isSettable: true },
  declined: { code: 4, label: 'Declined', colour: 'struck', stock: 'none', isSettable: true },
} as const satisfies StatusTable
export const quoteStatus = codesOf(quoteStatusTable)

/** Whether a sale or a purchase is paid. Informational only. */
export const paymentStatusTable = {
  unpaid: { code: 0, label: 'Unpaid', colour: 'grey', stock: 'none', isSettable: true },
  partlyPaid: { code: 1, label: 'Partially paid', colour: 'yellow', stock: 'none', isSettable: true },
  paid: { code: 2, label: 'Paid', colour: 'green', stock: 'none', isSettable: true },
} as const satisfies StatusTable
export const paymentStatus = codesOf(paymentStatusTable)

/** All kinds of documents have it in common. */
export const { canceled } = saleStatus

// Lists of codes for SQL, as in `status in (${openSales})`. Open documents are neither completed nor canceled.
export const unshippedSales = sqlCodes(saleStatus.new, saleStatus.packed)
export const openSales = sqlCodes(saleStatus.new, saleStatus.packed, saleStatus.partlyShipped)
export const closedSales = sqlCodes(saleStatus.shipped, saleStatus.canceled)
export const salesWithShipments = sqlCodes(saleStatus.partlyShipped, saleStatus.shipped)
export const openPurchases = sqlCodes(purchaseStatus.new, purchaseStatus.ordered, purchaseStatus.partlyReceived)
export const closedPurchases = sqlCodes(purchaseStatus.received, purchaseStatus.canceled)
export const purchasesWithReceipts = sqlCodes(purchaseStatus.partlyReceived, purchaseStatus.received)
export const openProductions = sqlCodes(productionStatus.planned, productionStatus.inProgress)
export const openTransfers = sqlCodes(transferStatus.new, transferStatus.inTransit)
export const sentTransfers = sqlCodes(transferStatus.inTransit, transferStatus.received)
