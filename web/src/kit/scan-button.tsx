// Opens the scanner. Shown where the device is likely to have a camera; the scanner itself is loaded when it is opened.

import { ActionIcon, type ActionIconProps } from '@mantine/core'
import { IconCamera } from '@tabler/icons-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { messages } from '../messages.ts'
import { useHasCamera } from './camera.ts'
import { notifyError } from './notify.tsx'
import classes from './scan-button.module.css'
import type { Scanner, ScannerProps } from './scanner.tsx'

const texts = messages.kit.scan

export type ScanHandlers = Omit<ScannerProps, 'onClose'>

/** The scanner, and how to open it; the scanner is rendered where it survives what it closes. */
export function useScanner(handlers: ScanHandlers): { open: () => void; scanner: ReactNode } {
  const [Opened, setOpened] = useState<typeof Scanner>()
  const before = useRef<Element>(null)
  const open = (): void => {
    before.current = document.activeElement
    void import('./scanner.tsx').then(
      (loaded) => setOpened(() => loaded.Scanner),
      () => notifyError(new Error(messages.kit.unreachable)),
    )
  }
  // The dialog is removed at once when it is closed, so the focus has to be put back here, unless it has gone elsewhere.
  useEffect(() => {
    if (Opened === undefined) return
    return () => {
      const { current } = before
      if (document.activeElement === document.body && current instanceof HTMLElement) current.focus()
    }
  }, [Opened])
  return { open, scanner: Opened && <Opened {...handlers} onClose={() => setOpened(undefined)} /> }
}

type ButtonProps = Pick<ActionIconProps, 'size'> & { readonly onClick: () => void }

export function ScanIcon({ onClick, size = 'md' }: ButtonProps) {
  const hasCamera = useHasCamera()
  if (!hasCamera) return null
  return (
    <ActionIcon
      size={size}
      className={classes['button'] ?? ''}
      aria-label={texts.open}
      title={texts.open}
      onClick={onClick}
      // A field around the button keeps the focus and its list.
      onMouseDown={(event) => event.preventDefault()}
    >
      <IconCamera size={size === 'md' ? 18 : 24} stroke={1.6} aria-hidden />
    </ActionIcon>
  )
}

export function ScanButton({ size, ...handlers }: ScanHandlers & Pick<ActionIconProps, 'size'>) {
  const { open, scanner } = useScanner(handlers)
  return (
    <>
      <ScanIcon onClick={open} {...(size === undefined ? {} : { size })} />
      {scanner}
    </>
  )
}
