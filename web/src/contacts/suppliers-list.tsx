// The list of suppliers.

import { ContactList } from './contact-list.tsx'

export const Component = () => <ContactList key="supplier" kind="supplier" />
