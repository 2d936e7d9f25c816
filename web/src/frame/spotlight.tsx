// Search on Ctrl+K: records by number, code, name or phone, and commands.

import { Group, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { createSpotlight, Spotlight } from '@mantine/spotlight'
import { IconArrowRight, IconCommand, IconSearch } from '@tabler/icons-react'
import { type FocusEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { ScanIcon } from '../kit/scan-button.tsx'
import { messages } from '../messages.ts'
import type { SearchGetListHits } from '../methods.ts'
import { useMethod } from '../server/query.ts'
import { type Command, commandsFor, useCommands } from './commands.ts'
import classes from './frame.module.css'
import { useSearchScanner } from './search-scanner.ts'

const [store, spotlight] = createSpotlight()

/** The address of a result, by its section. */
export const addressOf = (section: string, id: number): string => {
  const folders: Readonly<Record<string, string>> = { orders: 'sales', writeoffs: 'write-offs' }
  return `/${folders[section] ?? section}/${id}`
}

export const openSearch = (): void => spotlight.open()

/** The first entry of the list is selected: Enter opens it, arrows move on from it. */
function chooseFirst(): void {
  const list = document.getElementById(store.getState().listId)
  for (const former of list?.querySelectorAll('[data-selected]') ?? []) former.removeAttribute('data-selected')
  const first = list?.querySelector('[data-action]')
  first?.setAttribute('data-selected', 'true')
  store.updateState((state) => ({ ...state, selected: first ? 0 : -1 }))
}

const chooseNone = (): void => {
  document.getElementById(store.getState().listId)?.querySelector('[data-selected]')?.removeAttribute('data-selected')
  store.updateState((state) => ({ ...state, selected: -1 }))
}

const takeChosen = (): void =>
  document.getElementById(store.getState().listId)?.querySelector<HTMLElement>('[data-selected]')?.click()

const listId = 'search-results'

/** Reports the selected entry to screen readers; the spotlight only shows it. */
function announceSelection(field: HTMLInputElement | null): (() => void) | undefined {
  const dialog = field?.closest('[role="dialog"]')
  if (!field || !dialog) return undefined
  const mark = (): void => {
    for (const [at, option] of [...dialog.querySelectorAll('[data-action]')].entries()) {
      option.id = `${listId}-${at}`
      option.setAttribute('aria-selected', String(option.hasAttribute('data-selected')))
    }
    const chosen = dialog.querySelector('[data-action][data-selected]')
    if (chosen) field.setAttribute('aria-activedescendant', chosen.id)
    else field.removeAttribute('aria-activedescendant')
  }
  const observer = new MutationObserver(mark)
  observer.observe(dialog, { subtree: true, childList: true, attributes: true, attributeFilter: ['data-selected'] })
  mark()
  return () => observer.disconnect()
}

/** A page that finishes loading behind the open search focuses its first field; the search keeps the focus. */
function keepFocus({ relatedTarget, currentTarget }: FocusEvent<HTMLInputElement>): void {
  const isOutside = relatedTarget instanceof HTMLElement && relatedTarget.closest('[role="dialog"]') === null
  if (store.getState().opened && isOutside) currentTarget.focus()
}

type Props = { readonly commands: readonly Command[] }

export function Search({ commands }: Props) {
  const navigate = useNavigate()
  const [query, setQuery] = useState('')
  const { open, scanner } = useSearchScanner({
    onItem: (section, id) => void navigate(addressOf(section, id)),
    onSearch: (code) => {
      setQuery(code)
      spotlight.open()
    },
  })
  const scan = (): void => {
    spotlight.close()
    open()
  }
  return (
    <>
      <SearchDialog commands={commands} query={query} onQueryChange={setQuery} onScan={scan} />
      {scanner}
    </>
  )
}

type DialogProps = Props & {
  readonly query: string
  readonly onQueryChange: (query: string) => void
  readonly onScan: () => void
}

function SearchDialog({ commands, query, onQueryChange, onScan }: DialogProps) {
  const all = useCommands(commands)
  const typed = query.trim()
  const { hits, isAnswered, onKeyDown } = useHits(typed)
  const { matching, isCommand } = commandsFor(typed, all)
  const isEmpty = hits.length === 0 && matching.length === 0
  const commandGroup = matching.length > 0 && <CommandGroup commands={matching} />
  return (
    <Spotlight.Root
      store={store}
      query={query}
      onQueryChange={onQueryChange}
      shortcut={['mod + K']}
      // Also works while typing in a field.
      tagsToIgnore={[]}
      scrollable
      maxHeight={420}
      size={640}
      transitionProps={{ duration: 100 }}
      clearQueryOnClose
      attributes={{ content: { 'aria-label': messages.frame.search } }}
    >
      <Spotlight.Search
        ref={announceSelection}
        role="combobox"
        aria-controls={listId}
        aria-expanded={!isEmpty}
        aria-autocomplete="list"
        placeholder={messages.frame.searchHint}
        aria-label={messages.frame.search}
        leftSection={<IconSearch size={18} stroke={1.6} aria-hidden />}
        rightSection={<ScanIcon onClick={onScan} />}
        rightSectionPointerEvents="all"
        onKeyDown={onKeyDown}
        // Focus at once: the dialog focuses later, and the first letters would go to the page behind it.
        autoFocus
        onBlur={keepFocus}
      />
      <Spotlight.ActionsList id={listId} role="listbox" aria-label={messages.frame.found}>
        {isCommand && commandGroup}
        {hits.length > 0 && <HitGroup hits={hits} />}
        {!isCommand && commandGroup}
      </Spotlight.ActionsList>
      {isEmpty && (
        <Spotlight.Empty role="status">
          {isAnswered ? messages.frame.searchNothing : messages.frame.loading}
        </Spotlight.Empty>
      )}
    </Spotlight.Root>
  )
}

type Hit = SearchGetListHits

/** Results for the typed text. While the list still shows earlier results nothing is selected, and Enter waits. */
function useHits(typed: string) {
  const [search] = useDebouncedValue(typed, 120)
  const found = useMethod('search/get_list', { search }, { enabled: search !== '', keep: true, staleMs: 2000 })
  const isAnswered = search === typed && !found.isPlaceholderData && !found.isLoading
  const entered = useRef(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the selection is reset whenever the list changes
  useEffect(() => {
    if (typed === '') return
    // After the spotlight, which selects the first entry in a microtask of its own.
    if (!isAnswered) return queueMicrotask(chooseNone)
    chooseFirst()
    if (!entered.current) return
    entered.current = false
    takeChosen()
  }, [typed, isAnswered, found.data])
  const onKeyDown = (event: KeyboardEvent): void => {
    entered.current = event.key === 'Enter' && !event.nativeEvent.isComposing && typed !== '' && !isAnswered
    // The spotlight opens what is selected, which may be a result of the text typed before.
    if (entered.current) chooseNone()
  }
  return { hits: typed === '' ? [] : (found.data?.hits ?? []), isAnswered, onKeyDown }
}

function HitGroup({ hits }: { hits: readonly Hit[] }) {
  const navigate = useNavigate()
  return (
    <Spotlight.ActionsGroup label={messages.frame.found} role="group" aria-label={messages.frame.found}>
      {hits.map((hit) => (
        <Spotlight.Action
          role="option"
          key={`${hit.section}-${hit.id}`}
          onClick={() => void navigate(addressOf(hit.section, hit.id))}
          leftSection={<IconArrowRight size={16} stroke={1.6} aria-hidden />}
        >
          <Group gap={8} wrap="nowrap" flex={1} miw={0}>
            <Text size="sm" truncate>
              {hit.title}
            </Text>
            <Text size="sm" className={classes['hint'] ?? ''} truncate flex={1}>
              {hit.subtitle}
            </Text>
            <Text size="xs" className={classes['hint'] ?? ''}>
              {hit.mark}
            </Text>
          </Group>
        </Spotlight.Action>
      ))}
    </Spotlight.ActionsGroup>
  )
}

function CommandGroup({ commands }: { commands: readonly Command[] }) {
  return (
    <Spotlight.ActionsGroup label={messages.frame.commands} role="group" aria-label={messages.frame.commands}>
      {commands.map(({ label, run }) => (
        <Spotlight.Action
          role="option"
          key={label}
          label={label}
          onClick={run}
          leftSection={<IconCommand size={16} stroke={1.6} aria-hidden />}
        />
      ))}
    </Spotlight.ActionsGroup>
  )
}
