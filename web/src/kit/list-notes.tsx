// Lines between the rows of a list, over all columns.

import { Table } from '@mantine/core'
import type { DataTableProps } from 'mantine-datatable'
import { Fragment, type ReactNode } from 'react'
import classes from './list-table.module.css'

/** Each row with the note above it, and the last one with the note below it. */
export const rowsWithNotes =
  <Row,>(notes: ReadonlyMap<number, ReactNode>, count: number): NonNullable<DataTableProps<Row>['rowFactory']> =>
  ({ index, rowProps, children, expandedElement }) => (
    <Fragment>
      <NoteRow note={notes.get(index)} />
      <Table.Tr {...rowProps}>{children}</Table.Tr>
      {expandedElement}
      {index === count - 1 && <NoteRow note={notes.get(count)} />}
    </Fragment>
  )

function NoteRow({ note }: { readonly note: ReactNode }) {
  if (note === undefined) return null
  return (
    <Table.Tr className={classes['note'] ?? ''}>
      <Table.Td colSpan={100}>{note}</Table.Td>
    </Table.Tr>
  )
}
