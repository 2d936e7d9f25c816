// All texts of the screens in one place: another language is another set of these files.

import { access } from './messages/access.ts'
import { audits } from './messages/audits.ts'
import { catalog } from './messages/catalog.ts'
import { contacts } from './messages/contacts.ts'
import { dashboard } from './messages/dashboard.ts'
import { documents } from './messages/documents.ts'
import { frame } from './messages/frame.ts'
import { history } from './messages/history.ts'
import { kit } from './messages/kit.ts'
import { production } from './messages/production.ts'
import { purchases } from './messages/purchases.ts'
import { reference } from './messages/reference.ts'
import { refusals } from './messages/refusals.ts'
import { sales } from './messages/sales.ts'
import { settings } from './messages/settings.ts'
import { states } from './messages/states.ts'
import { stock } from './messages/stock.ts'
import { toFix } from './messages/to-fix.ts'
import { webhooks } from './messages/webhooks.ts'

export const messages = {
  access,
  audits,
  catalog,
  contacts,
  dashboard,
  documents,
  frame,
  history,
  kit,
  production,
  purchases,
  reference,
  refusals,
  sales,
  settings,
  states,
  stock,
  toFix,
  webhooks,
}
