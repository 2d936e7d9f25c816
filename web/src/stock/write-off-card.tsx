// The page of one write-off, and of a new one: saving it removes the goods from stock.

import { Text } from '@mantine/core'
import { useMemo, useState } from 'react'
import { useNavigate, useParams, useSearchParams } from 'react-router'
import { confirmSaveEffect, deleteRecord } from '../documents/actions.tsx'
import { bind, DocumentDay, NotesField, NumField, StorageField } from '../documents/fields.tsx'
import { useLineStock } from '../documents/line-stock.ts'
import { copied, linesOf, plainInput, sent } from '../documents/lines.ts'
import { useStartingLines } from '../documents/start.ts'
import { Sums } from '../documents/sums.tsx'
import { day, money, quantity } from '../format.ts'
import type { Action } from '../kit/action.tsx'
import { CardPage, CardWaiting } from '../kit/card-page.tsx'
import { effectAndHistory } from '../kit/card-tabs.tsx'
import type { Form } from '../kit/form.ts'
import { navigateFreely } from '../kit/leave-guard.tsx'
import type { Line } from '../kit/line.ts'
import { LineGrid } from '../kit/line-grid.tsx'
import { notify } from '../kit/notify.tsx'
import { useRecordForm } from '../kit/record-form.tsx'
import { messages } from '../messages.ts'
import type { Output } from '../server/call.ts'
import { mutate, useMethod } from '../server/query.ts'
import { useSeesMoney, useSession } from '../session.tsx'

const texts = messages.stock.writeoffs
const crumbs = [
  { label: messages.stock.title, to: '/stock' },
  { label: texts.title, to: '/write-offs' },
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
    return <CardWaiting title={texts.title} crumbs={crumbs} error={card.error} again={() => void card.refetch()} />
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
    return (
      <CardWaiting title={texts.add} crumbs={crumbs} error={original.error} again={() => void original.refetch()} />
    )
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
  const isNew = card === undefined
  const record = useRecordForm<Values>({
    saved,
    save: async (values, force) => {
      if (card !== undefined) return await edit(card, values, force)
      const id = await add(values)
      navigateFreely(() => void navigate(`/write-offs/${id}`, { replace: true }))
      notify(texts.created, { undo: () => mutate('writeoffs/delete', { writeoff_id: id }) })
    },
    ...(isNew ? { label: texts.saving.label } : {}),
    labels: { num: messages.documents.number, date: messages.documents.date, notes: messages.documents.notes },
    essence: { lines: (lines) => lines.map(({ id, amount }) => [id, amount]) },
    shown: { lines: (lines) => lines.map((line) => `${quantity(line.amount, line.unit)} ${line.name}`).join(', ') },
    ...(card ? { reload, of: { record: 'writeoff', id: card.writeoff.id } } : {}),
  })
  const { form } = record
  const of = <K extends keyof Values & string>(name: K) => bind(form, name)
  return (
    <CardPage
      title={writeoff ? texts.one(writeoff.num) : texts.add}
      crumbs={crumbs}
      facts={writeoff ? [day(writeoff.date), ...(seesMoney ? [money(writeoff.cost)] : [])] : []}
      saveBar={record.saveBar}
      actions={isNew ? [{ label: texts.saving.label, run: () => record.submit() }] : []}
      menu={writeoff ? menuOf(writeoff, navigate) : []}
      isSideFirst={isNew}
      side={
        <>
          <DocumentDay label={messages.documents.date} of={of('date')} />
          <StorageField label={messages.documents.productsStorage} of={of('products_storage_id')} />
          <StorageField label={messages.documents.materialsStorage} of={of('materials_storage_id')} />
          <NotesField of={of('notes')} />
          <NumField of={of('num')} />
        </>
      }
      tabs={card ? effectAndHistory('writeoff', card.writeoff.id, card.effect) : []}
    >
      {record.notices}
      {isNew && (
        <Text size="sm" c="dimmed" mb="xs">
          {texts.takes}
        </Text>
      )}
      <WriteOffLines form={form} writeoff={writeoff} error={record.error} />
    </CardPage>
  )
}

async function add(values: Values): Promise<number> {
  const input = inputOf(values)
  await confirmSaveEffect('writeoffs/add', input, texts.saving)
  const { writeoff_id: id } = await mutate('writeoffs/add', input)
  return id
}

async function edit({ writeoff: { id, num }, seq }: Card, values: Values, force: boolean): Promise<void> {
  const input = { writeoff_id: id, ...inputOf(values) }
  await confirmSaveEffect('writeoffs/edit', input, messages.documents.saving(texts.one(num)))
  await mutate('writeoffs/edit', input, force ? {} : { expect: seq })
}

function menuOf({ id, num }: Card['writeoff'], navigate: (to: string) => unknown): Action[] {
  const question = { path: 'writeoffs/delete', input: { writeoff_id: id } } as const
  const remove = async (): Promise<void> => {
    if (await deleteRecord({ ...question, ...texts.deleting(num), done: texts.deleted(num) }))
      navigateFreely(() => void navigate('/write-offs'))
  }
  return [
    { label: messages.documents.copy, run: () => navigate(`/write-offs/new?copy=${id}`) },
    { label: messages.documents.delete, danger: true, run: remove },
  ]
}

type LinesProps = {
  readonly form: Form<Values>
  readonly writeoff: Card['writeoff'] | undefined
  readonly error: unknown
}

function WriteOffLines({ form, writeoff, error }: LinesProps) {
  const { lines, products_storage_id: product, materials_storage_id: material } = form.values
  const seesMoney = useSeesMoney()
  const isNew = writeoff === undefined
  const stockOf = useLineStock(lines, { product, material }, isNew)
  return (
    <LineGrid
      lines={lines}
      onChange={(change) => form.setFieldValue('lines', change)}
      sources={[
        { kinds: ['product'], storageId: product ?? undefined },
        { kinds: ['material'], storageId: material ?? undefined },
      ]}
      isPriced={false}
      withStock={isNew}
      stockOf={stockOf}
      error={error}
      footer={
        writeoff &&
        seesMoney && <Sums rows={[{ label: messages.documents.cost, value: money(writeoff.cost), isMain: true }]} />
      }
    />
  )
}
