// The list of customers.

import { ContactList, requestContactsEarly } from './contact-list.tsx'

export const { loader, shouldRevalidate } = requestContactsEarly('customer')

export const Component = () => <ContactList key="customer" kind="customer" />
