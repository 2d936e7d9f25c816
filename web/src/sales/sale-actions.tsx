// Actions on one or many sales: each shows its effect on stock first, and offers an undo afterwards.

import { useNavigate } from 'react-router'
import { DayQuestion } from '../documents/actions.tsx'
import { confirmEffect } from '../kit/confirm-effect.tsx'
import { notify, runEach } from '../kit/notify.tsx'
import { paymentLabel, stateLabel } from '../kit/state-badge.tsx'
import { movesGoods, settableOf } from '../kit/status.ts'
import { messages } from '../messages.ts'
import { call, type Input } from '../server/call.ts'
import { mutate, refresh } from '../server/query.ts'
import { useMay, useSession } from '../session.tsx'
import { saleStatus } from '../statuses.ts'

export const settable = settableOf('sale')

export type SaleRef = {
  readonly id: number
  readonly num: string
  readonly status: number
  readonly payment: number
  readonly date_shipped: string
}

type Status = Input<'orders/update_status'>['status']
type Payment = Input<'orders/update_payment'>['status']

const texts = messages.sales
const addressOf = ({ id }: { readonly id: number }): string => `/sales/${id}`
const named = (sales: readonly SaleRef[]): string => {
  const [first] = sales
  return first !== undefined && sales.length === 1 ? texts.ask.one(first.num) : texts.ask.many(sales.length)
}

/** Goods were shipped, and would be returned to stock. */
export const hasLeft = ({ status }: Pick<SaleRef, 'status'>): boolean => movesGoods('sale', status)

type Person = { readonly today: string; readonly mayEdit: boolean }

export function useSaleActions() {
  const { today } = useSession()
  const mayEdit = useMay('manager')
  const navigate = useNavigate()
  return {
    setState: (sales: readonly SaleRef[], to: number) => setState(sales, to, { today, mayEdit }),
    setPayment,
    remove,
    setProduction,
    copy: (sale: SaleRef): void => void navigate(`/sales/new?copy=${sale.id}`),
  }
}

export type SaleActions = ReturnType<typeof useSaleActions>

/** The confirmation before a change of status; undefined when no stock moves and it can be undone. */
function questionOf(sales: readonly SaleRef[], to: number) {
  const what = named(sales)
  const state = stateLabel('sale', to)
  if (to === saleStatus.shipped)
    return { title: texts.ask.ship(what), lead: texts.ask.shipLead(what), label: texts.act.ship }
  if (to === saleStatus.canceled)
    return {
      title: texts.ask.cancel(what),
      lead: texts.ask.cancelLead(what),
      label: sales.length === 1 ? texts.act.cancel : texts.act.cancelMany,
      dismiss: texts.act.keep,
      danger: true,
    }
  if (!sales.some(hasLeft)) return undefined
  return {
    title: texts.ask.back(what, state),
    lead: texts.ask.backLead(what, state),
    label: texts.ask.backLabel(state),
    danger: true,
  }
}

/** Sets the status of all of them after one confirmation; false when the user canceled. */
async function setState(all: readonly SaleRef[], to: number, { today, mayEdit }: Person): Promise<boolean> {
  const sales = all.filter(({ status }) => status !== to)
  const [first] = sales
  if (first === undefined) {
    notify(texts.done.nothing(stateLabel('sale', to)))
    return false
  }
  let day = today
  const inputOf = ({ id }: SaleRef, date?: string) => ({
    order_id: id,
    status: to as Status,
    ...(date ? { date_shipped: date } : {}),
  })
  const asksDay = to === saleStatus.shipped
  const question = questionOf(sales, to)
  if (question !== undefined) {
    const isConfirmed = await confirmEffect({
      path: 'orders/update_status',
      input: inputOf(first),
      more: sales.slice(1).map((sale) => inputOf(sale)),
      ...question,
      ...(asksDay
        ? { children: <DayQuestion label={texts.ask.day} value={day} onChange={(chosen) => (day = chosen)} /> }
        : {}),
    })
    if (!isConfirmed) return false
  }
  const date = asksDay ? day : undefined
  if (sales.length > 1) {
    await runEach(sales, (sale) => call('orders/update_status', inputOf(sale, date)))
    refresh(['orders'])
    return true
  }
  await mutate('orders/update_status', inputOf(first, date))
  notify(texts.done.state(first.num, stateLabel('sale', to)), {
    to: addressOf(first),
    // "Partly shipped" cannot be set, it results from shipments; but the shipment of the rest can be undone.
    ...(first.status !== saleStatus.partlyShipped
      ? { undo: () => undoState(first, date !== undefined && mayEdit) }
      : to === saleStatus.shipped
        ? { undo: () => undoRest(first) }
        : {}),
  })
  return true
}

async function undoState(former: SaleRef, withDay: boolean): Promise<void> {
  await mutate('orders/update_status', { order_id: former.id, status: former.status as Status })
  if (withDay) await mutate('orders/edit', { order_id: former.id, date_shipped: former.date_shipped })
}

async function undoRest({ id }: SaleRef): Promise<void> {
  const { shipments } = await call('orders/get_card', { order_id: id })
  const rest = 1 + shipments.reduce((last, { shipment }) => Math.max(last, shipment), 0)
  await mutate('orders/undo_shipment', { order_id: id, shipment: rest })
}

async function setPayment(all: readonly SaleRef[], to: number): Promise<boolean> {
  const sales = all.filter(({ payment }) => payment !== to)
  const [first] = sales
  if (first === undefined) {
    notify(texts.done.nothing(paymentLabel(to)))
    return false
  }
  const set = (id: number, status: number) => ({ order_id: id, status: status as Payment })
  if (sales.length > 1) {
    await runEach(sales, ({ id }) => call('orders/update_payment', set(id, to)))
    refresh(['orders'])
    return true
  }
  await mutate('orders/update_payment', set(first.id, to))
  notify(texts.done.state(first.num, paymentLabel(to)), {
    to: addressOf(first),
    undo: () => mutate('orders/update_payment', set(first.id, first.payment)),
  })
  return true
}

/** `whenGone` lets a page that shows the sale navigate away before the sale is requested again. */
async function remove(sales: readonly SaleRef[], whenGone: () => void = () => {}): Promise<boolean> {
  const [first] = sales
  if (first === undefined) return false
  const what = named(sales)
  const isConfirmed = await confirmEffect({
    path: 'orders/delete',
    input: { order_id: first.id },
    more: sales.slice(1).map(({ id }) => ({ order_id: id })),
    title: texts.ask.delete(what),
    lead: texts.ask.deleteLead(what),
    label: texts.act.delete,
    danger: true,
  })
  if (!isConfirmed) return false
  if (sales.length > 1) {
    await runEach(sales, ({ id }) => call('orders/delete', { order_id: id }))
  } else {
    await call('orders/delete', { order_id: first.id })
    notify(texts.done.deleted(first.num))
  }
  whenGone()
  refresh(['orders'])
  return true
}

/** Switches between fulfilment by its own production and from stock. */
async function setProduction(sale: SaleRef, on: boolean): Promise<void> {
  await mutate('orders/edit', { order_id: sale.id, production: on ? 1 : 0 })
  notify(on ? texts.done.toOrder(sale.num) : texts.done.fromStock(sale.num), {
    to: `${addressOf(sale)}?tab=production`,
    undo: () => mutate('orders/edit', { order_id: sale.id, production: on ? 0 : 1 }),
  })
}
