// Links between sales and quotes. Workers see sales only, and no links.

import { NavTabs } from '../documents/nav-tabs.tsx'
import { messages } from '../messages.ts'
import { useMay } from '../session.tsx'

const texts = messages.quotes.places

export function SalesNav() {
  if (!useMay('manager')) return null
  return (
    <NavTabs
      label={texts.label}
      places={[
        { label: texts.sales, to: '/sales' },
        { label: texts.quotes, to: '/quotes' },
      ]}
    />
  )
}
