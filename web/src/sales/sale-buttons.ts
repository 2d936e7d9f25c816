// The buttons of a sale: the next step, the other actions, and why an action is disabled.

import type { Action } from '../kit/action.tsx'
import { messages } from '../messages.ts'
import { paymentStatus, saleStatus } from '../statuses.ts'
import type { SaleActions } from './sale-actions.tsx'
import type { SaleCard } from './sale-values.ts'
import { openShipPart } from './ship-part.tsx'

const texts = messages.sales

type ActionsInput = {
  readonly card: SaleCard
  readonly saleActions: SaleActions
  readonly mayEdit: boolean
  readonly showsPayment: boolean
  readonly today: string
  readonly remove: () => Promise<unknown>
}

/** New → Pack → Ship: the usual next step first, the rest in the menu, each with the reason when it is disabled. */
export function actionsOf({ card, saleActions, mayEdit, showsPayment, today, remove }: ActionsInput): {
  actions: Action[]
  menu: Action[]
} {
  const { order: sale } = card
  const to = (label: string, status: number): Action => ({ label, run: () => saleActions.setState([sale], status) })
  const reason =
    sale.status === saleStatus.shipped
      ? texts.reason.shipped
      : sale.status === saleStatus.canceled
        ? texts.reason.canceled
        : undefined
  const part: Action = { label: texts.act.shipPart, run: () => openShipPart(card, today), disabled: reason }
  const pay: Action =
    sale.payment === paymentStatus.paid
      ? { label: texts.act.unpay, run: () => saleActions.setPayment([sale], paymentStatus.unpaid) }
      : { label: texts.act.pay, run: () => saleActions.setPayment([sale], paymentStatus.paid) }
  const steps: Record<number, Action[]> = {
    [saleStatus.new]: [to(texts.act.pack, saleStatus.packed), to(texts.act.ship, saleStatus.shipped), part],
    [saleStatus.packed]: [to(texts.act.ship, saleStatus.shipped), part],
    [saleStatus.partlyShipped]: [to(texts.act.shipRest, saleStatus.shipped), part],
    [saleStatus.shipped]: mayEdit && showsPayment && sale.payment !== paymentStatus.paid ? [pay] : [],
    [saleStatus.canceled]: [{ ...to(texts.act.reopen, saleStatus.new), isReturn: true }],
  }
  const actions = steps[sale.status] ?? []
  const isOn = sale.production === 1
  const ofManagers: Action[] = [
    ...(showsPayment ? [pay] : []),
    {
      label: isOn ? texts.act.fromStock : texts.act.toOrder,
      run: () => saleActions.setProduction(sale, !isOn),
      disabled: card.lines.some(({ type }) => type === 'product') ? undefined : texts.reason.noProducts,
    },
    { label: texts.act.copy, run: () => saleActions.copy(sale) },
  ]
  const menu: Action[] = [
    part,
    ...(mayEdit ? ofManagers : []),
    ...(sale.status === saleStatus.canceled ? [] : [to(texts.act.cancel, saleStatus.canceled)]),
    ...(mayEdit ? [{ label: texts.act.delete, run: remove, danger: true }] : []),
  ].filter((action) => !actions.some(({ label }) => label === action.label))
  return { actions, menu }
}
