// An item as returned by the line search.

import type { ItemsSearchItems } from '../methods.ts'

export type FoundItem = ItemsSearchItems
