// The way between what lies where and the documents that move it.

import { NavTabs } from '../documents/nav-tabs.tsx'
import { words } from '../words.ts'

const said = words.stock.places

export function StockPlaces() {
  return (
    <NavTabs
      label={said.label}
      places={[
        { label: said.levels, to: '/stock' },
        { label: said.transfers, to: '/transfers' },
        { label: said.writeoffs, to: '/write-offs' },
        { label: said.audits, to: '/audits' },
      ]}
    />
  )
}
