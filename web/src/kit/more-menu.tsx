// The menu of a page with the actions that have no button of their own.

import { ActionIcon, Menu } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { messages } from '../messages.ts'
import { type Action, ActionItem } from './action.tsx'
import type { Printable } from './print-address.ts'
import { usePrintItems } from './print-menu.tsx'

type Props = {
  readonly menu: readonly Action[]
  /** Where there is no room for a button that prints. */
  readonly prints?: readonly Printable[]
  readonly size?: number
}

/** Nothing without actions. */
export function MoreMenu({ menu, prints = [], size }: Props) {
  const { items, dialog } = usePrintItems(prints)
  if (menu.length === 0 && prints.length === 0) return null
  return (
    <>
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
          {prints.length > 0 && (
            <>
              {menu.length > 0 && <Menu.Divider />}
              <Menu.Label>{messages.print.print}</Menu.Label>
              {items}
            </>
          )}
        </Menu.Dropdown>
      </Menu>
      {dialog}
    </>
  )
}
