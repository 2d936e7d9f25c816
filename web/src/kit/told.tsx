// What happened, told at the edge of the screen: with the link to it and, where it can be, the way back.

import { Anchor, Button, Group } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { Link } from 'react-router'
import { textOf } from '../server/call.ts'
import { words } from '../words.ts'

type Told = {
  /** Where the thing can be seen. */
  readonly to?: string
  readonly link?: string
  /** Takes it back; the server's refusal is told. */
  readonly undo?: () => Promise<unknown>
}

export function told(text: string, { to, link, undo }: Told = {}): void {
  const id = notifications.show({
    color: 'iris',
    withBorder: true,
    message: (
      <Group gap="sm" justify="space-between">
        <span>{text}</span>
        <Group gap="xs">
          {to && (
            <Anchor component={Link} to={to} size="sm" onClick={() => notifications.hide(id)}>
              {link ?? words.kit.open}
            </Anchor>
          )}
          {undo && (
            <Button
              size="compact-xs"
              variant="default"
              onClick={() => {
                notifications.hide(id)
                undo().then(() => told(words.kit.undone), failed)
              }}
            >
              {words.kit.undo}
            </Button>
          )}
        </Group>
      </Group>
    ),
    autoClose: undo ? 10_000 : 5000,
    closeButtonProps: { 'aria-label': words.frame.close },
  })
}

/** A failure that belongs to no field, in the server's words. */
export function failed(error: unknown): void {
  notifications.show({
    color: 'red',
    withBorder: true,
    role: 'alert',
    message: textOf(error),
    autoClose: 10_000,
    closeButtonProps: { 'aria-label': words.frame.close },
  })
}

/** Long work with its progress; the answer says how far it is and ends it. */
export function progress(text: string): { tell: (text: string) => void; end: () => void } {
  const id = notifications.show({
    message: text,
    loading: true,
    autoClose: false,
    withCloseButton: false,
    withBorder: true,
  })
  return {
    tell: (message) => notifications.update({ id, message, loading: true, autoClose: false, withCloseButton: false }),
    end: () => notifications.hide(id),
  }
}

/** The same act on many records, one after another, with progress; what failed is told at the end. */
export async function runEach<T>(records: readonly T[], act: (record: T) => Promise<unknown>): Promise<void> {
  const bar = progress(words.kit.list.bulkRunning(0, records.length))
  const errors = new Set<string>()
  let failures = 0
  for (const [at, record] of records.entries()) {
    await act(record).catch((error: unknown) => {
      failures += 1
      errors.add(textOf(error))
    })
    bar.tell(words.kit.list.bulkRunning(at + 1, records.length))
  }
  bar.end()
  if (failures === 0) told(words.kit.list.bulkDone(records.length))
  else
    failed(new Error(`${words.kit.list.bulkFailed(failures, records.length)}: ${[...errors].slice(0, 3).join('; ')}`))
}
