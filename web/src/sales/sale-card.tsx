// One sale: its lines, what there is for them, the next step and everything else that can be done with it.

import { Anchor } from '@mantine/core'
import { useMemo, useRef, useState } from 'react'
import { Link, useNavigate, useParams } from 'react-router'
import { CardState } from '../documents/states.tsx'
import { day, money } from '../format.ts'
import { useKey } from '../frame/keys.tsx'
import { CardPage, type CardTab, CardWaiting } from '../kit/card-page.tsx'
import { EffectTab, HistoryTab } from '../kit/card-tabs.tsx'
import { confirmEffect } from '../kit/confirm-effect.tsx'
import { letThrough } from '../kit/leave-guard.tsx'
import { ThoughtBetter, useRecordForm } from '../kit/record-form.tsx'
import { failed, told } from '../kit/told.tsx'
import { act, useMethod } from '../server/query.ts'
import { useMay, useSeesMoney, useSession } from '../session.tsx'
import { words } from '../words.ts'
import { PaymentChanger } from './payment-changer.tsx'
import { actionsOf } from './sale-actions.ts'
import { saleState, settable, useSaleActs } from './sale-acts.tsx'
import { SaleGrid } from './sale-form.tsx'
import { SaleSide } from './sale-side.tsx'
import { ProductionTab, RequestsTab, ShipmentsTab, shipmentsOf } from './sale-tabs.tsx'
import { changesOf, linesEssence, movesGoods, type SaleCard, type SaleValues, valuesOf } from './sale-values.ts'
import { sourceWord } from './sales-list.tsx'
import { SkippedLines } from './skipped-lines.tsx'

const said = words.sales
const crumbs = [{ label: said.title, to: '/sales' }]

export function Component() {
  const id = Number(useParams()['id'])
  const [isGone, setGone] = useState(false)
  const query = useMethod('orders/get_card', { order_id: id }, { enabled: !isGone })
  if (query.data === undefined)
    return <CardWaiting title={said.one} crumbs={crumbs} error={query.error} again={() => void query.refetch()} />
  return <Sale key={id} card={query.data} reload={() => query.refetch()} whenGone={() => setGone(true)} />
}

type Props = { readonly card: SaleCard; readonly reload: () => Promise<unknown>; readonly whenGone: () => void }

function Sale({ card, reload, whenGone }: Props) {
  const { order } = card
  const { settings, today } = useSession()
  const mayEdit = useMay('manager')
  const seesMoney = useSeesMoney()
  const navigate = useNavigate()
  const acts = useSaleActs()
  const search = useRef<HTMLInputElement>(null)
  const saved = useMemo(() => valuesOf(card), [card])
  const record = useRecordForm<SaleValues>({
    saved,
    labels: said.field,
    essence: { lines: linesEssence },
    shown: {
      lines: (lines) => lines.map(({ amount, name, total }) => `${amount} × ${name} = ${money(total)}`).join('; '),
    },
    reload,
    save: async (values, force) => {
      const changes = changesOf(values, saved)
      if (Object.keys(changes).length === 0) return
      const input = { order_id: order.id, ...changes }
      if (order.status >= saleState.partlyShipped && order.status !== saleState.canceled && movesGoods(changes)) {
        const agreed = await confirmEffect({
          path: 'orders/edit',
          input,
          title: said.ask.save(order.num),
          lead: said.ask.saveLead(order.num),
          label: said.ask.saveLabel,
        })
        if (!agreed) throw new ThoughtBetter()
      }
      await act('orders/edit', input, force ? {} : { expect: card.seq })
      told(said.saved(values.num))
    },
  })
  const { form, notices, saveBar, error } = record
  useKey('e', words.kit.lines.add, mayEdit ? () => search.current?.focus() : undefined)

  const hasProducts = card.lines.some(({ type }) => type === 'product')
  const toOrder =
    mayEdit && order.production === 0 && order.status !== saleState.canceled && hasProducts
      ? () => void acts.setProduction(order, true).catch(failed)
      : undefined
  const { actions, menu } = actionsOf({
    card,
    acts,
    mayEdit,
    showsPayment: settings.show_payment_status,
    today,
    remove: async () => {
      const leave = (): void => {
        whenGone()
        letThrough(() => void navigate('/sales'))
      }
      await acts.remove([order], leave)
    },
  })

  const skipped = card.skipped
  return (
    <CardPage
      title={order.num}
      crumbs={crumbs}
      badges={
        <>
          <CardState
            of="sale"
            code={order.status}
            num={order.num}
            id={order.id}
            settable={settable}
            change={(to) => acts.setState([order], to).catch(failed)}
          />
          {settings.show_payment_status && (
            <PaymentChanger
              num={order.num}
              code={order.payment}
              change={mayEdit ? (to) => acts.setPayment([order], to).catch(failed) : undefined}
            />
          )}
        </>
      }
      facts={[
        <Anchor key="customer" component={Link} to={`/customers/${order.customer_id}`} fz="sm">
          {order.customer_name}
        </Anchor>,
        said.placed(day(order.date_placed)),
        ...(order.date_shipped && order.status === saleState.shipped ? [said.shippedOn(day(order.date_shipped))] : []),
        ...(seesMoney ? [money(order.total)] : []),
        said.from(sourceWord(order.source)),
      ]}
      actions={actions}
      menu={menu}
      saveBar={saveBar}
      side={<SaleSide form={form} isReadOnly={!mayEdit} />}
      tabs={tabsOf(card, mayEdit, toOrder)}
    >
      {notices}
      {skipped !== null && (
        <SkippedLines
          skipped={skipped}
          find={mayEdit ? (code) => typeInto(search.current, code) : undefined}
          remove={mayEdit ? () => form.setFieldValue('notes', withoutLines(form.values.notes, skipped)) : undefined}
        />
      )}
      <SaleGrid form={form} card={card} isReadOnly={!mayEdit} error={error} searchField={search} />
    </CardPage>
  )
}

function tabsOf(card: SaleCard, mayEdit: boolean, toOrder: (() => void) | undefined): CardTab[] {
  const names = new Map(card.lines.map(({ id, name }) => [id, name]))
  return [
    {
      name: 'shipments',
      label: said.tab.shipments,
      count: shipmentsOf(card).length,
      show: () => <ShipmentsTab card={card} />,
    },
    {
      name: 'production',
      label: said.tab.production,
      count: card.productions.length,
      show: () => <ProductionTab card={card} toOrder={toOrder} />,
    },
    { name: 'effect', label: said.tab.effect, show: () => <EffectTab effect={card.effect} /> },
    // Who did what belongs to those who lead.
    ...(mayEdit
      ? [
          {
            name: 'history',
            label: said.tab.history,
            show: () => <HistoryTab record="sale" id={card.order.id} nameOf={(id) => names.get(id)} />,
          },
          {
            name: 'requests',
            label: said.tab.requests,
            show: () => <RequestsTab card={card} />,
          },
        ]
      : []),
  ]
}

/** As if a person had typed it: the search starts and shows what it finds. */
function typeInto(field: HTMLInputElement | null, text: string): void {
  if (field === null) return
  const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set
  set?.call(field, text)
  field.dispatchEvent(new Event('input', { bubbles: true }))
  field.focus()
}

const withoutLines = (notes: string, lines: string): string => {
  const gone = new Set(lines.split('\n'))
  return notes
    .split('\n')
    .filter((line) => !gone.has(line))
    .join('\n')
}
