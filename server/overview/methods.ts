// Methods across all sections, for the screens only: the dashboard, the first steps and example data, the search, everything about one item, skipped lines,
// files, the logo of the company, documents by mail, imports, and quotes for customers without an account.

import type { Method } from '../kernel/method.ts'
import type { AnySessionMethod } from '../platform/requests/request.ts'
import { deleteLogo } from './company/delete_logo.ts'
import { setLogo } from './company/set_logo.ts'
import { getDashboard } from './dashboard/get.ts'
import { getRecipient } from './documents/get_recipient.ts'
import { sendDocument } from './documents/send.ts'
import { addExampleData } from './example_data/add.ts'
import { deleteExampleData } from './example_data/delete.ts'
import { addFile } from './files/add.ts'
import { removeFile } from './files/delete.ts'
import { listFiles } from './files/get_list.ts'
import { editFirstSteps } from './first_steps/edit.ts'
import { getFirstSteps } from './first_steps/get.ts'
import { importMethods } from './imports/methods.ts'
import { getItemCard } from './items/get_card.ts'
import { reorderItems } from './items/reorder.ts'
import { searchItems } from './items/search.ts'
import { acceptSharedQuote } from './quotes/accept_shared.ts'
import { declineSharedQuote } from './quotes/decline_shared.ts'
import { getSharedQuote } from './quotes/get_shared.ts'
import { searchAll } from './search/get_list.ts'
import { assignSkipped } from './skipped_lines/assign.ts'
import { dismissSkipped } from './skipped_lines/dismiss.ts'
import { listSkipped } from './skipped_lines/get_list.ts'
import { undoSkipped } from './skipped_lines/undo.ts'

export const overviewMethods: readonly Method[] = [
  getDashboard,
  getFirstSteps,
  editFirstSteps,
  searchAll,
  searchItems,
  getItemCard,
  reorderItems,
  listSkipped,
  assignSkipped,
  dismissSkipped,
  undoSkipped,
  listFiles,
  addFile,
  removeFile,
  setLogo,
  deleteLogo,
  getRecipient,
  sendDocument,
  ...importMethods,
]

export const exampleDataMethods: readonly AnySessionMethod[] = [addExampleData, deleteExampleData]

/** For customers who have the link of a quote. */
export const sharedQuoteMethods: readonly AnySessionMethod[] = [getSharedQuote, acceptSharedQuote, declineSharedQuote]
