// The button of a page's primary action: a link when it has an address.

import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { Link } from 'react-router'
import type { PageAction } from './page.tsx'

export function PageActionButton({ action }: { action: PageAction }) {
  const buttonProps = {
    leftSection: <IconPlus size={14} aria-hidden />,
    title: `${action.label} (n)`,
  }
  return action.to ? (
    <Button component={Link} to={action.to} {...buttonProps}>
      {action.label}
    </Button>
  ) : (
    <Button onClick={() => action.run?.()} {...buttonProps}>
      {action.label}
    </Button>
  )
}
