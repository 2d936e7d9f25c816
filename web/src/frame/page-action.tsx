// The button of a page's primary action: a link where it leads somewhere.

import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { Link } from 'react-router'
import classes from './frame.module.css'
import type { PageAction } from './page.tsx'

export function PageActionButton({ action }: { action: PageAction }) {
  const look = {
    leftSection: <IconPlus size={14} aria-hidden />,
    title: `${action.label} (n)`,
    className: classes['action'] ?? '',
  }
  return action.to ? (
    <Button component={Link} to={action.to} {...look}>
      {action.label}
    </Button>
  ) : (
    <Button onClick={() => action.run?.()} {...look}>
      {action.label}
    </Button>
  )
}
