// The list of suppliers.

import { ContactList, requestContactsEarly } from './contact-list.tsx'

export const { loader, shouldRevalidate } = requestContactsEarly('supplier')

export const Component = () => <ContactList key="supplier" kind="supplier" />
