// The menu of a page with the actions that have no button of their own.

import { ActionIcon, Menu } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { messages } from '../messages.ts'
import { type Action, ActionItem } from './action.tsx'

/** Nothing without actions. */
export function MoreMenu({ menu, size }: { readonly menu: readonly Action[]; readonly size?: number }) {
  if (menu.length === 0) return null
  return (
    <Menu>
      <Menu.Target>
        <ActionIcon aria-label={messages.kit.card.more} variant="default" {...(size === undefined ? {} : { size })}>
          <IconDots size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {menu.map((action) => (
          <ActionItem key={action.label} action={action} />
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
