// Links between the board and the list of productions.

import { NavTabs } from '../documents/nav-tabs.tsx'
import { messages } from '../messages.ts'

const texts = messages.production.places

export function ProductionNav() {
  return (
    <NavTabs
      label={texts.label}
      places={[
        { label: texts.board, to: '/productions' },
        { label: texts.list, to: '/productions/list' },
      ]}
    />
  )
}
