// Unsaved changes are not lost by a click: leaving the page asks first.

import { Button, Group, Modal, Text } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { useBlocker } from 'react-router'
import { words } from '../words.ts'

let isLetThrough = false

/** Lets the next navigation pass: what was typed has just been saved. */
export function letThrough(go: () => void): void {
  isLetThrough = true
  go()
  setTimeout(() => {
    isLetThrough = false
  }, 0)
}

export function LeaveGuard({ isDirty }: { isDirty: boolean }) {
  const dirty = useRef(isDirty)
  dirty.current = isDirty
  // A change of filters or tabs stays on the page and loses nothing.
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      dirty.current && !isLetThrough && currentLocation.pathname !== nextLocation.pathname,
  )
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent): void => {
      if (dirty.current) event.preventDefault()
    }
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [])
  const isAsking = blocker.state === 'blocked'
  return (
    <Modal opened={isAsking} onClose={() => blocker.reset?.()} title={words.kit.card.leaveTitle} size="sm">
      <Text mb="md">{words.kit.card.leave}</Text>
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={() => blocker.proceed?.()}>
          {words.kit.card.leaveYes}
        </Button>
        <Button data-autofocus onClick={() => blocker.reset?.()}>
          {words.kit.card.leaveNo}
        </Button>
      </Group>
    </Modal>
  )
}
