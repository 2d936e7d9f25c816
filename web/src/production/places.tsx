// The two ways to look at productions.

import { NavTabs } from '../documents/nav-tabs.tsx'
import { words } from '../words.ts'

const said = words.production.places

export function ProductionPlaces() {
  return (
    <NavTabs
      label={said.label}
      places={[
        { label: said.board, to: '/productions' },
        { label: said.list, to: '/productions/list' },
      ]}
    />
  )
}
