// Finds an item to add while one types: by name, SKU, alternative SKU or barcode. A scanner's Enter waits for its answer.

import { Combobox, Group, Text, TextInput, useCombobox } from '@mantine/core'
import { IconBarcode } from '@tabler/icons-react'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { money, quantity } from '../format.ts'
import { call, type Output } from '../server/call.ts'
import { useSeesMoney } from '../session.tsx'
import { words } from '../words.ts'
import type { ItemKind } from './line.ts'

export type FoundItem = Output<'items/search'>['items'][number]
/** One question per storage location, as kinds may lie at different ones. */
export type LineSource = { readonly kinds: readonly ItemKind[]; readonly storageId?: number | undefined }

const limit = 12
const delayMs = 120

async function search(typed: string, sources: readonly LineSource[]): Promise<FoundItem[]> {
  const answers = await Promise.all(
    sources.map(({ kinds, storageId }) =>
      call('items/search', {
        search: typed,
        kinds: [...kinds],
        limit,
        ...(storageId ? { storage_id: storageId } : {}),
      }),
    ),
  )
  const found = answers.flatMap(({ items }) => items)
  return found.toSorted((one, other) => Number(isExact(other, typed)) - Number(isExact(one, typed)))
}

/** The code is this item's own. */
const isExact = (item: FoundItem, typed: string): boolean =>
  [item.sku, item.matched].some((code) => code?.toLowerCase() === typed.trim().toLowerCase())

type Props = {
  readonly sources: readonly LineSource[]
  readonly onPick: (item: FoundItem) => void
  readonly field: RefObject<HTMLInputElement | null>
}

export function LineSearch({ sources, onPick, field }: Props) {
  const [typed, setTyped] = useState('')
  const [found, setFound] = useState<FoundItem[]>([])
  const [state, setState] = useState<'idle' | 'searching' | 'failed'>('idle')
  const seesMoney = useSeesMoney()
  const asked = useRef('')
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const box = useCombobox({ onDropdownClose: () => box.resetSelectedOption() })
  useEffect(() => () => clearTimeout(timer.current), [])
  // The best match is marked as soon as it is drawn, so that Enter takes it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another answer moves the mark
  useEffect(() => {
    if (found.length > 0) box.selectFirstOption()
  }, [found])

  const ask = async (text: string): Promise<FoundItem[]> => {
    asked.current = text
    setState('searching')
    try {
      const items = await search(text, sources)
      // An answer to an older question is not shown over a newer one.
      if (asked.current === text) {
        setFound(items)
        setState('idle')
      }
      return items
    } catch {
      setState('failed')
      return []
    }
  }

  const pick = (item: FoundItem): void => {
    clearTimeout(timer.current)
    asked.current = ''
    setTyped('')
    setFound([])
    box.closeDropdown()
    onPick(item)
  }

  const change = (text: string): void => {
    setTyped(text)
    clearTimeout(timer.current)
    if (text.trim() === '') {
      box.closeDropdown()
      setFound([])
      return
    }
    setState('searching')
    box.openDropdown()
    timer.current = setTimeout(() => void ask(text.trim()), delayMs)
  }

  /** Enter before the answer, as a scanner sends it: take the exact code, or the only one found. */
  const enter = async (): Promise<void> => {
    clearTimeout(timer.current)
    const items = await ask(typed.trim())
    const exact = items.find((item) => isExact(item, typed))
    const only = items.length === 1 ? items[0] : undefined
    const item = exact ?? only
    if (item !== undefined) pick(item)
  }

  return (
    <Combobox
      store={box}
      onOptionSubmit={(key) => {
        const item = found.find(({ id }) => String(id) === key)
        if (item !== undefined) pick(item)
      }}
    >
      <Combobox.Target>
        <TextInput
          ref={field}
          value={typed}
          placeholder={words.kit.lines.add}
          aria-label={words.kit.lines.add}
          leftSection={<IconBarcode size={16} aria-hidden />}
          autoComplete="off"
          onChange={(event) => change(event.currentTarget.value)}
          onBlur={() => box.closeDropdown()}
          onFocus={() => typed.trim() !== '' && box.openDropdown()}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && typed.trim() !== '' && state === 'searching') {
              event.preventDefault()
              event.stopPropagation()
              void enter()
            }
          }}
        />
      </Combobox.Target>
      <Combobox.Dropdown>
        <Combobox.Options mah={320} style={{ overflowY: 'auto' }}>
          {found.map((item) => (
            <Combobox.Option key={item.id} value={String(item.id)}>
              <Group gap="sm" wrap="nowrap" justify="space-between">
                <div style={{ minWidth: 0 }}>
                  <Text size="sm" truncate>
                    {item.name}
                  </Text>
                  <Text size="xs" c="dimmed" truncate>
                    {[
                      words.kit.lines.kinds[item.kind],
                      item.sku,
                      item.matched && item.matched !== item.sku ? words.kit.lines.code(item.matched) : '',
                    ]
                      .filter(Boolean)
                      .join(' · ')}
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
            </Combobox.Option>
          ))}
          {found.length === 0 && (
            <Combobox.Empty>
              {state === 'searching'
                ? words.kit.lines.searching
                : state === 'failed'
                  ? words.kit.lines.failed
                  : words.kit.lines.nothing(typed.trim())}
            </Combobox.Empty>
          )}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  )
}
