// The page of one write-off, and of a new one: it takes its goods out of stock as soon as it is saved.

import { Text } from '@mantine/core'
import { useMemo, useState } from 'react'
import { useNavigate, useParams, useSearchParams } from 'react-router'
import { agreeToEffect, deleteRecord } from '../documents/acts.tsx'
import { bind, DocumentDay, NotesField, NumField, StorageField } from '../documents/fields.tsx'
import { useLineStock } from '../documents/line-stock.ts'
import { copied, linesOf, plainInput, sent } from '../documents/lines.ts'
import { useStartingLines } from '../documents/start.ts'
import { Sums } from '../documents/sums.tsx'
import { day, money, quantity } from '../format.ts'
import { CardPage, CardWaiting } from '../kit/card-page.tsx'
import { effectAndHistory } from '../kit/card-tabs.tsx'
import { lineOf } from '../kit/field-errors.ts'
import { letThrough } from '../kit/leave-guard.tsx'
import type { Line } from '../kit/line.ts'
import { LineGrid } from '../kit/line-grid.tsx'
import { useRecordForm } from '../kit/record-form.tsx'
import { told } from '../kit/told.tsx'
import type { Output } from '../server/call.ts'
import { act, useMethod } from '../server/query.ts'
import { useSeesMoney, useSession } from '../session.tsx'
import { words } from '../words.ts'

const said = words.stock.writeoffs
const crumbs = [
  { label: words.stock.title, to: '/stock' },
  { label: said.title, to: '/write-offs' },
]

type Card = Output<'writeoffs/get_card'>
type Values = {
  num: string
  date: string
  products_storage_id: number | null
  materials_storage_id: number | null
  notes: string
  lines: Line[]
}

export function Component() {
  const { id } = useParams()
  return id === undefined ? <New /> : <Saved key={id} id={Number(id)} />
}

function Saved({ id }: { id: number }) {
  const card = useMethod('writeoffs/get_card', { writeoff_id: id })
  if (card.data === undefined)
    return <CardWaiting title={said.title} crumbs={crumbs} error={card.error} again={() => void card.refetch()} />
  return <WriteOffForm card={card.data} reload={() => card.refetch()} />
}

function New() {
  const { settings, today } = useSession()
  const [params] = useSearchParams()
  const copiedId = Number(params.get('copy'))
  const place = Number(params.get('storage_id')) || undefined
  const original = useMethod('writeoffs/get_card', { writeoff_id: copiedId }, { enabled: copiedId > 0 })
  const lines = useStartingLines()
  if (lines === undefined || (copiedId > 0 && original.data === undefined))
    return <CardWaiting title={said.add} crumbs={crumbs} error={original.error} again={() => void original.refetch()} />
  const same = original.data ? valuesOf(original.data) : undefined
  const start: Values = {
    products_storage_id: place ?? settings.products_storage_id,
    materials_storage_id: place ?? settings.materials_storage_id,
    notes: '',
    ...same,
    num: '',
    date: today,
    lines: same ? copied(same.lines) : lines,
  }
  return <WriteOffForm start={start} />
}

const valuesOf = ({ writeoff }: Card): Values => ({
  num: writeoff.num,
  date: writeoff.date,
  products_storage_id: writeoff.products_storage_id,
  materials_storage_id: writeoff.materials_storage_id,
  notes: writeoff.notes,
  lines: linesOf(writeoff),
})

const inputOf = ({ num, date, products_storage_id, materials_storage_id, notes, lines }: Values) => ({
  products_storage_id: products_storage_id ?? 0,
  materials_storage_id: materials_storage_id ?? 0,
  notes,
  ...sent({ num: num.trim(), date }),
  ...plainInput(lines),
})

type Props =
  | { readonly card: Card; readonly reload: () => Promise<unknown>; readonly start?: never }
  | { readonly start: Values; readonly card?: never; readonly reload?: never }

function WriteOffForm({ card, start, reload }: Props) {
  const navigate = useNavigate()
  const seesMoney = useSeesMoney()
  const [initial] = useState(start)
  const saved = useMemo(() => (card ? valuesOf(card) : initial), [card, initial]) as Values
  const writeoff = card?.writeoff

  const save = async (values: Values, force: boolean): Promise<void> => {
    const input = inputOf(values)
    if (card === undefined) {
      await agreeToEffect('writeoffs/add', input, said.saving)
      const { writeoff_id: id } = await act('writeoffs/add', input)
      letThrough(() => void navigate(`/write-offs/${id}`, { replace: true }))
      told(said.created, { undo: () => act('writeoffs/delete', { writeoff_id: id }) })
      return
    }
    const edit = { writeoff_id: card.writeoff.id, ...input }
    await agreeToEffect('writeoffs/edit', edit, words.documents.saving(said.one(card.writeoff.num)))
    await act('writeoffs/edit', edit, force ? {} : { expect: card.seq })
  }
  const record = useRecordForm<Values>({
    saved,
    save,
    labels: { num: words.documents.number, date: words.documents.date, notes: words.documents.notes },
    essence: { lines: (lines) => lines.map(({ id, amount }) => [id, amount]) },
    shown: { lines: (lines) => lines.map((line) => `${quantity(line.amount, line.unit)} ${line.name}`).join(', ') },
    ...(reload ? { reload } : {}),
  })
  const { form } = record
  const { values } = form
  const of = <K extends keyof Values & string>(name: K) => bind(form, name)
  const isNew = card === undefined
  const places = { product: values.products_storage_id, material: values.materials_storage_id }
  const stockOf = useLineStock(values.lines, places, isNew)
  const remove = async (): Promise<void> => {
    if (writeoff === undefined) return
    const question = { path: 'writeoffs/delete', input: { writeoff_id: writeoff.id } } as const
    if (await deleteRecord({ ...question, ...said.deleting(writeoff.num), done: said.deleted(writeoff.num) }))
      letThrough(() => void navigate('/write-offs'))
  }

  return (
    <CardPage
      title={writeoff ? said.one(writeoff.num) : said.add}
      crumbs={crumbs}
      facts={writeoff ? [day(writeoff.date), ...(seesMoney ? [money(writeoff.cost)] : [])] : []}
      saveBar={record.saveBar}
      actions={isNew ? [{ label: said.saving.label, run: () => record.submit() }] : []}
      menu={
        writeoff
          ? [
              { label: words.documents.copy, run: () => navigate(`/write-offs/new?copy=${writeoff.id}`) },
              { label: words.documents.delete, danger: true, run: remove },
            ]
          : []
      }
      isSideFirst={isNew}
      side={
        <>
          <DocumentDay label={words.documents.date} of={of('date')} />
          <StorageField label={words.documents.productsStorage} of={of('products_storage_id')} />
          <StorageField label={words.documents.materialsStorage} of={of('materials_storage_id')} />
          <NotesField of={of('notes')} />
          <NumField of={of('num')} />
        </>
      }
      tabs={card ? effectAndHistory('writeoff', card.writeoff.id, card.effect) : []}
    >
      {record.notices}
      {isNew && (
        <Text size="sm" c="dimmed" mb="xs">
          {said.takes}
        </Text>
      )}
      <LineGrid
        lines={values.lines}
        onChange={(lines) => form.setFieldValue('lines', lines)}
        sources={[
          { kinds: ['product'], storageId: places.product ?? undefined },
          { kinds: ['material'], storageId: places.material ?? undefined },
        ]}
        isPriced={false}
        withStock={isNew}
        stockOf={stockOf}
        wrongLine={record.error === undefined ? -1 : lineOf(record.error, values.lines)}
        footer={
          writeoff &&
          seesMoney && <Sums rows={[{ label: words.documents.cost, value: money(writeoff.cost), isMain: true }]} />
        }
      />
    </CardPage>
  )
}
