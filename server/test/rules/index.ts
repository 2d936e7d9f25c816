// Every rule of the API, listed in docs/conformance.md; the tests are named after them.

import { accountRules } from './accounts.ts'
import { catalogRules } from './catalog.ts'
import { companyDetailRules } from './company-details.ts'
import { comparedTextRules } from './compared-texts.ts'
import { contactRules } from './contacts.ts'
import { documentRules } from './documents.ts'
import { erasureRules } from './erasure.ts'
import { eventRules } from './events.ts'
import { externalIdRules } from './external-ids.ts'
import { fileRules } from './files.ts'
import { importRules } from './imports.ts'
import { levelRules } from './levels.ts'
import { mailRules } from './mails.ts'
import { paperRules } from './papers.ts'
import { productionRules } from './productions.ts'
import { quoteRules } from './quotes.ts'
import { referenceRules } from './reference.ts'
import { requestRules } from './request.ts'
import type { Rule } from './rule.ts'
import { saleAddressRules } from './sale-addresses.ts'
import { salesRules } from './sales.ts'
import { skippedLineRules } from './skipped-lines.ts'
import { stockRules } from './stock.ts'
import { taxRules } from './taxes.ts'
import { webhookRules } from './webhooks.ts'

export const rules: readonly Rule[] = [
  ...requestRules,
  ...salesRules,
  ...saleAddressRules,
  ...quoteRules,
  ...skippedLineRules,
  ...importRules,
  ...externalIdRules,
  ...stockRules,
  ...referenceRules,
  ...catalogRules,
  ...contactRules,
  ...documentRules,
  ...productionRules,
  ...levelRules,
  ...eventRules,
  ...webhookRules,
  ...mailRules,
  ...accountRules,
  ...companyDetailRules,
  ...taxRules,
  ...fileRules,
  ...paperRules,
  ...erasureRules,
  ...comparedTextRules,
]
