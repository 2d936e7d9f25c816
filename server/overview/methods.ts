// Methods across all sections, for the screens only: the dashboard, the search, and everything about one item.

import type { Method } from '../kernel/method.ts'
import { getDashboard } from './dashboard/get.ts'
import { getItemCard } from './items/get_card.ts'
import { reorderItems } from './items/reorder.ts'
import { searchItems } from './items/search.ts'
import { searchAll } from './search/get_list.ts'

export const overviewMethods: readonly Method[] = [getDashboard, searchAll, searchItems, getItemCard, reorderItems]
