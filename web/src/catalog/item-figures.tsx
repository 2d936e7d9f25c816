// The headline figures of an item: stock, what it earns or costs, and how much of it was sold lately.

import { sum } from '../decimal.ts'
import { empty, money, quantity, share } from '../format.ts'
import type { Figure } from '../kit/figures.tsx'
import { Bars, StepLine } from '../kit/sparkline.tsx'
import { Quantity } from '../kit/state-badge.tsx'
import { messages } from '../messages.ts'
import type { Output } from '../server/call.ts'
import type { ItemEntry } from './item-values.ts'
import type { ItemKindRules } from './kinds.ts'

const texts = messages.catalog
const figureTexts = messages.catalog.figure
type Card = Output<'items/get_card'>

/** A quarter of a year. */
const shownWeeks = 13

/** `card` is undefined while it loads; `planned` is the cost of the components, or null. */
export function figuresOf(
  rules: ItemKindRules,
  item: ItemEntry,
  card: Card | undefined,
  planned: number | null,
  seesMoney: boolean,
): readonly Figure[] {
  if (!rules.hasStock) return [...(seesMoney ? [priceOf(rules, item)] : []), productsOf(card)]
  const earns = rules.hasComponents ? [marginOf(item, planned)] : [costOf(item), worthOf(card)]
  return [
    onHandOf(item, card),
    availableOf(item),
    ...(seesMoney ? earns : [reservedOf(item)]),
    soldOf(item, card, seesMoney),
  ]
}

const onHandOf = (item: ItemEntry, card: Card | undefined): Figure => ({
  label: texts.column.amount,
  value: <Quantity value={item.amount} unit={item.unit} />,
  to: `/stock/items/${item.id}`,
  ...(item.min_amount ? { hint: figureTexts.minimum(quantity(item.min_amount, item.unit)) } : {}),
  ...(card ? { chart: <StepLine values={card.series.map(({ amount }) => amount)} label={texts.stock.over} /> } : {}),
})

const availableOf = (item: ItemEntry): Figure => ({
  label: texts.column.available,
  value: <Quantity value={item.available} unit={item.unit} />,
  to: `/stock/items/${item.id}?tab=reserved`,
  hint: item.reserved ? figureTexts.reserved(quantity(item.reserved, item.unit)) : figureTexts.noneReserved,
})

/** For users who see no money. */
const reservedOf = (item: ItemEntry): Figure => ({
  label: texts.column.reserved,
  value: <Quantity value={item.reserved} unit={item.unit} />,
  to: `/stock/items/${item.id}?tab=reserved`,
})

/** By the average cost of what is or was in stock, otherwise by the planned cost. */
function marginOf(item: ItemEntry, planned: number | null): Figure {
  const label = figureTexts.margin
  const cost = item.cost || planned
  if (!item.price) return { label, value: empty, hint: figureTexts.noPrice }
  if (!cost) return { label, value: empty, hint: figureTexts.noCost }
  const hint = item.cost ? figureTexts.priceCost : figureTexts.pricePlanned
  return { label, value: share((item.price - cost) / item.price), hint: hint(money(item.price), money(cost)) }
}

function costOf(item: ItemEntry): Figure {
  const label = texts.components.cost
  if (item.cost) return { label, value: money(item.cost), hint: figureTexts.per(item.unit) }
  return { label, value: item.price ? money(item.price) : empty, hint: figureTexts.byPrice }
}

const worthOf = (card: Card | undefined): Figure => ({
  label: figureTexts.value,
  value: card && money(sum([0, ...card.levels.map(({ total_cost: cost }) => cost ?? 0)], 2)),
})

function soldOf(item: ItemEntry, card: Card | undefined, seesMoney: boolean): Figure {
  const weeks = card?.weeks.slice(-shownWeeks) ?? []
  const amount = sum([0, ...weeks.map((week) => week.amount)], 6)
  const total = sum([0, ...weeks.map((week) => week.total ?? 0)], 2)
  return {
    label: figureTexts.sold,
    value: card && quantity(amount, item.unit),
    ...(card && seesMoney && amount > 0 ? { hint: figureTexts.revenue(money(total)) } : {}),
    ...(card ? { chart: <Bars values={weeks.map((week) => week.amount)} label={figureTexts.soldChart} /> } : {}),
  }
}

const priceOf = (rules: ItemKindRules, item: ItemEntry): Figure => ({
  label: rules.texts.price,
  value: money(item.price),
  hint: figureTexts.per(item.unit),
})

const productsOf = (card: Card | undefined): Figure => ({
  label: texts.usedIn.title,
  value: card && figureTexts.products(card.used_in.length),
})
