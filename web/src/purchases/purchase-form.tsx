// The form of a purchase: lines with price and total, what of them came, supplier, days, delivery and discount; its acts and tabs.

import { useMemo, useState } from 'react'
import { useNavigate } from 'react-router'
import { agreeToEffect } from '../documents/acts.tsx'
import { bind, DocumentDay, MoneyCell, NotesField, NumField, StorageField } from '../documents/fields.tsx'
import { CardState } from '../documents/states.tsx'
import { Sums } from '../documents/sums.tsx'
import { day, empty, money, quantity } from '../format.ts'
import { CardPage, type CardTab } from '../kit/card-page.tsx'
import { effectAndHistory } from '../kit/card-tabs.tsx'
import { lineOf } from '../kit/field-errors.ts'
import { letThrough } from '../kit/leave-guard.tsx'
import { type Line, roundMoney, subtotalOf } from '../kit/line.ts'
import { LineGrid } from '../kit/line-grid.tsx'
import { useRecordForm } from '../kit/record-form.tsx'
import { PaymentBadge } from '../kit/state-badge.tsx'
import { failed, told } from '../kit/told.tsx'
import { act } from '../server/query.ts'
import { useMay, useSeesMoney, useSession } from '../session.tsx'
import { words } from '../words.ts'
import { setState, settable } from './acts.tsx'
import { actsOf } from './card-acts.ts'
import { type Card, inputOf, receivedOf, type Values, valuesOf } from './purchase.ts'
import { ReceiptsTab } from './receipts-tab.tsx'
import { SupplierField } from './supplier-field.tsx'

const said = words.purchases
const { field } = said

type Props =
  | { readonly card: Card; readonly reload: () => Promise<unknown>; readonly start?: never }
  | { readonly start: Values; readonly card?: never; readonly reload?: never }

export function PurchaseForm({ card, start, reload }: Props) {
  const { today } = useSession()
  const navigate = useNavigate()
  const isReadOnly = !useMay('manager')
  const seesMoney = useSeesMoney()
  const [initial] = useState(start)
  const purchase = card?.purchase
  const saved = useMemo(() => (card ? valuesOf(card.purchase) : initial), [card, initial]) as Values

  const save = async (values: Values, force: boolean): Promise<void> => {
    const input = inputOf(values)
    if (card === undefined) {
      const { purchase_id: id } = await act('purchases/add', input)
      letThrough(() => void navigate(`/purchases/${id}`, { replace: true }))
      told(said.created)
      return
    }
    const edit = { purchase_id: card.purchase.id, ...input }
    await agreeToEffect('purchases/edit', edit, words.documents.saving(said.one(card.purchase.num)))
    await act('purchases/edit', edit, force ? {} : { expect: card.seq })
  }
  const record = useRecordForm<Values>({
    saved,
    save,
    labels: { ...field, num: words.documents.number, notes: words.documents.notes },
    essence: { lines: (lines) => lines.map(({ id, amount, total }) => [id, amount, total]) },
    shown: { lines: (lines) => lines.map((line) => `${quantity(line.amount, line.unit)} ${line.name}`).join(', ') },
    ...(reload ? { reload } : {}),
  })
  const { form, error } = record
  const { values } = form
  const subtotal = subtotalOf(values.lines)
  const total = roundMoney(subtotal + values.delivery_price - values.discount)
  const of = <K extends keyof Values & string>(name: K) => bind(form, name, isReadOnly)

  const acts = card && actsOf(card, { today, isDirty: record.isDirty, isReadOnly, navigate })
  const known = card && receivedOf(card)
  const hasParts = purchase?.status === 2
  return (
    <CardPage
      title={purchase ? said.one(purchase.num) : said.add}
      crumbs={[{ label: said.title, to: '/purchases' }]}
      badges={
        purchase && (
          <>
            <CardState
              of="purchase"
              code={purchase.status}
              num={purchase.num}
              id={purchase.id}
              settable={settable}
              change={(to) => setState(purchase, to, today).catch(failed)}
            />
            <PaymentBadge code={purchase.payment} />
          </>
        )
      }
      facts={
        purchase
          ? [purchase.supplier_name, day(purchase.date_placed), ...(seesMoney ? [money(purchase.total)] : [])]
          : []
      }
      actions={acts?.actions ?? [{ label: words.kit.card.save, run: () => record.submit() }]}
      menu={acts?.menu ?? []}
      saveBar={record.saveBar}
      isSideFirst={purchase === undefined}
      side={
        <>
          <SupplierField of={of('supplier_id')} {...(purchase ? { saved: purchase } : {})} />
          <DocumentDay label={field.date_placed} of={of('date_placed')} />
          {purchase && purchase.date_received !== '' && (
            <DocumentDay label={field.date_received} of={of('date_received')} />
          )}
          <StorageField label={words.documents.productsStorage} of={of('products_storage_id')} />
          <StorageField label={words.documents.materialsStorage} of={of('materials_storage_id')} />
          <NumField of={of('num')} />
          <NotesField of={of('notes')} />
        </>
      }
      tabs={card ? tabsOf(card) : []}
    >
      {record.notices}
      <LineGrid
        lines={values.lines}
        onChange={(lines) => form.setFieldValue('lines', lines)}
        sources={[
          { kinds: ['product'], storageId: values.products_storage_id ?? undefined },
          { kinds: ['material'], storageId: values.materials_storage_id ?? undefined },
        ]}
        // What was paid for it before is the likeliest price, not what it is sold for.
        priceOf={(item) => (item.kind === 'material' && item.price > 0 ? item.price : item.cost) ?? 0}
        isReadOnly={isReadOnly}
        wrongLine={error === undefined ? -1 : lineOf(error, values.lines)}
        columns={
          hasParts
            ? [
                { key: 'received', title: said.received, isRight: true, show: (line) => part(line, 'received') },
                { key: 'left', title: said.left, isRight: true, show: (line) => part(line, 'left') },
              ]
            : []
        }
        footer={
          seesMoney && (
            <Sums
              rows={[
                { label: said.subtotal, value: money(subtotal) },
                { label: said.delivery, value: <MoneyCell label={said.delivery} of={of('delivery_price')} /> },
                { label: said.discount, value: <MoneyCell label={said.discount} of={of('discount')} /> },
                { label: said.total, value: money(total), isMain: true },
              ]}
            />
          )
        }
      />
    </CardPage>
  )
  function part(line: Line, which: 'received' | 'left') {
    const one = known?.get(line.id)
    return one ? quantity(one[which], line.unit) : empty
  }
}

function tabsOf(card: Card): CardTab[] {
  return [
    {
      name: 'receipts',
      label: said.receipts,
      count: card.receipts.length,
      show: () => <ReceiptsTab receipts={card.receipts} />,
    },
    ...effectAndHistory('purchase', card.purchase.id, card.effect),
  ]
}
