// Parts of a list page: the search field, the column chooser, the bar of bulk actions, the empty state.

import { Button, Checkbox, Group, Menu, Popover, Stack, Text, TextInput } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconColumns3, IconDownload, IconSearch } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { hasDecimalComma } from '../format.ts'
import { messages } from '../messages.ts'
import type { ExportForm } from './export-file.ts'
import { useKey } from './keys.tsx'
import type { Column } from './list-columns.ts'
import classes from './list-page.module.css'
import { notifyError } from './notify.tsx'
import type { PageAction } from './page.tsx'
import { PageActionButton } from './page-action.tsx'
import { ToolButton } from './tool-button.tsx'

export type Bulk<Row> = {
  readonly label: string
  /** Returns false when the user canceled: the selection is kept. */
  readonly run: (rows: Row[]) => Promise<unknown>
  readonly danger?: boolean
}

export function SearchField({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const [typed, setTyped] = useState(value)
  const field = useRef<HTMLInputElement>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => setTyped(value), [value])
  const hasKeys = !useMediaQuery('(pointer: coarse)')
  useKey('/', messages.kit.list.searchKey, () => field.current?.focus())
  const set = (text: string, delayMs: number): void => {
    setTyped(text)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => onChange(text.trim()), delayMs)
  }
  return (
    <TextInput
      ref={field}
      className={classes['search'] ?? ''}
      type="search"
      value={typed}
      placeholder={hasKeys ? `${messages.kit.list.search} ( / )` : messages.kit.list.search}
      aria-label={messages.kit.list.search}
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
        <ToolButton label={messages.kit.list.columns} icon={IconColumns3} visibleFrom="sm" />
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
            {messages.kit.list.resetColumns}
          </Button>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}

/** The two export formats, behind one button. */
export function ExportMenu({ run, all }: { run: (as: ExportForm) => void; all?: (() => Promise<void>) | undefined }) {
  return (
    <Menu>
      <Menu.Target>
        <ToolButton label={messages.kit.list.export} icon={IconDownload} />
      </Menu.Target>
      <Menu.Dropdown>
        {formsInOrder().map((form) => (
          <Menu.Item key={form} onClick={() => run(form)}>
            {messages.kit.list.exportAs[form]}
          </Menu.Item>
        ))}
        {all && <Menu.Item onClick={() => void all().catch(notifyError)}>{messages.imports.exportAll}</Menu.Item>}
      </Menu.Dropdown>
    </Menu>
  )
}

/** The format that spreadsheets in the user's locale open comes first. */
const formsInOrder = (): readonly ExportForm[] =>
  hasDecimalComma()
    ? ['csv with semicolons', 'csv with commas', 'xlsx']
    : ['csv with commas', 'csv with semicolons', 'xlsx']

type BulkBarProps<Row> = {
  readonly rows: Row[]
  readonly bulk: readonly Bulk<Row>[]
  readonly exportAs: (as: ExportForm) => void
  readonly clear: () => void
}

export function BulkBar<Row>({ rows, bulk, exportAs, clear }: BulkBarProps<Row>) {
  const [running, setRunning] = useState<string>()
  return (
    <div className={classes['bulk']} role="toolbar" aria-label={messages.kit.list.selected(rows.length)}>
      <Text size="sm" fw={500} mr="auto">
        {messages.kit.list.selected(rows.length)}
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
              .then((done) => done !== false && clear(), notifyError)
              .finally(() => setRunning(undefined))
          }}
        >
          {action.label}
        </Button>
      ))}
      <ExportMenu run={exportAs} />
      <Button variant="subtle" onClick={clear}>
        {messages.kit.list.unselect}
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
        {action && <PageActionButton action={action} isPrimary={false} />}
        {clear && (
          <Button variant="default" onClick={clear}>
            {messages.kit.list.clearAll}
          </Button>
        )}
      </Group>
    </Stack>
  )
}
