// The page of one transfer, and of a new one.

import { Select } from '@mantine/core'
import { useMemo, useState } from 'react'
import { useNavigate, useParams, useSearchParams } from 'react-router'
import { confirmSaveEffect } from '../documents/actions.tsx'
import { bind, DocumentDay, NotesField, NumField, StorageField } from '../documents/fields.tsx'
import { useLineStock } from '../documents/line-stock.ts'
import { useStartingLines } from '../documents/start.ts'
import { CardState } from '../documents/states.tsx'
import { Sums } from '../documents/sums.tsx'
import { day, money, quantity } from '../format.ts'
import type { Action } from '../kit/action.tsx'
import { CardPage, CardWaiting } from '../kit/card-page.tsx'
import { effectAndHistory } from '../kit/card-tabs.tsx'
import type { Form } from '../kit/form.ts'
import { navigateFreely } from '../kit/leave-guard.tsx'
import { LineGrid } from '../kit/line-grid.tsx'
import { notify, notifyError } from '../kit/notify.tsx'
import { useRecordForm } from '../kit/record-form.tsx'
import { statusChoices } from '../kit/status.ts'
import { messages } from '../messages.ts'
import { mutate, useMethod } from '../server/query.ts'
import { useSeesMoney, useSession } from '../session.tsx'
import { transferStatus } from '../statuses.ts'
import { inputOf, newValues, type TransferCard, type TransferValues, valuesOf } from './transfer.ts'
import { arrived, hasMoved, inTransit, removeTransfer, setTransferState, transferStates } from './transfer-actions.ts'

const texts = messages.stock.transfers
const { new: fresh, canceled } = transferStatus
const crumbs = [
  { label: messages.stock.title, to: '/stock' },
  { label: texts.title, to: '/transfers' },
]

export function Component() {
  const { id } = useParams()
  return id === undefined ? <New /> : <Saved key={id} id={Number(id)} />
}

function Saved({ id }: { id: number }) {
  const card = useMethod('transfers/get_card', { transfer_id: id })
  if (card.data === undefined)
    return <CardWaiting title={texts.title} crumbs={crumbs} error={card.error} again={() => void card.refetch()} />
  return <TransferForm card={card.data} reload={() => card.refetch()} />
}

function New() {
  const session = useSession()
  const [params] = useSearchParams()
  const copiedId = Number(params.get('copy'))
  const original = useMethod('transfers/get_card', { transfer_id: copiedId }, { enabled: copiedId > 0 })
  const lines = useStartingLines()
  if (lines === undefined || (copiedId > 0 && original.data === undefined))
    return (
      <CardWaiting title={texts.add} crumbs={crumbs} error={original.error} again={() => void original.refetch()} />
    )
  const from = Number(params.get('storage_id')) || session.settings.products_storage_id
  return <TransferForm start={newValues(session, from, lines, original.data)} />
}

type Props =
  | { readonly card: TransferCard; readonly reload: () => Promise<unknown>; readonly start?: never }
  | { readonly start: TransferValues; readonly card?: never; readonly reload?: never }

function TransferForm({ card, start, reload }: Props) {
  const { today } = useSession()
  const navigate = useNavigate()
  const [initial] = useState(start)
  const saved = useMemo(() => (card ? valuesOf(card) : initial), [card, initial]) as TransferValues
  const transfer = card?.transfer
  const record = useRecordForm<TransferValues>({
    saved,
    save: async (values, force) => {
      if (card !== undefined) return await edit(card, values, force)
      const id = await add(values)
      navigateFreely(() => void navigate(`/transfers/${id}`, { replace: true }))
      notify(texts.created)
    },
    labels: { storage_from_id: texts.from, storage_to_id: texts.to, date: texts.date, num: messages.documents.number },
    essence: { lines: (lines) => lines.map(({ id, amount }) => [id, amount]) },
    shown: { lines: (lines) => lines.map((line) => `${quantity(line.amount, line.unit)} ${line.name}`).join(', ') },
    ...(card ? { reload, of: { record: 'transfer', id: card.transfer.id } } : { label: texts.adding.label }),
  })
  const { form } = record
  return (
    <CardPage
      title={transfer ? texts.one(transfer.num) : texts.add}
      crumbs={crumbs}
      badges={
        transfer && (
          <CardState
            of="transfer"
            code={transfer.status}
            num={transfer.num}
            id={transfer.id}
            settable={transferStates}
            change={(to) => setTransferState(transfer, to, today).catch(notifyError)}
          />
        )
      }
      facts={transfer ? [`${transfer.storage_from_name} → ${transfer.storage_to_name}`, day(transfer.date)] : []}
      saveBar={record.saveBar}
      actions={transfer ? actionsOf(transfer, today) : [record.saveAction]}
      menu={transfer ? menuOf(transfer, today, navigate) : []}
      isSideFirst={transfer === undefined}
      side={<TransferSide form={form} transfer={transfer} />}
      tabs={card ? effectAndHistory('transfer', card.transfer.id, card.effect) : []}
    >
      {record.notices}
      <TransferLines form={form} transfer={transfer} error={record.error} />
    </CardPage>
  )
}

async function add(values: TransferValues): Promise<number> {
  const status = Number(values.status)
  const input = { ...inputOf(values), status }
  if (hasMoved(status)) await confirmSaveEffect('transfers/add', input, texts.adding)
  const { transfer_id: id } = await mutate('transfers/add', input)
  return id
}

async function edit(
  { transfer: { id, num }, seq }: TransferCard,
  values: TransferValues,
  force: boolean,
): Promise<void> {
  const input = { transfer_id: id, ...inputOf(values) }
  await confirmSaveEffect('transfers/edit', input, messages.documents.saving(texts.one(num)))
  await mutate('transfers/edit', input, force ? {} : { expect: seq })
}

type PartProps = { readonly form: Form<TransferValues>; readonly transfer: Transfer | undefined }

function TransferSide({ form, transfer }: PartProps) {
  const of = <K extends keyof TransferValues & string>(name: K) => bind(form, name)
  return (
    <>
      <StorageField label={texts.from} of={of('storage_from_id')} />
      <StorageField label={texts.to} of={of('storage_to_id')} />
      <DocumentDay label={texts.date} of={of('date')} />
      {transfer && transfer.date_received !== '' && <DocumentDay label={texts.dateReceived} of={of('date_received')} />}
      {transfer === undefined && (
        <Select
          label={texts.saveAs}
          allowDeselect={false}
          data={statusChoices(
            'transfer',
            transferStates.filter((code) => code !== canceled),
          )}
          value={form.values.status}
          onChange={(status) => form.setFieldValue('status', status ?? String(arrived))}
        />
      )}
      <NumField of={of('num')} />
      <NotesField of={of('notes')} />
    </>
  )
}

function TransferLines({ form, transfer, error }: PartProps & { readonly error: unknown }) {
  const { lines, storage_from_id: from } = form.values
  const seesMoney = useSeesMoney()
  // Goods that have moved are no longer at the source: their availability there is irrelevant.
  const withStock = transfer === undefined || !hasMoved(transfer.status)
  const stockOf = useLineStock(lines, { product: from, material: from }, withStock)
  return (
    <LineGrid
      lines={lines}
      onChange={(change) => form.setFieldValue('lines', change)}
      sources={[{ kinds: ['product', 'material'], storageId: from ?? undefined }]}
      isPriced={false}
      withStock={withStock}
      stockOf={stockOf}
      error={error}
      footer={
        transfer &&
        seesMoney && <Sums rows={[{ label: messages.documents.cost, value: money(transfer.cost), isMain: true }]} />
      }
    />
  )
}

type Transfer = TransferCard['transfer']

function actionsOf(transfer: Transfer, today: string): Action[] {
  const to = (label: string, status: number): Action => ({
    label,
    run: () => setTransferState(transfer, status, today),
  })
  if (transfer.status === fresh) return [to(texts.send, inTransit), to(texts.receive, arrived)]
  if (transfer.status === inTransit) return [to(texts.receive, arrived)]
  return transfer.status === canceled ? [{ ...to(texts.reopen, fresh), isReturn: true }] : []
}

function menuOf(transfer: Transfer, today: string, navigate: (to: string) => unknown): Action[] {
  const to = (label: string, status: number): Action => ({
    label,
    run: () => setTransferState(transfer, status, today),
  })
  return [
    ...(hasMoved(transfer.status) ? [to(texts.reopen, fresh)] : []),
    ...(transfer.status === canceled ? [] : [to(messages.documents.cancel, canceled)]),
    { label: messages.documents.copy, run: () => navigate(`/transfers/new?copy=${transfer.id}`) },
    {
      label: messages.documents.delete,
      danger: true,
      run: async () => {
        if (await removeTransfer(transfer)) navigateFreely(() => void navigate('/transfers'))
      },
    },
  ]
}
