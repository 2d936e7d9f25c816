// The texts of the screens in German.

import type { Catalog } from './catalog.ts'
import { access } from './de/access.ts'
import { accounts } from './de/accounts.ts'
import { audits } from './de/audits.ts'
import { catalog } from './de/catalog.ts'
import { contacts } from './de/contacts.ts'
import { dashboard } from './de/dashboard.ts'
import { documents } from './de/documents.ts'
import { files } from './de/files.ts'
import { frame } from './de/frame.ts'
import { history } from './de/history.ts'
import { imports } from './de/imports.ts'
import { kit } from './de/kit.ts'
import { mails } from './de/mails.ts'
import { print } from './de/print.ts'
import { production } from './de/production.ts'
import { purchases } from './de/purchases.ts'
import { quotes } from './de/quotes.ts'
import { reference } from './de/reference.ts'
import { refusals } from './de/refusals.ts'
import { sales } from './de/sales.ts'
import { settings } from './de/settings.ts'
import { states } from './de/states.ts'
import { stock } from './de/stock.ts'
import { toFix } from './de/to-fix.ts'
import { webhooks } from './de/webhooks.ts'

export const messages: Catalog = {
  access,
  accounts,
  audits,
  catalog,
  contacts,
  dashboard,
  documents,
  files,
  frame,
  history,
  imports,
  kit,
  mails,
  print,
  production,
  purchases,
  quotes,
  reference,
  refusals,
  sales,
  settings,
  states,
  stock,
  toFix,
  webhooks,
}
