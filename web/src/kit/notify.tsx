// Notifications: what happened, with a link to it and, where possible, an undo.

import { Anchor, Button, Group } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { Link } from 'react-router'
import { messages } from '../messages.ts'
import { textOf } from '../server/call.ts'

type NotificationLinks = {
  /** The address of the record. */
  readonly to?: string
  readonly link?: string
  /** Undoes the action; an error from the server is shown. */
  readonly undo?: () => Promise<unknown>
}

export function notify(text: string, { to, link, undo }: NotificationLinks = {}): void {
  const id = notifications.show({
    color: 'pine',
    withBorder: true,
    message: (
      <Group gap="sm" justify="space-between">
        <span>{text}</span>
        <Group gap="xs">
          {to && (
            <Anchor component={Link} to={to} size="sm" onClick={() => notifications.hide(id)}>
              {link ?? messages.kit.open}
            </Anchor>
          )}
          {undo && (
            <Button
              size="compact-xs"
              variant="default"
              onClick={() => {
                notifications.hide(id)
                undo().then(() => notify(messages.kit.undone), notifyError)
              }}
            >
              {messages.kit.undo}
            </Button>
          )}
        </Group>
      </Group>
    ),
    autoClose: undo ? 10_000 : 5000,
    closeButtonProps: { 'aria-label': messages.frame.close },
  })
}

/** Shows the server's message for an error that belongs to no field. */
export function notifyError(error: unknown): void {
  notifications.show({
    color: 'red',
    withBorder: true,
    role: 'alert',
    message: textOf(error),
    autoClose: 10_000,
    closeButtonProps: { 'aria-label': messages.frame.close },
  })
}

/** Long work with progress; the returned functions update and close the notification. */
export function progress(text: string): { update: (text: string) => void; end: () => void } {
  const id = notifications.show({
    message: text,
    loading: true,
    autoClose: false,
    withCloseButton: false,
    withBorder: true,
  })
  return {
    update: (message) => notifications.update({ id, message, loading: true, autoClose: false, withCloseButton: false }),
    end: () => notifications.hide(id),
  }
}

/** Runs the same action on many records, one after another, with progress; failures are shown at the end. */
export async function runEach<T>(records: readonly T[], run: (record: T) => Promise<unknown>): Promise<void> {
  const bar = progress(messages.kit.list.bulkRunning(0, records.length))
  const errors = new Set<string>()
  let failures = 0
  for (const [at, record] of records.entries()) {
    await run(record).catch((error: unknown) => {
      failures += 1
      errors.add(textOf(error))
    })
    bar.update(messages.kit.list.bulkRunning(at + 1, records.length))
  }
  bar.end()
  if (failures === 0) notify(messages.kit.list.bulkDone(records.length))
  else
    notifyError(
      new Error(`${messages.kit.list.bulkFailed(failures, records.length)}: ${[...errors].slice(0, 3).join('; ')}`),
    )
}
