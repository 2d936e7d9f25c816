// Parts of a list's page: the search field, the choice of columns, the bar of bulk actions, the words of an empty list.

import { Button, Checkbox, Group, Menu, Popover, Stack, Text, TextInput } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconColumns3, IconDownload, IconSearch } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { useKey } from '../frame/keys.tsx'
import type { PageAction } from '../frame/page.tsx'
import { PageActionButton } from '../frame/page-action.tsx'
import { words } from '../words.ts'
import type { Column } from './list-columns.ts'
import classes from './list-page.module.css'
import { failed } from './told.tsx'

export type Bulk<Row> = {
  readonly label: string
  /** False when the person thought better of it: the selection then stays. */
  readonly run: (rows: Row[]) => Promise<unknown>
  readonly danger?: boolean
}

export function SearchField({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const [typed, setTyped] = useState(value)
  const field = useRef<HTMLInputElement>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => setTyped(value), [value])
  const hasKeys = !useMediaQuery('(pointer: coarse)')
  useKey('/', words.kit.list.searchKey, () => field.current?.focus())
  const set = (text: string, delayMs: number): void => {
    setTyped(text)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => onChange(text.trim()), delayMs)
  }
  return (
    <TextInput
      ref={field}
      size="xs"
      w={220}
      type="search"
      value={typed}
      placeholder={hasKeys ? `${words.kit.list.search} ( / )` : words.kit.list.search}
      aria-label={words.kit.list.search}
      leftSection={<IconSearch size={14} aria-hidden />}
      onChange={(event) => set(event.currentTarget.value, 200)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') set(typed, 0)
        if (event.key === 'Escape') {
          set('', 0)
          field.current?.blur()
        }
      }}
    />
  )
}

export function ColumnChoice<Row, Totals>(props: {
  columns: readonly Column<Row, Totals>[]
  shown: readonly Column<Row, Totals>[]
  toggle: (key: string, show: boolean) => void
  reset: () => void
}) {
  return (
    <Popover position="bottom-end" shadow="md" trapFocus>
      <Popover.Target>
        <Button variant="default" visibleFrom="sm" leftSection={<IconColumns3 size={14} aria-hidden />}>
          {words.kit.list.columns}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <Stack gap={8}>
          {props.columns.slice(1).map((column) => (
            <Checkbox
              key={column.key}
              label={column.title}
              checked={props.shown.includes(column)}
              onChange={(event) => props.toggle(column.key, event.currentTarget.checked)}
            />
          ))}
          <Button variant="subtle" size="compact-xs" onClick={props.reset}>
            {words.kit.list.resetColumns}
          </Button>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}

/** The two ways to export, behind one button. */
export function ExportMenu({ run }: { run: (as: 'csv' | 'xlsx') => void }) {
  return (
    <Menu>
      <Menu.Target>
        <Button variant="default" leftSection={<IconDownload size={14} aria-hidden />}>
          {words.kit.list.export}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => run('csv')}>{words.kit.list.exportCsv}</Menu.Item>
        <Menu.Item onClick={() => run('xlsx')}>{words.kit.list.exportXlsx}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

type BulkBarProps<Row> = {
  readonly rows: Row[]
  readonly bulk: readonly Bulk<Row>[]
  readonly exportAs: (as: 'csv' | 'xlsx') => void
  readonly clear: () => void
}

export function BulkBar<Row>({ rows, bulk, exportAs, clear }: BulkBarProps<Row>) {
  const [running, setRunning] = useState<string>()
  return (
    <div className={classes['bulk']} role="toolbar" aria-label={words.kit.list.selected(rows.length)}>
      <Text size="sm" fw={500} mr="auto">
        {words.kit.list.selected(rows.length)}
      </Text>
      {bulk.map((action) => (
        <Button
          key={action.label}
          variant="default"
          {...(action.danger ? { c: 'var(--mantine-color-error)' } : {})}
          loading={running === action.label}
          disabled={running !== undefined}
          onClick={() => {
            setRunning(action.label)
            void action
              .run(rows)
              .then((done) => done !== false && clear(), failed)
              .finally(() => setRunning(undefined))
          }}
        >
          {action.label}
        </Button>
      ))}
      <ExportMenu run={exportAs} />
      <Button variant="subtle" onClick={clear}>
        {words.kit.list.unselect}
      </Button>
    </div>
  )
}

export function Empty({ text, action, clear }: { text: string; action?: PageAction | undefined; clear?: () => void }) {
  return (
    <Stack align="center" gap="sm" p="xl" style={{ pointerEvents: 'all' }}>
      <Text c="dimmed" ta="center">
        {text}
      </Text>
      <Group gap="xs">
        {action && <PageActionButton action={action} />}
        {clear && (
          <Button variant="default" onClick={clear}>
            {words.kit.list.clearAll}
          </Button>
        )}
      </Group>
    </Stack>
  )
}
