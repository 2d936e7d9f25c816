// What looks over all sections: the dashboard, the search, an item with all that is known of it. Only the screens have it.

import type { Method } from '../kernel/method.ts'
import { getDashboard } from './dashboard/get.ts'
import { getItemCard } from './items/get_card.ts'
import { searchItems } from './items/search.ts'
import { searchAll } from './search/get_list.ts'

export const overviewMethods: readonly Method[] = [getDashboard, searchAll, searchItems, getItemCard]
