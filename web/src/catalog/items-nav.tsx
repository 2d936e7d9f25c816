// Links between the lists of products, materials and resources.

import { NavTabs } from '../documents/nav-tabs.tsx'
import { messages } from '../messages.ts'

const { nav } = messages.frame

export function ItemsNav() {
  return (
    <NavTabs
      label={nav.items}
      places={[
        { label: nav.products, to: '/products' },
        { label: nav.materials, to: '/materials' },
        { label: nav.resources, to: '/resources' },
      ]}
    />
  )
}
