// Methods across all sections, for the screens only: the dashboard, the search, everything about one item, skipped lines, and imports.

import type { Method } from '../kernel/method.ts'
import { getDashboard } from './dashboard/get.ts'
import { importMethods } from './imports/methods.ts'
import { getItemCard } from './items/get_card.ts'
import { reorderItems } from './items/reorder.ts'
import { searchItems } from './items/search.ts'
import { searchAll } from './search/get_list.ts'
import { assignSkipped } from './skipped_lines/assign.ts'
import { dismissSkipped } from './skipped_lines/dismiss.ts'
import { listSkipped } from './skipped_lines/get_list.ts'
import { undoSkipped } from './skipped_lines/undo.ts'

export const overviewMethods: readonly Method[] = [
  getDashboard,
  searchAll,
  searchItems,
  getItemCard,
  reorderItems,
  listSkipped,
  assignSkipped,
  dismissSkipped,
  undoSkipped,
  ...importMethods,
]
