// A short list of records that is loaded in full, such as units: rows are edited in a dialog and deleted after confirmation.

import { ActionIcon, Menu, Table, Title } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { type Action, ActionItem } from '../kit/action.tsx'
import { Empty } from '../kit/list-parts.tsx'
import { LoadError } from '../kit/load-error.tsx'
import { type PageAction, usePage } from '../kit/page.tsx'
import { CurrentPageAction } from '../kit/page-action.tsx'
import { Skeletons } from '../kit/skeletons.tsx'
import { messages } from '../messages.ts'
import classes from './settings.module.css'

type Column<Row> = { readonly title: string; readonly show: (row: Row) => ReactNode }

type Props<Row> = {
  readonly title: string
  readonly rows: readonly Row[] | undefined
  readonly error: unknown
  readonly again: () => void
  readonly columns: readonly Column<Row>[]
  readonly nameOf: (row: Row) => string
  readonly onOpen: (row: Row) => void
  readonly menu: (row: Row) => readonly Action[]
  readonly action?: PageAction
  readonly empty: string
}

export function ShortList<Row extends { readonly id: number }>(props: Props<Row>) {
  const { title, rows, columns, nameOf } = props
  usePage({
    title,
    crumbs: [{ label: messages.settings.title, to: '/settings' }],
    ...(props.action ? { action: props.action } : {}),
  })
  return (
    <div>
      <div className={classes['head']}>
        <Title order={1}>{title}</Title>
        <CurrentPageAction />
      </div>
      {rows === undefined ? (
        props.error ? (
          <LoadError error={props.error} again={props.again} />
        ) : (
          <Skeletons rows={6} />
        )
      ) : rows.length === 0 ? (
        <Empty text={props.empty} action={props.action} />
      ) : (
        <div className={classes['tree']}>
          <Table.ScrollContainer minWidth={300} type="native">
            <Table className={classes['table'] ?? ''} highlightOnHover>
              <Table.Thead>
                <Table.Tr>
                  {columns.map((column) => (
                    <Table.Th key={column.title}>{column.title}</Table.Th>
                  ))}
                  <Table.Th w={44} />
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {rows.map((row) => (
                  <Table.Tr key={row.id}>
                    {columns.map((column, at) => (
                      <Table.Td key={column.title} style={{ overflowWrap: 'break-word' }}>
                        {at === 0 ? (
                          <button type="button" className={classes['open']} onClick={() => props.onOpen(row)}>
                            {column.show(row)}
                          </button>
                        ) : (
                          column.show(row)
                        )}
                      </Table.Td>
                    ))}
                    <Table.Td>
                      <RowMenu label={messages.settings.more(nameOf(row))} actions={props.menu(row)} />
                    </Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </Table.ScrollContainer>
        </div>
      )}
    </div>
  )
}

/** The actions of one row, in an overflow menu. */
export function RowMenu({ label, actions }: { label: string; actions: readonly Action[] }) {
  return (
    <Menu>
      <Menu.Target>
        <ActionIcon aria-label={label}>
          <IconDots size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {actions.map((action) => (
          <ActionItem key={action.label} action={action} />
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
