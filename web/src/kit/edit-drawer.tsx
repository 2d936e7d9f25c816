// Editing a record in a drawer beside its page: the fields, Save at the foot, and a question before unsaved changes are closed.

import { Button, Drawer, Group, Text } from '@mantine/core'
import { type ReactNode, useEffect, useState } from 'react'
import { messages } from '../messages.ts'
import classes from './edit-drawer.module.css'
import { saveKey } from './keys.tsx'
import { LeaveQuestion } from './leave-guard.tsx'

const texts = messages.kit.card

type Props = {
  readonly title: string
  /** The width where there is room. */
  readonly size: number
  /** From `useRecordForm`. */
  readonly form: {
    readonly isDirty: boolean
    readonly isSaving: boolean
    readonly notices: ReactNode
    readonly submit: () => Promise<boolean>
  }
  readonly onClose: () => void
  readonly children: ReactNode
}

/** Mounted while the record is edited; the parent closes it. */
export function EditDrawer({ title, size, form: { isDirty, isSaving, notices, submit }, onClose, children }: Props) {
  const [isAsking, setAsking] = useState(false)
  useFocusReturn()
  const close = (): void => {
    if (isSaving) return
    if (isDirty) setAsking(true)
    else onClose()
  }
  return (
    <>
      <Drawer
        opened
        onClose={close}
        closeOnEscape={!isAsking}
        position="right"
        size={size}
        title={title}
        classNames={{
          content: classes['content'] ?? '',
          header: classes['header'] ?? '',
          title: classes['title'] ?? '',
          body: classes['body'] ?? '',
        }}
        closeButtonProps={{ 'aria-label': messages.frame.close }}
      >
        <div className={classes['fields']}>
          {notices}
          {children}
        </div>
        <div className={classes['foot']}>
          <Text size="sm" c="dimmed" className={classes['state'] ?? ''}>
            {isDirty && texts.unsaved}
          </Text>
          <Group gap="xs" wrap="nowrap">
            <Button size="sm" variant="default" disabled={isSaving} onClick={onClose}>
              {isDirty ? texts.discard : texts.cancel}
            </Button>
            <Button size="sm" loading={isSaving} title={saveKey} onClick={() => void submit()}>
              {texts.save}
            </Button>
          </Group>
        </div>
      </Drawer>
      {/* Mounted when it opens: otherwise the Escape that opens it closes it, too. */}
      {isAsking && <LeaveQuestion isOpen stay={() => setAsking(false)} leave={onClose} />}
    </>
  )
}

/** Afterwards the focus is where it was: on the button that opened the drawer. */
function useFocusReturn(): void {
  const [before] = useState(() => document.activeElement)
  useEffect(() => () => void (before instanceof HTMLElement && before.focus()), [before])
}
