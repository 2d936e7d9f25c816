// The card of a customer.

import { ContactCard } from './contact-card.tsx'

export const Component = () => <ContactCard key="customer" kind="customer" />
