// A button that performs an action, or shows in a tooltip why it is disabled.

import { Button, Menu, Tooltip } from '@mantine/core'
import type { ReactNode } from 'react'
import { useState } from 'react'
import { notifyError } from './notify.tsx'

export type Action = {
  readonly label: string
  readonly run: () => unknown
  readonly icon?: ReactNode
  /** Why it is disabled. */
  readonly disabled?: string | undefined
  /** A destructive action. */
  readonly danger?: boolean
  /** Takes back what was done: never the main action of a page. */
  readonly isReturn?: boolean
}

/** Stays focusable, so that the reason can be read: a menu whose first item takes no focus would not be closed by Escape either. */
const off = { 'aria-disabled': true, 'data-disabled': true } as const

export function ActionButton({ action, isPrimary = false }: { action: Action; isPrimary?: boolean }) {
  const [isRunning, setRunning] = useState(false)
  const run = async (): Promise<void> => {
    if (action.disabled !== undefined) return
    setRunning(true)
    try {
      await action.run()
    } catch (error) {
      notifyError(error)
    } finally {
      setRunning(false)
    }
  }
  const isOff = action.disabled !== undefined
  return (
    <Tooltip label={action.disabled} disabled={!isOff}>
      <Button
        variant={isPrimary ? 'filled' : 'default'}
        leftSection={action.icon}
        loading={isRunning}
        {...(isOff ? off : {})}
        onClick={() => void run()}
      >
        {action.label}
      </Button>
    </Tooltip>
  )
}

export function ActionItem({ action }: { action: Action }) {
  const isOff = action.disabled !== undefined
  const run = async (): Promise<void> => {
    if (!isOff) await action.run()
  }
  return (
    <Menu.Item
      leftSection={action.icon}
      {...(isOff ? off : {})}
      closeMenuOnClick={!isOff}
      title={action.disabled}
      {...(action.danger ? { c: 'var(--mantine-color-error)' } : {})}
      onClick={() => void run().catch(notifyError)}
    >
      {action.label}
      {isOff && <div style={{ fontSize: 12 }}>{action.disabled}</div>}
    </Menu.Item>
  )
}
