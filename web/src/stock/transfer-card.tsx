// The page of one transfer, and of a new one.

import { Select } from '@mantine/core'
import { useMemo, useState } from 'react'
import { useNavigate, useParams, useSearchParams } from 'react-router'
import { agreeToEffect } from '../documents/acts.tsx'
import { bind, DocumentDay, NotesField, NumField, StorageField } from '../documents/fields.tsx'
import { useLineStock } from '../documents/line-stock.ts'
import { copied, linesOf, plainInput, sent } from '../documents/lines.ts'
import { useStartingLines } from '../documents/start.ts'
import { CardState, choicesOf } from '../documents/states.tsx'
import { Sums } from '../documents/sums.tsx'
import { day, money, quantity } from '../format.ts'
import type { Action } from '../kit/action.tsx'
import { CardPage, CardWaiting } from '../kit/card-page.tsx'
import { effectAndHistory } from '../kit/card-tabs.tsx'
import { lineOf } from '../kit/field-errors.ts'
import { letThrough } from '../kit/leave-guard.tsx'
import type { Line } from '../kit/line.ts'
import { LineGrid } from '../kit/line-grid.tsx'
import { useRecordForm } from '../kit/record-form.tsx'
import { failed, told } from '../kit/told.tsx'
import type { Output } from '../server/call.ts'
import { act, useMethod } from '../server/query.ts'
import { type Session, useSeesMoney, useSession } from '../session.tsx'
import { words } from '../words.ts'
import { arrived, hasMoved, inTransit, removeTransfer, setTransferState, transferStates } from './transfer-acts.ts'

const said = words.stock.transfers
const crumbs = [
  { label: words.stock.title, to: '/stock' },
  { label: said.title, to: '/transfers' },
]

type Card = Output<'transfers/get_card'>
type Values = {
  num: string
  storage_from_id: number | null
  storage_to_id: number | null
  date: string
  date_received: string
  notes: string
  /** Only of a new one; later it is changed by acts. */
  status: string
  lines: Line[]
}

export function Component() {
  const { id } = useParams()
  return id === undefined ? <New /> : <Saved key={id} id={Number(id)} />
}

function Saved({ id }: { id: number }) {
  const card = useMethod('transfers/get_card', { transfer_id: id })
  if (card.data === undefined)
    return <CardWaiting title={said.title} crumbs={crumbs} error={card.error} again={() => void card.refetch()} />
  return <TransferForm card={card.data} reload={() => card.refetch()} />
}

function New() {
  const session = useSession()
  const [params] = useSearchParams()
  const copiedId = Number(params.get('copy'))
  const original = useMethod('transfers/get_card', { transfer_id: copiedId }, { enabled: copiedId > 0 })
  const lines = useStartingLines()
  if (lines === undefined || (copiedId > 0 && original.data === undefined))
    return <CardWaiting title={said.add} crumbs={crumbs} error={original.error} again={() => void original.refetch()} />
  const from = Number(params.get('storage_id')) || session.settings.products_storage_id
  return <TransferForm start={newValues(session, from, lines, original.data)} />
}

const valuesOf = ({ transfer }: Card): Values => ({
  num: transfer.num,
  storage_from_id: transfer.storage_from_id,
  storage_to_id: transfer.storage_to_id,
  date: transfer.date,
  date_received: transfer.date_received,
  notes: transfer.notes,
  status: String(transfer.status),
  lines: linesOf(transfer),
})

function newValues({ today }: Session, from: number, lines: Line[], original: Card | undefined): Values {
  const fresh = { num: '', date: today, date_received: '', status: String(arrived) }
  if (original !== undefined) {
    const same = valuesOf(original)
    return { ...same, ...fresh, lines: copied(same.lines) }
  }
  return { ...fresh, storage_from_id: from, storage_to_id: null, notes: '', lines }
}

const inputOf = ({ num, storage_from_id: from, storage_to_id: to, date, date_received, notes, lines }: Values) => ({
  storage_from_id: from ?? 0,
  storage_to_id: to ?? 0,
  notes,
  ...sent({ num: num.trim(), date, date_received }),
  ...plainInput(lines),
})

type Props =
  | { readonly card: Card; readonly reload: () => Promise<unknown>; readonly start?: never }
  | { readonly start: Values; readonly card?: never; readonly reload?: never }

function TransferForm({ card, start, reload }: Props) {
  const { today } = useSession()
  const navigate = useNavigate()
  const seesMoney = useSeesMoney()
  const [initial] = useState(start)
  const saved = useMemo(() => (card ? valuesOf(card) : initial), [card, initial]) as Values
  const transfer = card?.transfer

  const save = async (values: Values, force: boolean): Promise<void> => {
    const input = inputOf(values)
    if (card === undefined) {
      const status = Number(values.status)
      const add = { ...input, status }
      if (hasMoved(status)) await agreeToEffect('transfers/add', add, said.adding)
      const { transfer_id: id } = await act('transfers/add', add)
      letThrough(() => void navigate(`/transfers/${id}`, { replace: true }))
      told(said.created)
      return
    }
    const edit = { transfer_id: card.transfer.id, ...input }
    await agreeToEffect('transfers/edit', edit, words.documents.saving(said.one(card.transfer.num)))
    await act('transfers/edit', edit, force ? {} : { expect: card.seq })
  }
  const record = useRecordForm<Values>({
    saved,
    save,
    labels: { storage_from_id: said.from, storage_to_id: said.to, date: said.date, num: words.documents.number },
    essence: { lines: (lines) => lines.map(({ id, amount }) => [id, amount]) },
    shown: { lines: (lines) => lines.map((line) => `${quantity(line.amount, line.unit)} ${line.name}`).join(', ') },
    ...(reload ? { reload } : {}),
  })
  const { form } = record
  const { values } = form
  const of = <K extends keyof Values & string>(name: K) => bind(form, name)
  // What has moved already is no longer at the source: whether it is there says nothing.
  const withStock = transfer === undefined || !hasMoved(transfer.status)
  const from = values.storage_from_id
  const stockOf = useLineStock(values.lines, { product: from, material: from }, withStock)

  return (
    <CardPage
      title={transfer ? said.one(transfer.num) : said.add}
      crumbs={crumbs}
      badges={
        transfer && (
          <CardState
            of="transfer"
            code={transfer.status}
            num={transfer.num}
            id={transfer.id}
            settable={transferStates}
            change={(to) => setTransferState(transfer, to, today).catch(failed)}
          />
        )
      }
      facts={transfer ? [`${transfer.storage_from_name} → ${transfer.storage_to_name}`, day(transfer.date)] : []}
      saveBar={record.saveBar}
      actions={transfer ? actionsOf(transfer, today) : [{ label: words.kit.card.save, run: () => record.submit() }]}
      menu={transfer ? menuOf(transfer, today, navigate) : []}
      isSideFirst={transfer === undefined}
      side={
        <>
          <StorageField label={said.from} of={of('storage_from_id')} />
          <StorageField label={said.to} of={of('storage_to_id')} />
          <DocumentDay label={said.date} of={of('date')} />
          {transfer && transfer.date_received !== '' && (
            <DocumentDay label={said.dateReceived} of={of('date_received')} />
          )}
          {transfer === undefined && (
            <Select
              label={said.saveAs}
              allowDeselect={false}
              data={choicesOf(words.states.transfer).filter(({ value }) => value !== '4')}
              value={values.status}
              onChange={(status) => form.setFieldValue('status', status ?? String(arrived))}
            />
          )}
          <NumField of={of('num')} />
          <NotesField of={of('notes')} />
        </>
      }
      tabs={card ? effectAndHistory('transfer', card.transfer.id, card.effect) : []}
    >
      {record.notices}
      <LineGrid
        lines={values.lines}
        onChange={(lines) => form.setFieldValue('lines', lines)}
        sources={[{ kinds: ['product', 'material'], storageId: from ?? undefined }]}
        isPriced={false}
        withStock={withStock}
        stockOf={stockOf}
        wrongLine={record.error === undefined ? -1 : lineOf(record.error, values.lines)}
        footer={
          transfer &&
          seesMoney && <Sums rows={[{ label: words.documents.cost, value: money(transfer.cost), isMain: true }]} />
        }
      />
    </CardPage>
  )
}

type Transfer = Card['transfer']

function actionsOf(transfer: Transfer, today: string): Action[] {
  const to = (label: string, status: number): Action => ({
    label,
    run: () => setTransferState(transfer, status, today),
  })
  if (transfer.status === 0) return [to(said.send, inTransit), to(said.receive, arrived)]
  if (transfer.status === inTransit) return [to(said.receive, arrived)]
  return transfer.status === 4 ? [to(said.reopen, 0)] : []
}

function menuOf(transfer: Transfer, today: string, navigate: (to: string) => unknown): Action[] {
  const to = (label: string, status: number): Action => ({
    label,
    run: () => setTransferState(transfer, status, today),
  })
  return [
    ...(hasMoved(transfer.status) ? [to(said.reopen, 0)] : []),
    ...(transfer.status === 4 ? [] : [to(words.documents.cancel, 4)]),
    { label: words.documents.copy, run: () => navigate(`/transfers/new?copy=${transfer.id}`) },
    {
      label: words.documents.delete,
      danger: true,
      run: async () => {
        if (await removeTransfer(transfer)) letThrough(() => void navigate('/transfers'))
      },
    },
  ]
}
