// The button of a page's primary action: a link when it has an address.

import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { Link } from 'react-router'
import { type PageAction, useCurrentPage } from './page.tsx'

/** The one primary button of a page, in its head. */
export function CurrentPageAction() {
  const { action } = useCurrentPage()
  return action && <PageActionButton action={action} />
}

export function PageActionButton({ action, isPrimary = true }: { action: PageAction; isPrimary?: boolean }) {
  const buttonProps = {
    leftSection: <IconPlus size={14} aria-hidden />,
    title: `${action.label} (n)`,
    ...(isPrimary ? {} : { variant: 'default' }),
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
