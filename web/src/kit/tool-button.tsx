// A button of the toolbar of a list; on a phone only its icon.

import { Button, type ButtonProps } from '@mantine/core'
import type { Icon as TablerIcon } from '@tabler/icons-react'
import type { ComponentPropsWithRef } from 'react'
import classes from './tool-button.module.css'

type ToolButtonProps = ButtonProps &
  Omit<ComponentPropsWithRef<'button'>, keyof ButtonProps> & {
    readonly label: string
    readonly icon: TablerIcon
  }

export function ToolButton({ label, icon: Icon, className, ...props }: ToolButtonProps) {
  return (
    <Button
      variant="default"
      // A menu passes a class, too.
      className={`${classes['tool']} ${className ?? ''}`}
      leftSection={<Icon size={14} aria-hidden />}
      {...props}
    >
      {label}
    </Button>
  )
}
