// Search on Ctrl+K: records by number, code, name or phone, and commands.

import { Group, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { Spotlight, spotlight } from '@mantine/spotlight'
import { IconArrowRight, IconCommand, IconSearch } from '@tabler/icons-react'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { useMethod } from '../server/query.ts'
import { useMay } from '../session.tsx'
import { words } from '../words.ts'
import { useKeys } from './keys.tsx'
import { places } from './navigation.tsx'

/** Where a found record is shown, by its section. */
export const addressOf = (section: string, id: number): string => {
  const folders: Readonly<Record<string, string>> = { orders: 'sales', writeoffs: 'write-offs' }
  return `/${folders[section] ?? section}/${id}`
}

export const openSearch = (): void => spotlight.open()

export type Command = { readonly label: string; readonly run: () => void }

export function Search({ commands }: { commands: readonly Command[] }) {
  const navigate = useNavigate()
  const keys = useKeys()
  const maySell = useMay('manager')
  const [query, setQuery] = useState('')
  const [search] = useDebouncedValue(query.trim(), 120)
  const found = useMethod('search/get_list', { search }, { enabled: search !== '', keep: true, staleMs: 2000 })
  const hits = query.trim() === '' ? [] : (found.data?.hits ?? [])
  const all: Command[] = [
    ...keys.filter(({ label }) => label !== '').map(({ label, run }) => ({ label, run })),
    ...places.map(({ label, to }) => ({ label: words.frame.goTo(label), run: () => void navigate(to) })),
    ...(maySell ? [{ label: words.frame.newSale, run: () => void navigate('/sales/new') }] : []),
    ...commands,
  ]
  const wanted = query.trim().toLowerCase()
  const matching = [...new Map(all.map((command) => [command.label, command])).values()]
    .filter(({ label }) => label.toLowerCase().includes(wanted))
    .slice(0, wanted === '' ? 12 : 6)
  return (
    <Spotlight.Root
      query={query}
      onQueryChange={setQuery}
      shortcut={['mod + K']}
      scrollable
      maxHeight={420}
      clearQueryOnClose
    >
      <Spotlight.Search
        placeholder={words.frame.searchHint}
        aria-label={words.frame.search}
        leftSection={<IconSearch size={18} stroke={1.6} aria-hidden />}
      />
      <Spotlight.ActionsList>
        {hits.length > 0 && (
          <Spotlight.ActionsGroup label={words.frame.found}>
            {hits.map((hit) => (
              <Spotlight.Action
                key={`${hit.section}-${hit.id}`}
                onClick={() => void navigate(addressOf(hit.section, hit.id))}
                leftSection={<IconArrowRight size={16} stroke={1.6} aria-hidden />}
              >
                <Group gap={8} wrap="nowrap" flex={1} miw={0}>
                  <Text size="sm" truncate>
                    {hit.title}
                  </Text>
                  <Text size="sm" c="dimmed" truncate flex={1}>
                    {hit.subtitle}
                  </Text>
                  <Text size="xs" c="dimmed">
                    {hit.mark}
                  </Text>
                </Group>
              </Spotlight.Action>
            ))}
          </Spotlight.ActionsGroup>
        )}
        {matching.length > 0 && (
          <Spotlight.ActionsGroup label={words.frame.commands}>
            {matching.map(({ label, run }) => (
              <Spotlight.Action
                key={label}
                label={label}
                onClick={run}
                leftSection={<IconCommand size={16} stroke={1.6} aria-hidden />}
              />
            ))}
          </Spotlight.ActionsGroup>
        )}
        {hits.length === 0 && matching.length === 0 && (
          <Spotlight.Empty>{found.isFetching ? words.frame.loading : words.frame.searchNothing}</Spotlight.Empty>
        )}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  )
}
