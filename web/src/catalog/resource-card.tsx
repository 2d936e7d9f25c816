// The card of a resource.

import { ItemCard } from './item-card.tsx'

export const Component = () => <ItemCard key="resource" kind="resource" />
