// Every word of the screens, in one place: another language is another set of these files.

import { access } from './words/access.ts'
import { audits } from './words/audits.ts'
import { catalog } from './words/catalog.ts'
import { contacts } from './words/contacts.ts'
import { dashboard } from './words/dashboard.ts'
import { documents } from './words/documents.ts'
import { frame } from './words/frame.ts'
import { history } from './words/history.ts'
import { kit } from './words/kit.ts'
import { production } from './words/production.ts'
import { purchases } from './words/purchases.ts'
import { reference } from './words/reference.ts'
import { sales } from './words/sales.ts'
import { settings } from './words/settings.ts'
import { states } from './words/states.ts'
import { stock } from './words/stock.ts'

export const words = {
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
  sales,
  settings,
  states,
  stock,
}
