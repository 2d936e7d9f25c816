// The texts of the screens in Russian.

import type { Catalog } from './catalog.ts'
import { access } from './ru/access.ts'
import { accounts } from './ru/accounts.ts'
import { audits } from './ru/audits.ts'
import { catalog } from './ru/catalog.ts'
import { contacts } from './ru/contacts.ts'
import { dashboard } from './ru/dashboard.ts'
import { documents } from './ru/documents.ts'
import { files } from './ru/files.ts'
import { frame } from './ru/frame.ts'
import { history } from './ru/history.ts'
import { imports } from './ru/imports.ts'
import { kit } from './ru/kit.ts'
import { mails } from './ru/mails.ts'
import { print } from './ru/print.ts'
import { production } from './ru/production.ts'
import { purchases } from './ru/purchases.ts'
import { quotes } from './ru/quotes.ts'
import { reference } from './ru/reference.ts'
import { refusals } from './ru/refusals.ts'
import { sales } from './ru/sales.ts'
import { settings } from './ru/settings.ts'
import { states } from './ru/states.ts'
import { stock } from './ru/stock.ts'
import { toFix } from './ru/to-fix.ts'
import { webhooks } from './ru/webhooks.ts'

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
