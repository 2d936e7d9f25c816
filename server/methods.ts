// All methods and status tables of all sections.

import { accessMethods, accessSessionMethods } from './access/methods.ts'
import { auditMethods } from './audits/methods.ts'
import { materialMethods, productMethods, resourceMethods } from './catalog/methods.ts'
import { customerMethods, supplierMethods } from './contacts/methods.ts'
import {
  auditStatusTable,
  paymentStatusTable,
  productionStatusTable,
  purchaseStatusTable,
  quoteStatusTable,
  saleStatusTable,
  transferStatusTable,
} from './kernel/document-statuses.ts'
import type { Method } from './kernel/method.ts'
import type { StatusTable } from './kernel/status.ts'
import { importWrites } from './overview/imports/methods.ts'
import { exampleDataMethods, overviewMethods, sharedQuoteMethods } from './overview/methods.ts'
import type { AnySessionMethod } from './platform/requests/request.ts'
import { productionMethods } from './production/methods.ts'
import { purchaseMethods } from './purchases/methods.ts'
import { categoryMethods } from './reference/categories.ts'
import { storageMethods } from './reference/storages.ts'
import { unitMethods } from './reference/units.ts'
import { salesMethods } from './sales/methods.ts'
import { stockMethods } from './stock/methods.ts'
import { transferMethods } from './transfers/methods.ts'
import { writeOffMethods } from './write-offs/methods.ts'

/** The methods about the company's records. */
export const methodsOfRecords: readonly Method[] = [
  ...salesMethods,
  ...purchaseMethods,
  ...productionMethods,
  ...writeOffMethods,
  ...transferMethods,
  ...auditMethods,
  ...stockMethods,
  ...productMethods,
  ...materialMethods,
  ...resourceMethods,
  ...customerMethods,
  ...supplierMethods,
  ...unitMethods,
  ...categoryMethods,
  ...storageMethods,
  ...overviewMethods,
]

/** What the thread plans when it is large. */
export const plannedMethods: readonly Method[] = [...methodsOfRecords, ...importWrites]

export const methods: readonly Method[] = [...methodsOfRecords, ...accessMethods]

/** Methods of the app API that run by themselves, not as one read or write. */
export const sessionMethods: readonly AnySessionMethod[] = [
  ...accessSessionMethods,
  ...exampleDataMethods,
  ...sharedQuoteMethods,
]

/** The status tables by what they belong to. */
export const statusTables = {
  sale: saleStatusTable,
  quote: quoteStatusTable,
  purchase: purchaseStatusTable,
  production: productionStatusTable,
  transfer: transferStatusTable,
  audit: auditStatusTable,
  payment: paymentStatusTable,
} as const satisfies Readonly<Record<string, StatusTable>>
