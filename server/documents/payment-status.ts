// Whether a sale or a purchase is paid. Informational only.

import { codesOf, type StatusTable } from '../kernel/status.ts'

export const paymentStatusTable = {
  unpaid: { code: 0, label: 'Unpaid', colour: 'grey', stock: 'none', isSettable: true },
  partlyPaid: { code: 1, label: 'Partially paid', colour: 'yellow', stock: 'none', isSettable: true },
  paid: { code: 2, label: 'Paid', colour: 'green', stock: 'none', isSettable: true },
} as const satisfies StatusTable

export const paymentStatus = codesOf(paymentStatusTable)
