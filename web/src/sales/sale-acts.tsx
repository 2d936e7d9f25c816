// What can be done with sales, one or many: each act says before what it does to stock, and after it how to take it back.

import { useNavigate } from 'react-router'
import { AskedDay } from '../documents/acts.tsx'
import { confirmEffect } from '../kit/confirm-effect.tsx'
import { paymentWord, stateWord } from '../kit/state-badge.tsx'
import { runEach, told } from '../kit/told.tsx'
import { call, type Input } from '../server/call.ts'
import { act, refresh } from '../server/query.ts'
import { useMay, useSession } from '../session.tsx'
import { words } from '../words.ts'

export const saleState = { new: 0, packed: 1, partlyShipped: 2, shipped: 3, canceled: 4 } as const
export const settable = [saleState.new, saleState.packed, saleState.shipped, saleState.canceled]

export type SaleRef = {
  readonly id: number
  readonly num: string
  readonly status: number
  readonly payment: number
  readonly date_shipped: string
}

type Status = Input<'orders/update_status'>['status']
type Payment = Input<'orders/update_payment'>['status']

const said = words.sales
const addressOf = ({ id }: { readonly id: number }): string => `/sales/${id}`
const named = (sales: readonly SaleRef[]): string => {
  const [first] = sales
  return first !== undefined && sales.length === 1 ? said.ask.one(first.num) : said.ask.many(sales.length)
}

/** Goods have left, and would come back. */
const hasLeft = ({ status }: SaleRef): boolean => status === saleState.partlyShipped || status === saleState.shipped

export function useSaleActs() {
  const { today } = useSession()
  const mayEdit = useMay('manager')
  const navigate = useNavigate()

  /** The question before another state; undefined where nothing moves and it can be taken back. */
  const questionOf = (sales: readonly SaleRef[], to: number) => {
    const what = named(sales)
    const state = stateWord('sale', to)
    if (to === saleState.shipped)
      return { title: said.ask.ship(what), lead: said.ask.shipLead(what), label: said.act.ship }
    if (to === saleState.canceled)
      return {
        title: said.ask.cancel(what),
        lead: said.ask.cancelLead(what),
        label: sales.length === 1 ? said.act.cancel : said.act.cancelMany,
        dismiss: said.act.keep,
        danger: true,
      }
    if (!sales.some(hasLeft)) return undefined
    return {
      title: said.ask.back(what, state),
      lead: said.ask.backLead(what, state),
      label: said.ask.backLabel(state),
      danger: true,
    }
  }

  /** Sets the state of all of them, asking once; false when the person thought better of it. */
  const setState = async (all: readonly SaleRef[], to: number): Promise<boolean> => {
    const sales = all.filter(({ status }) => status !== to)
    const [first] = sales
    if (first === undefined) {
      told(said.done.nothing(stateWord('sale', to)))
      return false
    }
    let day = today
    const inputOf = ({ id }: SaleRef, date?: string) => ({
      order_id: id,
      status: to as Status,
      ...(date ? { date_shipped: date } : {}),
    })
    const asksDay = to === saleState.shipped
    const question = questionOf(sales, to)
    if (question !== undefined) {
      const agreed = await confirmEffect({
        path: 'orders/update_status',
        input: inputOf(first),
        more: sales.slice(1).map((sale) => inputOf(sale)),
        ...question,
        ...(asksDay
          ? { children: <AskedDay label={said.ask.day} value={day} onChange={(chosen) => (day = chosen)} /> }
          : {}),
      })
      if (!agreed) return false
    }
    const date = asksDay ? day : undefined
    if (sales.length > 1) {
      await runEach(sales, (sale) => call('orders/update_status', inputOf(sale, date)))
      refresh(['orders'])
      return true
    }
    await act('orders/update_status', inputOf(first, date))
    told(said.done.state(first.num, stateWord('sale', to)), {
      to: addressOf(first),
      // Partly shipped is a state that arises; it cannot be set again.
      ...(first.status === saleState.partlyShipped ? {} : { undo: () => undoState(first, date !== undefined) }),
    })
    return true
  }

  const undoState = async (former: SaleRef, hadDate: boolean): Promise<void> => {
    await act('orders/update_status', { order_id: former.id, status: former.status as Status })
    if (hadDate && mayEdit) await act('orders/edit', { order_id: former.id, date_shipped: former.date_shipped })
  }

  const setPayment = async (all: readonly SaleRef[], to: number): Promise<boolean> => {
    const sales = all.filter(({ payment }) => payment !== to)
    const [first] = sales
    if (first === undefined) {
      told(said.done.nothing(paymentWord(to)))
      return false
    }
    const set = (id: number, status: number) => ({ order_id: id, status: status as Payment })
    if (sales.length > 1) {
      await runEach(sales, ({ id }) => call('orders/update_payment', set(id, to)))
      refresh(['orders'])
      return true
    }
    await act('orders/update_payment', set(first.id, to))
    told(said.done.state(first.num, paymentWord(to)), {
      to: addressOf(first),
      undo: () => act('orders/update_payment', set(first.id, first.payment)),
    })
    return true
  }

  /** `whenGone` lets a page that shows the sale leave before anything asks for it again. */
  const remove = async (sales: readonly SaleRef[], whenGone: () => void = () => {}): Promise<boolean> => {
    const [first] = sales
    if (first === undefined) return false
    const what = named(sales)
    const agreed = await confirmEffect({
      path: 'orders/delete',
      input: { order_id: first.id },
      more: sales.slice(1).map(({ id }) => ({ order_id: id })),
      title: said.ask.delete(what),
      lead: said.ask.deleteLead(what),
      label: said.act.delete,
      danger: true,
    })
    if (!agreed) return false
    if (sales.length > 1) {
      await runEach(sales, ({ id }) => call('orders/delete', { order_id: id }))
    } else {
      await call('orders/delete', { order_id: first.id })
      told(said.done.deleted(first.num))
    }
    whenGone()
    refresh(['orders'])
    return true
  }

  /** Fulfils by a production of its own, or from stock again. */
  const setProduction = async (sale: SaleRef, on: boolean): Promise<void> => {
    await act('orders/edit', { order_id: sale.id, production: on ? 1 : 0 })
    told(on ? said.done.toOrder(sale.num) : said.done.fromStock(sale.num), {
      to: `${addressOf(sale)}?tab=production`,
      undo: () => act('orders/edit', { order_id: sale.id, production: on ? 0 : 1 }),
    })
  }

  const copy = (sale: SaleRef): void => void navigate(`/sales/new?copy=${sale.id}`)

  return { setState, setPayment, remove, setProduction, copy }
}
