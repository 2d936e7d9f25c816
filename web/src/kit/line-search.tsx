// Finds an item to add while typing: by name, SKU, alternative SKU or barcode. Enter from a scanner waits for the results.

import { Combobox, type ComboboxStore, Group, Text, TextInput, useCombobox } from '@mantine/core'
import { IconBarcode } from '@tabler/icons-react'
import {
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useImperativeHandle,
  useRef,
  useState,
} from 'react'
import { flushSync } from 'react-dom'
import { money, quantity } from '../format.ts'
import { messages } from '../messages.ts'
import { useMay, useSeesMoney } from '../session.tsx'
import type { FoundItem } from './found-item.ts'
import { useHeldKeys } from './held-keys.ts'
import { NameWithPicture } from './name-with-picture.tsx'
import { NewItem } from './new-item.tsx'
import { hasCode, type LineSource, meantBy, searchItems } from './scanned-item.ts'

const limit = 12
const delayMs = 120
/** The option that creates a missing item; other option values are ids. */
const creation = 'create'

/** The item with exactly this code first. */
async function search(typed: string, sources: readonly LineSource[]): Promise<FoundItem[]> {
  const found = await searchItems(typed, sources, limit)
  return found.toSorted((one, other) => Number(hasCode(other, typed)) - Number(hasCode(one, typed)))
}

/** For pages that move the focus to the search. */
export type LineSearchHandle = {
  readonly focus: () => void
  /** Searches for a text as if it had been typed. */
  readonly search: (text: string) => void
}

type Props = {
  readonly sources: readonly LineSource[]
  readonly onPick: (item: FoundItem) => void
  /** A button in the field. */
  readonly button?: ReactNode
  readonly handle: RefObject<LineSearchHandle | null>
}

export function LineSearch({ sources, onPick, button, handle }: Props) {
  const field = useRef<HTMLInputElement>(null)
  /** The typed text of an item to be created. */
  const [created, setCreated] = useState<string>()
  const box = useCombobox({ onDropdownClose: () => box.resetSelectedOption() })
  const { typed, found, state, change, findNow, clear } = useItemSearch(sources, box)
  const mayCreate = useMay('manager')
  const keys = useHeldKeys()
  const pick = (item: FoundItem): void => {
    setCreated(undefined)
    clear()
    onPick(item)
  }
  const enter = async (): Promise<void> => {
    const item = meantBy(typed, await findNow())
    // Its line has the focus before the held keys are typed.
    if (item !== undefined) flushSync(() => pick(item))
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (keys.hold(event)) return
    // A highlighted option is selected by the list itself.
    if (event.key !== 'Enter' || typed.trim() === '' || box.getSelectedOptionIndex() !== -1) return
    // The list highlights its first option only after rendering; Enter may be pressed before.
    const best = state === 'idle' ? found[0] : undefined
    const isNew = state === 'idle' && best === undefined && mayCreate
    if (best === undefined && !isNew && state !== 'searching') return
    event.preventDefault()
    event.stopPropagation()
    if (best !== undefined) pick(best)
    else if (isNew) setCreated(typed.trim())
    else void keys.during(enter)
  }
  useHandle(handle, field, change)

  return (
    <Combobox
      store={box}
      onOptionSubmit={(key) => {
        const item = found.find(({ id }) => String(id) === key)
        if (item !== undefined) pick(item)
        else if (key === creation) setCreated(typed.trim())
      }}
    >
      <Combobox.Target>
        <TextInput
          ref={field}
          value={typed}
          placeholder={messages.kit.lines.add}
          aria-label={messages.kit.lines.add}
          leftSection={<IconBarcode size={16} aria-hidden />}
          rightSection={button}
          autoComplete="off"
          onChange={(event) => change(event.currentTarget.value)}
          onBlur={() => box.closeDropdown()}
          onFocus={() => typed.trim() !== '' && box.openDropdown()}
          onKeyDown={onKeyDown}
        />
      </Combobox.Target>
      <FoundItems typed={typed.trim()} found={found} state={state} mayCreate={mayCreate} />
      {created !== undefined && (
        <NewItem
          typed={created}
          kinds={sources.flatMap(({ kinds }) => kinds)}
          onClose={() => setCreated(undefined)}
          onMade={pick}
        />
      )}
    </Combobox>
  )
}

function useHandle(handle: Props['handle'], field: RefObject<HTMLInputElement | null>, change: (text: string) => void) {
  useImperativeHandle(handle, () => ({
    focus: () => field.current?.focus(),
    search: (text) => {
      change(text)
      field.current?.focus()
    },
  }))
}

type SearchState = 'idle' | 'searching' | 'failed'

/** The typed text, and the results for it after a delay. */
function useItemSearch(sources: readonly LineSource[], box: ComboboxStore) {
  const [typed, setTyped] = useState('')
  const [found, setFound] = useState<FoundItem[]>([])
  const [state, setState] = useState<SearchState>('idle')
  const latestText = useRef('')
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  // The best match, or the offer to create the item, is highlighted as soon as it is rendered, so that Enter selects it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only new results move the highlight
  useEffect(() => {
    if (typed.trim() !== '') box.selectFirstOption()
  }, [found])

  const runSearch = async (text: string): Promise<FoundItem[]> => {
    latestText.current = text
    setState('searching')
    try {
      const items = await search(text, sources)
      // Results of an earlier request are not shown over those of a later one.
      if (latestText.current === text) {
        setFound(items)
        setState('idle')
      }
      return items
    } catch {
      setState('failed')
      return []
    }
  }
  const change = (text: string): void => {
    setTyped(text)
    clearTimeout(timer.current)
    // Enter must not select a result of the text typed before.
    box.resetSelectedOption()
    if (text.trim() === '') {
      box.closeDropdown()
      setFound([])
      return
    }
    setState('searching')
    box.openDropdown()
    timer.current = setTimeout(() => void runSearch(text.trim()), delayMs)
  }
  /** Nothing if the text is no longer that of the field when the results arrive. */
  const findNow = async (): Promise<FoundItem[] | undefined> => {
    clearTimeout(timer.current)
    const items = await runSearch(typed.trim())
    return latestText.current === typed.trim() ? items : undefined
  }
  const clear = (): void => {
    clearTimeout(timer.current)
    latestText.current = ''
    setTyped('')
    setFound([])
    box.closeDropdown()
  }
  return { typed, found, state, change, findNow, clear }
}

type FoundProps = {
  readonly typed: string
  readonly found: readonly FoundItem[]
  readonly state: SearchState
  readonly mayCreate: boolean
}

function FoundItems({ typed, found, state, mayCreate }: FoundProps) {
  const none = {
    searching: messages.kit.lines.searching,
    failed: messages.kit.lines.failed,
    idle: messages.kit.lines.nothing(typed),
  }
  return (
    <Combobox.Dropdown>
      <Combobox.Options mah={320} style={{ overflowY: 'auto' }}>
        {found.map((item) => (
          <Combobox.Option key={item.id} value={String(item.id)}>
            <Found item={item} />
          </Combobox.Option>
        ))}
        {mayCreate && state === 'idle' && typed !== '' && (
          <Combobox.Option value={creation}>{messages.kit.select.create(typed)}</Combobox.Option>
        )}
        {found.length === 0 && <Combobox.Empty>{none[state]}</Combobox.Empty>}
      </Combobox.Options>
    </Combobox.Dropdown>
  )
}

function Found({ item }: { item: FoundItem }) {
  const seesMoney = useSeesMoney()
  const code = item.matched && item.matched !== item.sku ? messages.kit.lines.code(item.matched) : ''
  return (
    <Group gap="sm" wrap="nowrap" justify="space-between">
      <div style={{ minWidth: 0 }}>
        <Text size="sm" truncate>
          <NameWithPicture name={item.name} picture={item.picture} />
        </Text>
        <Text size="xs" c="dimmed" truncate>
          {[messages.kit.lines.kinds[item.kind], item.sku, code].filter(Boolean).join(' · ')}
        </Text>
      </div>
      <div style={{ textAlign: 'right', whiteSpace: 'nowrap' }}>
        {seesMoney && <Text size="sm">{money(item.price)}</Text>}
        {item.kind !== 'resource' && (
          <Text size="xs" c={(item.available ?? 0) > 0 ? 'dimmed' : 'var(--mantine-color-error)'}>
            {quantity(item.available, item.unit)}
          </Text>
        )}
      </div>
    </Group>
  )
}
