// The card of a product.

import { ItemCard } from './item-card.tsx'

export const Component = () => <ItemCard key="product" kind="product" />
