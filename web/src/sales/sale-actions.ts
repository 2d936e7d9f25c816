// The buttons of a sale: which step comes next, what else can be done, and why something cannot.

import type { Action } from '../kit/action.tsx'
import { words } from '../words.ts'
import { saleState, type useSaleActs } from './sale-acts.tsx'
import type { SaleCard } from './sale-values.ts'
import { openShipPart } from './ship-part.tsx'

const said = words.sales

type ActionsInput = {
  readonly card: SaleCard
  readonly acts: ReturnType<typeof useSaleActs>
  readonly mayEdit: boolean
  readonly showsPayment: boolean
  readonly today: string
  readonly remove: () => Promise<unknown>
}

/** New → Pack → Ship: the usual next step first, the rest in the menu, each with the reason when it cannot be done. */
export function actionsOf({ card, acts, mayEdit, showsPayment, today, remove }: ActionsInput): {
  actions: Action[]
  menu: Action[]
} {
  const { order } = card
  const to = (label: string, status: number): Action => ({ label, run: () => acts.setState([order], status) })
  const reason =
    order.status === saleState.shipped
      ? said.reason.shipped
      : order.status === saleState.canceled
        ? said.reason.canceled
        : undefined
  const part: Action = { label: said.act.shipPart, run: () => openShipPart(card, today), disabled: reason }
  const pay: Action =
    order.payment === 2
      ? { label: said.act.unpay, run: () => acts.setPayment([order], 0) }
      : { label: said.act.pay, run: () => acts.setPayment([order], 2) }
  const steps: Record<number, Action[]> = {
    [saleState.new]: [to(said.act.pack, saleState.packed), to(said.act.ship, saleState.shipped), part],
    [saleState.packed]: [to(said.act.ship, saleState.shipped), part],
    [saleState.partlyShipped]: [to(said.act.shipRest, saleState.shipped), part],
    [saleState.shipped]: mayEdit && showsPayment && order.payment !== 2 ? [pay] : [],
    [saleState.canceled]: [to(said.act.reopen, saleState.new)],
  }
  const actions = steps[order.status] ?? []
  const isOn = order.production === 1
  const ofManagers: Action[] = [
    ...(showsPayment ? [pay] : []),
    {
      label: isOn ? said.act.fromStock : said.act.toOrder,
      run: () => acts.setProduction(order, !isOn),
      disabled: card.lines.some(({ type }) => type === 'product') ? undefined : said.reason.noProducts,
    },
    { label: said.act.copy, run: () => acts.copy(order) },
  ]
  const menu: Action[] = [
    part,
    ...(mayEdit ? ofManagers : []),
    ...(order.status === saleState.canceled ? [] : [to(said.act.cancel, saleState.canceled)]),
    ...(mayEdit ? [{ label: said.act.delete, run: remove, danger: true }] : []),
  ].filter((action) => !actions.some(({ label }) => label === action.label))
  return { actions, menu }
}
