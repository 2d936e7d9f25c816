// The card of a supplier.

import { ContactCard } from './contact-card.tsx'

export const Component = () => <ContactCard key="supplier" kind="supplier" />
