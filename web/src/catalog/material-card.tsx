// The card of a material.

import { ItemCard } from './item-card.tsx'

export const Component = () => <ItemCard key="material" kind="material" />
