// Links between the lists of customers and suppliers.

import { NavTabs } from '../documents/nav-tabs.tsx'
import { messages } from '../messages.ts'

const { nav } = messages.frame

export function ContactsNav() {
  return (
    <NavTabs
      label={nav.contacts}
      places={[
        { label: nav.customers, to: '/customers' },
        { label: nav.suppliers, to: '/suppliers' },
      ]}
    />
  )
}
