// The list of customers.

import { ContactList } from './contact-list.tsx'

export const Component = () => <ContactList key="customer" kind="customer" />
