// Keyboard shortcuts: screens register them with a label; `?` lists the active ones.

import { Group, Kbd, Modal, Stack, Text } from '@mantine/core'
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { messages } from '../messages.ts'

type Key = {
  /** The value of `event.key`, prefixed with `mod+` for Ctrl or Command. */
  readonly key: string
  readonly label: string
  readonly run: () => void
  /** Also active while a dialog is open. */
  readonly inDialog: boolean
}

let keys: readonly Key[] = []
const listeners = new Set<() => void>()

function change(next: readonly Key[]): void {
  keys = next
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useKeys = (): readonly Key[] => useSyncExternalStore(subscribe, () => keys)

/** `useKey('n', 'New sale', open)`; the latest registration wins, and `undefined` as the action disables it. */
export function useKey(key: string, label: string, run: (() => void) | undefined, inDialog = false): void {
  const latest = useRef(run)
  latest.current = run
  const isOn = run !== undefined
  useEffect(() => {
    if (!isOn) return
    const entry: Key = { key, label, run: () => latest.current?.(), inDialog }
    change([...keys, entry])
    return () => change(keys.filter((other) => other !== entry))
  }, [key, label, isOn, inDialog])
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName)) &&
  !(target instanceof HTMLInputElement && /^(checkbox|radio|button)$/.test(target.type))

/** Enter and Space belong to a focused control. */
const isControl = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  target.closest('button, a, [role="menuitem"], [role="option"], [role="tab"]') !== null

/** An open menu or list of options handles the keys itself. */
const openChoice = '[aria-expanded="true"]:is([aria-haspopup="menu"], [aria-haspopup="listbox"])'

function onKeyDown(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.altKey || event.isComposing) return
  const withMod = isWithMod(event)
  const pressed = withMod ? `mod+${event.key}` : event.key
  if (!withMod && isTyping(event.target)) return
  if (event.key === 'Enter' && !withMod && isControl(event.target)) return
  if (!withMod && document.querySelector(openChoice) !== null) return
  const dialogIsOpen = document.querySelector('[role="dialog"][aria-modal="true"]') !== null
  const entry = keys.findLast((one) => one.key === pressed && (!dialogIsOpen || one.inDialog))
  if (entry === undefined) return
  event.preventDefault()
  if (withMod) event.stopPropagation()
  entry.run()
}

const isWithMod = (event: KeyboardEvent): boolean => event.ctrlKey || event.metaKey

/** Handles Ctrl+Enter before the focused field does: a list of options would treat it as Enter. */
function onModKeyDown(event: KeyboardEvent): void {
  if (isWithMod(event)) onKeyDown(event)
}

/** The names of the keys as they are printed on keyboards. */
export const keyNames = (key: string): string[] =>
  key.split('+').map((part) => (part === 'mod' ? messages.frame.ctrl : part === 'Escape' ? messages.frame.esc : part))

/** Shown on buttons that save. */
export const saveKey = keyNames('mod+Enter').join('+')

/** Listens for keys, and lists them on `?`. Mounted once in the frame. */
export function Keys() {
  const [isOpen, setOpen] = useState(false)
  const all = useKeys()
  useKey('?', messages.frame.key.help, () => setOpen((open) => !open), true)
  useEffect(() => {
    window.addEventListener('keydown', onKeyDown)
    window.addEventListener('keydown', onModKeyDown, true)
    return () => {
      window.removeEventListener('keydown', onKeyDown)
      window.removeEventListener('keydown', onModKeyDown, true)
    }
  }, [])
  const unique = [...new Map(all.map((entry) => [entry.key, entry])).values()]
  return (
    <Modal opened={isOpen} onClose={() => setOpen(false)} title={messages.frame.keysTitle} size="sm">
      <Stack gap={6}>
        {[
          ...unique,
          { key: 'mod+K', label: messages.frame.key.search },
          { key: 'Escape', label: messages.frame.key.close },
        ].map(({ key, label }) => (
          <Group key={key} justify="space-between">
            <Text size="sm">{label}</Text>
            <Group gap={4}>
              {keyNames(key).map((part) => (
                <Kbd key={part}>{part}</Kbd>
              ))}
            </Group>
          </Group>
        ))}
      </Stack>
    </Modal>
  )
}
