// The texts of the screens in English: the catalog that every other language has the shape of.

import { access } from './en/access.ts'
import { accounts } from './en/accounts.ts'
import { audits } from './en/audits.ts'
import { catalog } from './en/catalog.ts'
import { contacts } from './en/contacts.ts'
import { dashboard } from './en/dashboard.ts'
import { documents } from './en/documents.ts'
import { files } from './en/files.ts'
import { frame } from './en/frame.ts'
import { history } from './en/history.ts'
import { imports } from './en/imports.ts'
import { kit } from './en/kit.ts'
import { mails } from './en/mails.ts'
import { print } from './en/print.ts'
import { production } from './en/production.ts'
import { purchases } from './en/purchases.ts'
import { quotes } from './en/quotes.ts'
import { reference } from './en/reference.ts'
import { refusals } from './en/refusals.ts'
import { sales } from './en/sales.ts'
import { settings } from './en/settings.ts'
import { states } from './en/states.ts'
import { stock } from './en/stock.ts'
import { toFix } from './en/to-fix.ts'
import { webhooks } from './en/webhooks.ts'

export const messages = {
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
