// The form of a purchase: lines with price, total and received quantity, supplier, dates, delivery and discount; actions and tabs.

import { useMemo, useState } from 'react'
import { useNavigate } from 'react-router'
import { sum } from '../decimal.ts'
import { confirmSaveEffect } from '../documents/actions.tsx'
import { bind, DocumentDay, MoneyCell, NotesField, NumField, StorageField } from '../documents/fields.tsx'
import { pricedEssence } from '../documents/lines.ts'
import { PurchaseNumberTaken } from '../documents/number-taken.tsx'
import { CardState } from '../documents/states.tsx'
import { Sums } from '../documents/sums.tsx'
import { count, day, empty, money, quantity } from '../format.ts'
import { CardPage, type CardTab } from '../kit/card-page.tsx'
import { effectAndHistory } from '../kit/card-tabs.tsx'
import type { Figure } from '../kit/figures.tsx'
import type { Form } from '../kit/form.ts'
import { navigateFreely } from '../kit/leave-guard.tsx'
import { type Line, subtotalOf } from '../kit/line.ts'
import { LineGrid } from '../kit/line-grid.tsx'
import type { LineColumn } from '../kit/line-row.tsx'
import { notify, notifyError } from '../kit/notify.tsx'
import type { Printable } from '../kit/print-address.ts'
import { useRecordForm } from '../kit/record-form.tsx'
import { PaymentBadge } from '../kit/state-badge.tsx'
import { messages } from '../messages.ts'
import { mutate } from '../server/query.ts'
import { useMay, useSeesMoney, useSession } from '../session.tsx'
import { purchaseStatus } from '../statuses.ts'
import { setState, settable } from './actions.tsx'
import { actionsOf } from './card-actions.ts'
import { inputOf, type PurchaseCard, type PurchaseValues, receivedOf, valuesOf } from './purchase.ts'
import { ReceiptsTab, receiptsOf } from './receipts-tab.tsx'
import { SupplierField } from './supplier-field.tsx'

const texts = messages.purchases
const { figure } = messages.documents
const { field } = texts

type Props =
  | { readonly card: PurchaseCard; readonly reload: () => Promise<unknown>; readonly start?: never }
  | { readonly start: PurchaseValues; readonly card?: never; readonly reload?: never }

export function PurchaseForm({ card, start, reload }: Props) {
  const { today } = useSession()
  const navigate = useNavigate()
  const isReadOnly = !useMay('manager')
  const seesMoney = useSeesMoney()
  const [initial] = useState(start)
  const purchase = card?.purchase
  const saved = useMemo(() => (card ? valuesOf(card.purchase) : initial), [card, initial]) as PurchaseValues
  const record = useRecordForm<PurchaseValues>({
    saved,
    save: async (values, force) => {
      if (card !== undefined) return await edit(card, values, force)
      const { purchase_id: id } = await mutate('purchases/add', inputOf(values))
      navigateFreely(() => void navigate(`/purchases/${id}`, { replace: true }))
      notify(texts.created)
    },
    labels: { ...field, num: messages.documents.number, notes: messages.documents.notes },
    essence: { lines: pricedEssence },
    shown: { lines: (lines) => lines.map((line) => `${quantity(line.amount, line.unit)} ${line.name}`).join(', ') },
    ...(card ? { reload, of: { record: 'purchase', id: card.purchase.id } } : { label: texts.reorder.create }),
  })
  const { form } = record
  const buttons = card && actionsOf(card, { today, isDirty: record.isDirty, isReadOnly, navigate })
  return (
    <CardPage
      title={purchase ? texts.one(purchase.num) : texts.add}
      crumbs={[{ label: texts.title, to: '/purchases' }]}
      badges={
        purchase && (
          <>
            <CardState
              of="purchase"
              code={purchase.status}
              num={purchase.num}
              id={purchase.id}
              settable={settable}
              change={(to) => setState(purchase, to, today).catch(notifyError)}
            />
            <PaymentBadge code={purchase.payment} />
          </>
        )
      }
      facts={purchase ? [purchase.supplier_name, day(purchase.date_placed)] : []}
      actions={buttons?.actions ?? [record.saveAction]}
      menu={buttons?.menu ?? []}
      prints={purchase && seesMoney ? [printOf(purchase.id)] : []}
      figures={card ? figuresOf(card, seesMoney) : []}
      saveBar={record.saveBar}
      isSideFirst={purchase === undefined}
      side={<PurchaseSide form={form} purchase={purchase} isReadOnly={isReadOnly} />}
      tabs={card ? tabsOf(card) : []}
    >
      {record.notices}
      <PurchaseLines form={form} card={card} isReadOnly={isReadOnly} error={record.error} />
    </CardPage>
  )
}

const printOf = (id: number): Printable => ({
  label: messages.print.purchaseOrder,
  kind: 'purchase-order',
  id,
})

function figuresOf(card: PurchaseCard, seesMoney: boolean): Figure[] {
  const { purchase } = card
  const lines = [...purchase.products, ...purchase.materials]
  if (lines.length === 0) return []
  const came = Map.groupBy(
    card.receipts.flatMap((receipt) => receipt.lines),
    ({ id }) => id,
  )
  const isComplete = ({ id, amount }: { id: number; amount: number }): boolean =>
    purchase.status === purchaseStatus.received ||
    sum(
      (came.get(id) ?? []).map((line) => line.amount),
      6,
    ) >= amount
  return [
    ...(seesMoney ? [{ label: figure.total, value: money(purchase.total) }] : []),
    { label: figure.received, value: figure.ofLines(count(lines.filter(isComplete).length), lines.length) },
  ]
}

async function edit(
  { purchase: { id, num }, seq }: PurchaseCard,
  values: PurchaseValues,
  force: boolean,
): Promise<void> {
  const input = { purchase_id: id, ...inputOf(values) }
  await confirmSaveEffect('purchases/edit', input, messages.documents.saving(texts.one(num)))
  await mutate('purchases/edit', input, force ? {} : { expect: seq })
}

type SideProps = {
  readonly form: Form<PurchaseValues>
  readonly purchase: PurchaseCard['purchase'] | undefined
  readonly isReadOnly: boolean
}

function PurchaseSide({ form, purchase, isReadOnly }: SideProps) {
  const of = <K extends keyof PurchaseValues & string>(name: K) => bind(form, name, isReadOnly)
  return (
    <>
      <SupplierField of={of('supplier_id')} {...(purchase ? { saved: purchase } : {})} />
      <DocumentDay label={field.date_placed} of={of('date_placed')} />
      {purchase && purchase.date_received !== '' && (
        <DocumentDay label={field.date_received} of={of('date_received')} />
      )}
      <StorageField label={messages.documents.productsStorage} of={of('products_storage_id')} />
      <StorageField label={messages.documents.materialsStorage} of={of('materials_storage_id')} />
      <NumField of={of('num')} />
      {!isReadOnly && <PurchaseNumberTaken num={form.values.num} id={purchase?.id} />}
      <NotesField of={of('notes')} />
    </>
  )
}

type LinesProps = {
  readonly form: Form<PurchaseValues>
  readonly card: PurchaseCard | undefined
  readonly isReadOnly: boolean
  readonly error: unknown
}

function PurchaseLines({ form, card, isReadOnly, error }: LinesProps) {
  const { values } = form
  const seesMoney = useSeesMoney()
  const columns = useMemo(() => partColumns(card), [card])
  return (
    <LineGrid
      lines={values.lines}
      onChange={(change) => form.setFieldValue('lines', change)}
      sources={[
        { kinds: ['product'], storageId: values.products_storage_id ?? undefined },
        { kinds: ['material'], storageId: values.materials_storage_id ?? undefined },
      ]}
      // The last purchase price is the best default, not the sales price.
      priceOf={(item) => (item.kind === 'material' && item.price > 0 ? item.price : item.cost) ?? 0}
      isReadOnly={isReadOnly}
      error={error}
      columns={columns}
      footer={seesMoney && <PurchaseSums form={form} isReadOnly={isReadOnly} />}
    />
  )
}

/** The received and outstanding quantity of each line, while some is outstanding. */
function partColumns(card: PurchaseCard | undefined): LineColumn[] {
  if (card?.purchase.status !== purchaseStatus.partlyReceived) return []
  const known = receivedOf(card)
  const part = (line: Line, which: 'received' | 'left'): string => {
    const one = known.get(line.id)
    return one ? quantity(one[which], line.unit) : empty
  }
  return [
    { key: 'received', title: texts.received, isRight: true, show: (line) => part(line, 'received') },
    { key: 'left', title: texts.left, isRight: true, show: (line) => part(line, 'left') },
  ]
}

function PurchaseSums({ form, isReadOnly }: Pick<LinesProps, 'form' | 'isReadOnly'>) {
  const { lines, delivery_price: delivery, discount } = form.values
  const subtotal = subtotalOf(lines)
  const total = sum([subtotal, delivery, -discount], 2)
  // Delivery and discount are spread over the lines with a positive total.
  const adjustment = lines.some((line) => line.total > 0) ? 0 : sum([delivery, -discount], 2)
  const of = (name: 'delivery_price' | 'discount') => bind(form, name, isReadOnly)
  return (
    <Sums
      rows={[
        { label: texts.subtotal, value: money(subtotal) },
        { label: texts.delivery, value: <MoneyCell label={texts.delivery} of={of('delivery_price')} /> },
        { label: texts.discount, value: <MoneyCell label={texts.discount} of={of('discount')} /> },
        { label: texts.total, value: money(total), isMain: true },
        ...(adjustment === 0 ? [] : [{ label: texts.adjustment, value: money(adjustment) }]),
      ]}
    />
  )
}

function tabsOf(card: PurchaseCard): CardTab[] {
  return [
    {
      name: 'receipts',
      label: texts.receipts,
      count: receiptsOf(card).length,
      show: () => <ReceiptsTab card={card} />,
    },
    ...effectAndHistory('purchase', card.purchase.id, card.effect),
  ]
}
