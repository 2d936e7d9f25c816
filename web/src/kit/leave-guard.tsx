// Asks before leaving a page with unsaved changes.

import { Button, Group, Modal, Text } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { useBlocker } from 'react-router'
import { messages } from '../messages.ts'

let isLeavingAllowed = false

/** Lets the next navigation pass: the changes have just been saved. */
export function navigateFreely(go: () => void): void {
  isLeavingAllowed = true
  go()
  setTimeout(() => {
    isLeavingAllowed = false
  }, 0)
}

/** Lets the page be closed without a question. */
export function allowLeaving(): void {
  isLeavingAllowed = true
}

export function LeaveGuard({ isDirty }: { isDirty: boolean }) {
  const dirty = useRef(isDirty)
  dirty.current = isDirty
  // Changing filters or tabs stays on the page and loses nothing.
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      dirty.current && !isLeavingAllowed && currentLocation.pathname !== nextLocation.pathname,
  )
  useEffect(() => {
    const preventLeaving = (event: BeforeUnloadEvent): void => {
      if (dirty.current && !isLeavingAllowed) event.preventDefault()
    }
    window.addEventListener('beforeunload', preventLeaving)
    return () => window.removeEventListener('beforeunload', preventLeaving)
  }, [])
  const isBlocked = blocker.state === 'blocked'
  return <LeaveQuestion isOpen={isBlocked} stay={() => blocker.reset?.()} leave={() => blocker.proceed?.()} />
}

type Question = { readonly isOpen: boolean; readonly stay: () => void; readonly leave: () => void }

export function LeaveQuestion({ isOpen, stay, leave }: Question) {
  return (
    <Modal opened={isOpen} onClose={stay} title={messages.kit.card.leaveTitle} size="sm">
      <Text mb="md">{messages.kit.card.leave}</Text>
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={leave}>
          {messages.kit.card.leaveYes}
        </Button>
        <Button data-autofocus onClick={stay}>
          {messages.kit.card.leaveNo}
        </Button>
      </Group>
    </Modal>
  )
}
