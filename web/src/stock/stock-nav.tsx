// Links between the stock list and the documents that move stock.

import { NavTabs } from '../documents/nav-tabs.tsx'
import { messages } from '../messages.ts'

const texts = messages.stock.places

export function StockNav() {
  return (
    <NavTabs
      label={texts.label}
      places={[
        { label: texts.levels, to: '/stock' },
        { label: texts.transfers, to: '/transfers' },
        { label: texts.writeoffs, to: '/write-offs' },
        { label: texts.audits, to: '/audits' },
      ]}
    />
  )
}
