// One sale: its lines with their stock, the next step and all other actions.

import { Anchor } from '@mantine/core'
import { type ReactNode, useMemo, useRef, useState } from 'react'
import { Link, useNavigate, useParams } from 'react-router'
import { pricedEssence } from '../documents/lines.ts'
import { CardState } from '../documents/states.tsx'
import { day, money } from '../format.ts'
import { CardPage, type CardTab, CardWaiting } from '../kit/card-page.tsx'
import { EffectTab, HistoryTab } from '../kit/card-tabs.tsx'
import { confirmEffect } from '../kit/confirm-effect.tsx'
import { useKey } from '../kit/keys.tsx'
import { navigateFreely } from '../kit/leave-guard.tsx'
import type { LineSearchHandle } from '../kit/line-search.tsx'
import { notify, notifyError } from '../kit/notify.tsx'
import type { Printable } from '../kit/print-address.ts'
import { filesTab } from '../kit/record-files.tsx'
import { SaveCanceled, useRecordForm } from '../kit/record-form.tsx'
import { messages } from '../messages.ts'
import { mutate, requestEarly, useMethod } from '../server/query.ts'
import { useMay, useSeesMoney, useSession } from '../session.tsx'
import { saleStatus } from '../statuses.ts'
import { PaymentChanger } from './payment-changer.tsx'
import { hasLeft, type SaleActions, settable, useSaleActions } from './sale-actions.tsx'
import { actionsOf } from './sale-buttons.ts'
import { saleFigures } from './sale-figures.ts'
import { SaleGrid } from './sale-form.tsx'
import { SaleSide } from './sale-side.tsx'
import { ProductionTab, RequestsTab, ShipmentsTab, shipmentsOf } from './sale-tabs.tsx'
import { changesOf, movesGoods, type SaleCard, type SaleValues, valuesOf } from './sale-values.ts'
import { sourceLabel } from './sales-list.tsx'
import { SkippedLines } from './skipped-lines.tsx'

const texts = messages.sales
const crumbs = [{ label: texts.title, to: '/sales' }]

export const { loader, shouldRevalidate } = requestEarly(({ params }) => [
  'orders/get_card',
  { order_id: Number(params['id']) },
])

export function Component() {
  const id = Number(useParams()['id'])
  const [isGone, setGone] = useState(false)
  const query = useMethod('orders/get_card', { order_id: id }, { enabled: !isGone })
  if (query.data === undefined)
    return <CardWaiting title={texts.one} crumbs={crumbs} error={query.error} again={() => void query.refetch()} />
  return <Sale key={id} card={query.data} reload={() => query.refetch()} whenGone={() => setGone(true)} />
}

type Props = { readonly card: SaleCard; readonly reload: () => Promise<unknown>; readonly whenGone: () => void }

function Sale({ card, reload, whenGone }: Props) {
  const { order: sale, skipped } = card
  const mayEdit = useMay('manager')
  const saleActions = useSaleActions()
  const { actions, menu } = useActions(card, saleActions, whenGone)
  const search = useRef<LineSearchHandle>(null)
  const { form, notices, saveBar, error } = useSaleForm(card, reload)
  const facts = [...factsOf(card), ...useQuoteFact(sale.id, mayEdit)]
  const seesMoney = useSeesMoney()
  useKey('e', messages.kit.lines.add, mayEdit ? () => search.current?.focus() : undefined)
  const hasProducts = card.lines.some(({ type }) => type === 'product')
  const toOrder =
    mayEdit && sale.production === 0 && sale.status !== saleStatus.canceled && hasProducts
      ? () => void saleActions.setProduction(sale, true).catch(notifyError)
      : undefined
  return (
    <CardPage
      title={texts.numbered(sale.num)}
      tabTitle={texts.ofCustomer(sale.num, sale.customer_name)}
      crumbs={crumbs}
      badges={<SaleBadges sale={sale} saleActions={saleActions} />}
      facts={facts}
      figures={saleFigures(card, seesMoney)}
      actions={actions}
      menu={menu}
      prints={printsOf(card, mayEdit)}
      saveBar={saveBar}
      side={<SaleSide form={form} isReadOnly={!mayEdit} saleId={sale.id} />}
      tabs={tabsOf(card, mayEdit, toOrder)}
    >
      {notices}
      {skipped !== null && (
        <SkippedLines
          skipped={skipped}
          find={mayEdit ? (code) => search.current?.search(code) : undefined}
          remove={mayEdit ? () => form.setFieldValue('notes', withoutLines(form.values.notes, skipped)) : undefined}
        />
      )}
      <SaleGrid form={form} card={card} isReadOnly={!mayEdit} error={error} search={search} />
    </CardPage>
  )
}

function useSaleForm(card: SaleCard, reload: () => Promise<unknown>) {
  const { order: sale } = card
  const saved = useMemo(() => valuesOf(card), [card])
  return useRecordForm<SaleValues>({
    saved,
    labels: texts.field,
    essence: { lines: pricedEssence },
    shown: {
      lines: (lines) => lines.map(({ amount, name, total }) => `${amount} × ${name} = ${money(total)}`).join('; '),
    },
    reload,
    of: { record: 'sale', id: sale.id },
    save: async (values, force) => {
      const changes = changesOf(values, saved)
      if (Object.keys(changes).length === 0) return
      const input = { order_id: sale.id, ...changes }
      if (hasLeft(sale) && movesGoods(changes)) {
        const isConfirmed = await confirmEffect({
          path: 'orders/edit',
          input,
          title: texts.ask.save(sale.num),
          lead: texts.ask.saveLead(sale.num),
          label: texts.ask.saveLabel,
        })
        if (!isConfirmed) throw new SaveCanceled()
      }
      await mutate('orders/edit', input, force ? {} : { expect: card.seq })
      notify(texts.saved(values.num))
    },
  })
}

function useActions(card: SaleCard, saleActions: SaleActions, whenGone: () => void) {
  const { settings, today } = useSession()
  const mayEdit = useMay('manager')
  const navigate = useNavigate()
  const leave = (): void => {
    whenGone()
    navigateFreely(() => void navigate('/sales'))
  }
  const remove = () => saleActions.remove([card.order], leave)
  return actionsOf({ card, saleActions, mayEdit, showsPayment: settings.show_payment_status, today, remove })
}

/** Workers print what shows no prices. */
function printsOf({ order: { id }, shipments }: SaleCard, isManager: boolean): Printable[] {
  const { print } = messages
  const parameters = { id: String(id) }
  return [
    ...(isManager ? [{ label: print.orderConfirmation, kind: 'order-confirmation', id } as const] : []),
    { label: print.packingSlip, kind: 'packing-slip', parameters },
    ...shipments.map(
      ({ shipment }): Printable => ({
        label: print.slipOfShipment(shipment),
        kind: 'packing-slip',
        parameters: { ...parameters, shipment: String(shipment) },
      }),
    ),
  ]
}

function factsOf({ order: sale }: SaleCard): ReactNode[] {
  return [
    <Anchor key="customer" component={Link} to={`/customers/${sale.customer_id}`} fz="sm">
      {sale.customer_name}
    </Anchor>,
    texts.placed(day(sale.date_placed)),
    ...(sale.date_shipped && sale.status === saleStatus.shipped ? [texts.shippedOn(day(sale.date_shipped))] : []),
    // What the API created says so.
    ...(sale.source === 'manual' ? [] : [texts.from(sourceLabel(sale.source))]),
  ]
}

/** The quote that the sale came from, which workers do not see. */
function useQuoteFact(id: number, mayRead: boolean): ReactNode[] {
  const found = useMethod('quotes/browse', { order_id: id, limit: 1 }, { enabled: mayRead, staleMs: 60_000 })
  return (found.data?.quotes ?? []).map((quote) => (
    <Anchor key="quote" component={Link} to={`/quotes/${quote.id}`} fz="sm">
      {messages.quotes.ofQuote(quote.num)}
    </Anchor>
  ))
}

function SaleBadges({ sale, saleActions }: { sale: SaleCard['order']; saleActions: SaleActions }) {
  const { settings } = useSession()
  const mayEdit = useMay('manager')
  return (
    <>
      <CardState
        of="sale"
        code={sale.status}
        num={sale.num}
        id={sale.id}
        settable={settable}
        change={(to) => saleActions.setState([sale], to).catch(notifyError)}
      />
      {settings.show_payment_status && (
        <PaymentChanger
          num={sale.num}
          code={sale.payment}
          change={mayEdit ? (to) => saleActions.setPayment([sale], to).catch(notifyError) : undefined}
        />
      )}
    </>
  )
}

function tabsOf(card: SaleCard, mayEdit: boolean, toOrder: (() => void) | undefined): CardTab[] {
  const names = new Map(card.lines.map(({ id, name }) => [id, name]))
  return [
    {
      name: 'shipments',
      label: texts.tab.shipments,
      count: shipmentsOf(card).length,
      show: () => <ShipmentsTab card={card} />,
    },
    {
      name: 'production',
      label: texts.tab.production,
      count: card.productions.length,
      show: () => <ProductionTab card={card} toOrder={toOrder} />,
    },
    { name: 'effect', label: texts.tab.effect, show: () => <EffectTab effect={card.effect} /> },
    filesTab('sale', card.order.id),
    // The history is visible to managers only.
    ...(mayEdit
      ? [
          {
            name: 'history',
            label: texts.tab.history,
            show: () => <HistoryTab record="sale" id={card.order.id} nameOf={(id) => names.get(id)} />,
          },
        ]
      : []),
    // For integrators: only on a sale that the API has changed.
    ...(mayEdit && card.requests.length > 0
      ? [{ name: 'requests', label: texts.tab.requests, show: () => <RequestsTab card={card} /> }]
      : []),
  ]
}

const withoutLines = (notes: string, lines: string): string => {
  const gone = new Set(lines.split('\n'))
  return notes
    .split('\n')
    .filter((line) => !gone.has(line))
    .join('\n')
}
