// Keyboard shortcuts: screens register them with a label, and `g` with a letter opens a page; `?` lists the active ones.

import { Group, Kbd, Modal, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { messages } from '../messages.ts'
import { firstKey, isModifier, latinKey, sequenceStep } from './key-sequence.ts'

type Key = {
  /** The value of `event.key` on a Latin keyboard, prefixed with `mod+` for Ctrl or Command. */
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

const isWithMod = (event: KeyboardEvent): boolean => event.ctrlKey || event.metaKey

/** The shortcut that was pressed; none while typing. */
function shortcutOf(event: KeyboardEvent): string | undefined {
  if (event.defaultPrevented || event.altKey || event.isComposing) return undefined
  const key = latinKey(event)
  if (isWithMod(event)) return `mod+${key}`
  if (isTyping(event.target)) return undefined
  if (key === 'Enter' && isControl(event.target)) return undefined
  return document.querySelector(openChoice) === null ? key : undefined
}

/** A page that `g` and a letter open. */
export type Jump = { readonly letter: string; readonly label: string; readonly to: string }

type KeysProps = {
  readonly jumps: readonly Jump[]
  readonly go: (to: string) => void
  /** Opens the search, which itself knows Ctrl+K on Latin keyboards only. */
  readonly search: () => void
}

let waitsUntilMs: number | undefined

function onKeyDown(event: KeyboardEvent, { jumps, go, search }: KeysProps): void {
  if (isModifier(event.key)) return
  const pressed = shortcutOf(event)
  const withMod = isWithMod(event)
  const dialogIsOpen = document.querySelector('[role="dialog"][aria-modal="true"]') !== null
  const step = sequenceStep(waitsUntilMs, withMod || dialogIsOpen ? undefined : pressed, event.timeStamp)
  waitsUntilMs = step.waitsUntilMs
  const jump = jumps.find(({ letter }) => letter === step.second)
  const entry = keys.findLast((one) => one.key === pressed && (!dialogIsOpen || one.inDialog))
  const isSearch = pressed === 'mod+k' && event.key !== 'k'
  const run = step.isTaken ? jump && (() => go(jump.to)) : isSearch ? search : entry?.run
  if (run === undefined) return
  event.preventDefault()
  if (withMod) event.stopPropagation()
  run()
}

/** The names of the keys as they are printed on keyboards. */
export const keyNames = (key: string): string[] =>
  key.split('+').map((part) => (part === 'mod' ? messages.frame.ctrl : part === 'Escape' ? messages.frame.esc : part))

/** Shown on buttons that save. */
export const saveKey = keyNames('mod+Enter').join('+')

const helpKey = '?'

/** Listens for keys, and lists them on `?`. Mounted once in the frame. */
export function Keys(props: KeysProps) {
  const [isOpen, setOpen] = useState(false)
  const all = useKeys()
  const latest = useRef(props)
  latest.current = props
  useKey(helpKey, messages.frame.key.help, () => setOpen((open) => !open), true)
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => onKeyDown(event, latest.current)
    // Handles Ctrl+Enter before the focused field does: a list of options would treat it as Enter.
    const listenFirst = (event: KeyboardEvent): void => {
      if (isWithMod(event)) listen(event)
    }
    window.addEventListener('keydown', listen)
    window.addEventListener('keydown', listenFirst, true)
    return () => {
      window.removeEventListener('keydown', listen)
      window.removeEventListener('keydown', listenFirst, true)
    }
  }, [])
  const ofPage = [...new Map(all.map((entry) => [entry.key, entry])).values()].filter(({ key }) => key !== helpKey)
  const everywhere = [
    { key: 'mod+K', label: messages.frame.key.search },
    { key: helpKey, label: messages.frame.key.help },
    { key: 'Escape', label: messages.frame.key.close },
  ]
  const { keyGroups } = messages.frame
  return (
    <Modal opened={isOpen} onClose={() => setOpen(false)} title={messages.frame.keysTitle} size="lg">
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xl">
        <Stack gap="lg">
          {ofPage.length > 0 && <KeyGroup title={keyGroups.page} rows={ofPage.map(namedKey)} />}
          <KeyGroup title={keyGroups.everywhere} rows={everywhere.map(namedKey)} />
        </Stack>
        <KeyGroup
          title={keyGroups.goTo}
          rows={props.jumps.map(({ letter, label }) => ({ label, names: [firstKey, letter] }))}
        />
      </SimpleGrid>
    </Modal>
  )
}

type NamedKey = { readonly label: string; readonly names: readonly string[] }

const namedKey = ({ key, label }: Pick<Key, 'key' | 'label'>): NamedKey => ({ label, names: keyNames(key) })

function KeyGroup({ title, rows }: { title: string; rows: readonly NamedKey[] }) {
  return (
    <Stack component="section" gap={6}>
      <Title order={3} fz="sm">
        {title}
      </Title>
      {rows.map(({ label, names }) => (
        <Group key={names.join(' ')} justify="space-between" wrap="nowrap">
          <Text size="sm">{label}</Text>
          <Group gap={4} wrap="nowrap">
            {names.map((name) => (
              <Kbd key={name}>{name}</Kbd>
            ))}
          </Group>
        </Group>
      ))}
    </Stack>
  )
}
