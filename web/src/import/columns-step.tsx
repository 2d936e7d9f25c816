// What was recognised in a file, and what each of its columns means. Then its rows are sent and checked.

import { Alert, Button, Group, Progress, Select, Stack, Text, Title } from '@mantine/core'
import { type ReactNode, useMemo, useState } from 'react'
import { useNavigate } from 'react-router'
import { DayField } from '../kit/day-field.tsx'
import { notifyError } from '../kit/notify.tsx'
import { RecordSelect } from '../kit/record-select.tsx'
import { messages } from '../messages.ts'
import { refresh, useMethod } from '../server/query.ts'
import type { DecimalMark } from './decimal-mark.ts'
import { type Choice, type FieldName, fieldsOf, kindOf, type Mapping, suggestMapping } from './fields.ts'
import classes from './import.module.css'
import { labelOf } from './labels.ts'
import { rowsFrom } from './rows.ts'
import { upload } from './send-rows.ts'
import type { FileTable } from './table.ts'

const texts = messages.imports
const samples = 3

type Props = {
  readonly choice: Choice
  readonly name: string
  readonly table: FileTable
  readonly close: () => void
}

export function ColumnsStep(props: Props) {
  const earlier = useMethod('imports/get_list', {})
  // Until it is known what was chosen before, nothing is proposed.
  if (earlier.data === undefined && earlier.error === null) return <Text c="dimmed">{texts.reading}</Text>
  const kind = kindOf(props.choice)
  const remembered = new Map(
    (earlier.data?.imports ?? [])
      .filter((one) => one.kind === kind)
      .flatMap(({ headings }) => headings)
      .map(([heading = '', field = '']) => [heading, field] as const)
      // The latest import comes first.
      .toReversed(),
  )
  return <Columns {...props} remembered={remembered} />
}

function Columns({ choice, name, table, close, remembered }: Props & { remembered: ReadonlyMap<string, string> }) {
  const navigate = useNavigate()
  const [mapping, setMapping] = useState<Mapping>(() => suggestMapping(choice, table.headings, remembered))
  const [mark, setMark] = useState<DecimalMark>(table.decimalMark)
  const only = useOnlyStorage()
  const [chosen, setStorage] = useState<number | null>(null)
  const storage = chosen ?? only
  const [date, setDate] = useState('')
  const [done, setDone] = useState<number>()
  const rows = useMemo(() => rowsFrom(choice, table.rows, mapping, mark), [choice, table, mapping, mark])
  const missing = fieldsOf[choice].filter((field) => field.isNeeded === true && !mapping.includes(field.name))
  const problem =
    missing.length > 0
      ? texts.needed(missing.map((field) => labelOf(choice, field.name)).join(', '))
      : rows.length === 0
        ? texts.nothingChosen
        : undefined
  const check = async (): Promise<void> => {
    setDone(0)
    try {
      const id = await upload({ choice, name, table, mapping, rows, storage, date }, setDone)
      refresh(['imports'])
      await navigate(`/import/${id}`)
    } catch (error) {
      setDone(undefined)
      notifyError(error)
    }
  }
  return (
    <Stack gap="md">
      <Found name={name} table={table} close={close} mark={mark} setMark={setMark} />
      {choice === 'stock' && (
        <Group align="start">
          <RecordSelect of="storages" label={texts.storage} value={storage} onChange={setStorage} required />
          <DayField label={texts.date} value={date} onChange={setDate} isClearable />
        </Group>
      )}
      <section className={classes['panel']}>
        <Title order={2}>{texts.columns}</Title>
        <Text c="dimmed" mb="sm">
          {texts.columnsHelp}
        </Text>
        <MappingTable choice={choice} table={table} mapping={mapping} onChange={setMapping} />
      </section>
      {problem !== undefined && (
        <Alert color="yellow" role="status">
          {problem}
        </Alert>
      )}
      {done !== undefined ? (
        <>
          <Text role="status">{texts.checking(done, rows.length)}</Text>
          <Progress value={(100 * done) / rows.length} aria-label={texts.checking(done, rows.length)} />
        </>
      ) : (
        <Group>
          <Button
            disabled={problem !== undefined || (choice === 'stock' && storage === null)}
            onClick={() => void check()}
          >
            {texts.check}
          </Button>
        </Group>
      )}
    </Stack>
  )
}

function useOnlyStorage(): number | null {
  const { data } = useMethod('storages/get_list', {}, { staleMs: 60_000 })
  return data?.storages.length === 1 ? (data.storages[0]?.id ?? null) : null
}

function Found({
  name,
  table,
  close,
  mark,
  setMark,
}: {
  name: string
  table: FileTable
  close: () => void
  mark: DecimalMark
  setMark: (mark: DecimalMark) => void
}) {
  const { encoding, delimiter, notes } = table
  const facts = [
    texts.found(table.rows.length, table.headings.length),
    ...(encoding === undefined ? [] : [texts.encoding(encoding.toUpperCase())]),
    ...(delimiter === undefined ? [] : [texts.delimiter(delimiter === '\t' ? texts.tab : delimiter)]),
  ]
  return (
    <section className={classes['panel']}>
      <Group justify="space-between" align="start">
        <div>
          <Title order={2}>{name}</Title>
          <Text c="dimmed">{facts.join(' · ')}</Text>
          {notes.map((note) => (
            <Text key={note.what} size="sm">
              {texts.notes[note.what](note.count, 'sheet' in note ? note.sheet : '')}
            </Text>
          ))}
        </div>
        <Button variant="default" onClick={close}>
          {texts.another}
        </Button>
      </Group>
      <Select
        mt="sm"
        maw={200}
        label={texts.decimalMark}
        allowDeselect={false}
        value={mark}
        data={(['.', ','] as const).map((value) => ({ value, label: texts.marks[value] }))}
        onChange={(value) => setMark(value === ',' ? ',' : '.')}
      />
    </section>
  )
}

function MappingTable({
  choice,
  table,
  mapping,
  onChange,
}: {
  choice: Choice
  table: FileTable
  mapping: Mapping
  onChange: (mapping: Mapping) => void
}) {
  const options = fieldsOf[choice].map(({ name }) => ({ value: name, label: labelOf(choice, name) }))
  const choose = (at: number, value: string | null): void => {
    const field = options.find((one) => one.value === value)?.value as FieldName | undefined
    // A field that another column had goes to this one.
    onChange(
      table.headings.map((_, column) =>
        column === at ? field : mapping[column] === field ? undefined : mapping[column],
      ),
    )
  }
  const heading = (text: string): ReactNode => (
    <Text size="sm" c="dimmed" className={classes['headings'] ?? ''}>
      {text}
    </Text>
  )
  return (
    <div className={classes['columns']}>
      {heading(texts.column)}
      {heading(texts.sample)}
      {heading(texts.meaning)}
      {table.headings.map((title, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a column is known by its place
        <MappingRow key={at} title={title || texts.noHeading(at + 1)} samples={samplesOf(table, at)}>
          <Select
            aria-label={`${texts.meaning}: ${title || texts.noHeading(at + 1)}`}
            placeholder={texts.notImported}
            clearable
            searchable
            value={mapping[at] ?? null}
            data={options}
            onChange={(value) => choose(at, value)}
          />
        </MappingRow>
      ))}
    </div>
  )
}

function MappingRow({ title, samples: shown, children }: { title: string; samples: string; children: ReactNode }) {
  return (
    <>
      <Text fw={500}>{title}</Text>
      <Text size="sm" c="dimmed" lineClamp={2}>
        {shown}
      </Text>
      {children}
    </>
  )
}

function samplesOf({ rows }: FileTable, at: number): string {
  const cells: string[] = []
  for (const row of rows) {
    const cell = row.cells[at] ?? ''
    if (cell !== '' && !cells.includes(cell)) cells.push(cell)
    if (cells.length === samples) break
  }
  return cells.join(' · ')
}
