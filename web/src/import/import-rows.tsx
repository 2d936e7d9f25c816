// The rows of an import with what each does, page by page. The cell because of which a row is refused can be corrected in place.

import { Anchor, Button, Group, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router'
import { hasDecimalComma } from '../format.ts'
import { notifyError } from '../kit/notify.tsx'
import { Pager } from '../kit/pager.tsx'
import { PlainBadge } from '../kit/state-badge.tsx'
import { Waiting } from '../kit/waiting.tsx'
import { messages } from '../messages.ts'
import type { ImportsGetEntryImport, ImportsGetRowsRows } from '../methods.ts'
import { mutate, useMethod } from '../server/query.ts'
import { cellText, type FieldName, withCell } from './cells.ts'
import classes from './import.module.css'
import { labelOf } from './labels.ts'
import { type RowRefusal, rowRefusalText } from './refusal-text.ts'

const texts = messages.imports
const limit = 50

type Import = ImportsGetEntryImport
type Row = ImportsGetRowsRows

export function ImportRows({ of, state }: { of: Import; state: Row['state'] | undefined }) {
  const [page, setPage] = useState(1)
  const answer = useMethod(
    'imports/get_rows',
    { import_id: of.id, limit, offset: (page - 1) * limit, ...(state === undefined ? {} : { state }) },
    { keep: true },
  )
  const { data } = answer
  if (data === undefined) return <Waiting query={answer} rows={6} />
  if (data.rows.length === 0) return <Text c="dimmed">{texts.noRows}</Text>
  return (
    <div>
      {data.rows.map((row) => (
        <ImportRow key={row.position} of={of} row={row} />
      ))}
      <Pager total={data.total} limit={limit} page={page} onChange={setPage} />
    </div>
  )
}

const colours = {
  create: 'green',
  change: 'yellow',
  unchanged: 'grey',
  refused: 'red',
  created: 'green',
  changed: 'green',
  undone: 'grey',
  left: 'red',
} as const

const addresses: Readonly<Record<string, string>> = {
  product: 'products',
  material: 'materials',
  customer: 'customers',
  supplier: 'suppliers',
  audit: 'audits',
}

function ImportRow({ of, row }: { of: Import; row: Row }) {
  const section = row.record === null ? undefined : addresses[row.record]
  const name = [row.fields['sku'], row.fields['name']].filter((text) => typeof text === 'string').join(' · ')
  return (
    <div className={classes['row']}>
      <Text size="sm" c="dimmed">
        {texts.line} {row.line}
      </Text>
      <div>
        {section !== undefined && row.state !== 'undone' ? (
          <Anchor component={Link} to={`/${section}/${row.record_id}`}>
            {name || texts.record}
          </Anchor>
        ) : (
          name
        )}
      </div>
      <div>
        <PlainBadge colour={colours[row.state]} label={texts.states[row.state]} />
      </div>
      <div className={classes['result']}>
        {row.refusal === null ? (
          <Changes of={of} changes={row.changes} />
        ) : (
          // What is typed belongs to this refusal.
          <Refused key={row.refusal.error} of={of} row={row} refusal={row.refusal} />
        )}
      </div>
    </div>
  )
}

/** Lists of other records are named by their ids: that they change is enough. */
function Changes({ of, changes }: { of: Import; changes: Row['changes'] }) {
  return Object.entries(changes ?? {}).map(([field, [before, after]]) => (
    <Text key={field} size="sm">
      {labelOf(of.kind, fieldOf(field))}
      {isPlain(field, before) && isPlain(field, after) ? `: ${texts.from(shown(before), shown(after))}` : ''}
    </Text>
  ))
}

const fieldOf = (field: string): FieldName => (field === 'unit_id' ? 'unit' : field) as FieldName
const isPlain = (field: string, value: unknown): boolean =>
  !field.endsWith('_id') && (typeof value === 'string' || typeof value === 'number')
const shown = (value: unknown): string => (value === '' ? texts.empty : String(value))

function Refused({ of, row, refusal }: { of: Import; row: Row; refusal: RowRefusal }) {
  const field = fieldOf(refusal.field ?? 'name')
  const text = cellText(row.fields, field)
  const [typed, setTyped] = useState(text)
  const [isBusy, setBusy] = useState(false)
  const label = labelOf(of.kind, field)
  const mayCorrect = of.status === 'draft' && row.state === 'refused' && refusal.code !== 'record_twice'
  const save = async (): Promise<void> => {
    setBusy(true)
    const fields = withCell(of.kind, row.fields, field, typed, hasDecimalComma() ? ',' : '.')
    const place = { import_id: of.id, kind: of.kind, position: row.position }
    const counted = of.storage_id === null ? {} : { storage_id: of.storage_id }
    await mutate('imports/add_rows', { ...place, ...counted, rows: [{ line: row.line, fields }] }).catch(notifyError)
    setBusy(false)
  }
  return (
    <div>
      <Text size="sm" c="var(--mantine-color-error)">
        {label}: {rowRefusalText(refusal)}
      </Text>
      {mayCorrect && (
        <form
          onSubmit={(event) => {
            event.preventDefault()
            void save()
          }}
        >
          <Group gap="xs" wrap="nowrap" mt={4}>
            <TextInput
              size="xs"
              aria-label={texts.correct(label)}
              value={typed}
              onChange={(event) => setTyped(event.currentTarget.value)}
            />
            <Button type="submit" size="xs" variant="default" flex="none" loading={isBusy}>
              {texts.saveCell}
            </Button>
          </Group>
        </form>
      )}
    </div>
  )
}
