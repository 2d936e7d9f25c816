// The grid of a sale's lines with their stock, and its totals: delivery, discount, total, cost and margin.

import { type ReactNode, type RefObject, useMemo } from 'react'
import { useLineStock } from '../documents/line-stock.ts'
import { pricedEssence } from '../documents/lines.ts'
import { empty, money, quantity, share } from '../format.ts'
import type { Form } from '../kit/form.ts'
import { type Line, type LineStock, roundAmount } from '../kit/line.ts'
import { LineGrid } from '../kit/line-grid.tsx'
import type { LineColumn } from '../kit/line-row.tsx'
import type { LineSearchHandle } from '../kit/line-search.tsx'
import { NumberCell } from '../kit/number-cell.tsx'
import type { LineSource } from '../kit/scanned-item.ts'
import { useHasTaxes } from '../kit/tax-rates.ts'
import { messages } from '../messages.ts'
import { useSeesMoney, useSession } from '../session.tsx'
import { saleStatus } from '../statuses.ts'
import { type SaleCosts, useSaleCosts } from './sale-costs.ts'
import classes from './sale-form.module.css'
import { SaleTax, TaxAfterSaving } from './sale-tax.tsx'
import { type SaleCard, type SaleValues, sumsOf, valuesOf } from './sale-values.ts'

const texts = messages.sales

export type SaleForm = Form<SaleValues>

type GridProps = {
  readonly form: SaleForm
  readonly card?: SaleCard
  readonly isReadOnly: boolean
  readonly error: unknown
  readonly search: RefObject<LineSearchHandle | null>
}

export function SaleGrid({ form, card, isReadOnly, error, search }: GridProps) {
  const { settings } = useSession()
  const seesMoney = useSeesMoney()
  const { lines, products_storage_id: products, materials_storage_id: materials } = form.values
  const stock = useMemo(() => stockOf(card), [card])
  // The card's stock figures apply to its saved lines at their saved locations; the others are requested.
  const isKnown = (line: Line): boolean =>
    stock.has(line.id) &&
    (line.type === 'product'
      ? card?.order.products_storage_id === products
      : card?.order.materials_storage_id === materials)
  const stockElsewhere = useLineStock(
    lines.filter((line) => !isKnown(line)),
    { product: products, material: materials },
  )
  const isMade = form.values.production
  const stockFor = (line: Line): LineStock | undefined => {
    const known = isKnown(line) ? stock.get(line.id) : stockElsewhere(line)
    return isMade && line.type === 'product' ? expectedStock(known ?? line) : known
  }
  const columns = useMemo(() => (card === undefined ? [] : shippedColumn(card)), [card])
  const sources: LineSource[] = [
    { kinds: ['product'], storageId: products ?? undefined },
    ...(settings.materials_in_sales ? [{ kinds: ['material'] as const, storageId: materials ?? undefined }] : []),
  ]
  return (
    <LineGrid
      lines={lines}
      onChange={(change) => form.setFieldValue('lines', change)}
      sources={sources}
      withStock
      stockOf={stockFor}
      columns={columns}
      isReadOnly={isReadOnly}
      error={error}
      search={search}
      {...(seesMoney ? { footer: <SaleSums form={form} card={card} isReadOnly={isReadOnly} /> } : {})}
    />
  )
}

const expectedStocks = new WeakMap<LineStock, LineStock>()

/** The stock of a product that is made to order: what is missing is expected. One object for each, so that its row is not rendered again. */
function expectedStock(stock: LineStock): LineStock {
  const known = expectedStocks.get(stock)
  if (known !== undefined) return known
  const { texts: marked, ...rest } = stock
  const isMarked = marked !== undefined && marked.mark !== 'missing'
  const made = { ...rest, expected: Number.POSITIVE_INFINITY, ...(isMarked ? { texts: marked } : {}) }
  expectedStocks.set(stock, made)
  return made
}

/** The stock of the items of a saved sale; the quantity that the sale itself has reserved is available to it. */
function stockOf(card: SaleCard | undefined): Map<number, LineStock> {
  const holds = card !== undefined && card.order.status < saleStatus.shipped
  const items = Map.groupBy(card?.lines ?? [], ({ id }) => id)
  return new Map(
    [...items].map(([id, lines]) => {
      const sum = (field: 'left' | 'shipped' | 'amount'): number =>
        roundAmount(lines.reduce((all, line) => all + line[field], 0))
      const [line] = lines
      return [
        id,
        {
          on_hand: line?.on_hand,
          reserved: line?.reserved,
          available: line?.available,
          expected: line?.expected,
          own: holds ? sum('left') : 0,
          gone: sum('shipped'),
          texts: { amount: sum('amount'), mark: line?.mark ?? null },
        },
      ]
    }),
  )
}

function shippedColumn({ order: sale, lines }: SaleCard): LineColumn[] {
  if (sale.status !== saleStatus.partlyShipped) return []
  const shipped = new Map<number, number>()
  for (const line of lines) shipped.set(line.id, (shipped.get(line.id) ?? 0) + line.shipped)
  return [
    {
      key: 'shipped',
      title: texts.shippedColumn,
      isRight: true,
      show: (line: Line) =>
        texts.shippedOf(quantity(Math.min(shipped.get(line.id) ?? 0, line.amount)), quantity(line.amount)),
    },
  ]
}

function SaleSums({ form, card, isReadOnly }: { form: SaleForm; card: SaleCard | undefined; isReadOnly: boolean }) {
  const { delivery_price: delivery, discount } = form.values
  const sums = sumsOf(form.values)
  const savedLines = useMemo(() => (card === undefined ? undefined : essenceOf(valuesOf(card))), [card])
  const isSaved = card !== undefined && savedLines === essenceOf(form.values)
  const costs = useSaleCosts(form.values.lines)
  const hasTaxes = useHasTaxes()
  const field = (name: 'delivery_price' | 'discount', value: number): ReactNode =>
    isReadOnly ? (
      money(value)
    ) : (
      <NumberCell
        name={name}
        label={texts.field[name]}
        value={value}
        decimals={2}
        isWrong={value < 0 || form.errors[name] !== undefined}
        onChange={(typed) => form.setFieldValue(name, typed)}
      />
    )
  return (
    <dl className={classes['sums']}>
      <dt>{texts.subtotal}</dt>
      <dd>{money(sums.subtotal)}</dd>
      <dt>{texts.field.delivery_price}</dt>
      <dd>{field('delivery_price', delivery)}</dd>
      <dt>{texts.field.discount}</dt>
      <dd>{field('discount', discount)}</dd>
      {(form.errors['delivery_price'] ?? form.errors['discount']) && (
        <dd className={classes['wrong']} role="alert">
          {form.errors['delivery_price'] ?? form.errors['discount']}
        </dd>
      )}
      <dt className={classes['total']}>{texts.total}</dt>
      <dd className={classes['total']}>{money(sums.total)}</dd>
      {card?.tax && <SaleTax tax={card.tax} isSaved={isSaved && hasSavedTerms(card, form.values)} />}
      {card === undefined && hasTaxes && <TaxAfterSaving />}
      <CostAndMargin costs={costs} saved={isSaved ? card.order.cost : undefined} total={sums.total} />
    </dl>
  )
}

/** Planned costs are marked as planned; without the cost of every line no margin is shown. `saved` is the cost fixed when the sale was saved. */
function CostAndMargin(props: { costs: SaleCosts | undefined; saved: number | undefined; total: number }) {
  const { costs, saved, total } = props
  const { cost, isPlanned, unknown } = costs ?? { cost: 0, isPlanned: false, unknown: [] }
  if (costs === undefined || (cost === 0 && unknown.length > 0))
    return (
      <>
        <dt>{texts.cost}</dt>
        <dd>{costs === undefined ? '…' : texts.costUnknown}</dd>
        <dt>{texts.margin}</dt>
        <dd>{empty}</dd>
      </>
    )
  if (unknown.length > 0)
    return (
      <>
        <dt>{isPlanned ? texts.plannedCost : texts.cost}</dt>
        <dd>{texts.atLeast(money(cost))}</dd>
        <dt>{texts.margin}</dt>
        <dd>{empty}</dd>
        <dd className={classes['note']}>{texts.costPart(unknown)}</dd>
      </>
    )
  const isFixed = saved !== undefined && !isPlanned
  const shown = isFixed ? saved : cost
  const hint = isFixed ? undefined : isPlanned ? texts.costPlanned : texts.costGuessed
  const margin = total === 0 ? '' : share((total - shown) / total)
  return (
    <>
      <dt title={hint}>{isPlanned ? texts.plannedCost : texts.cost}</dt>
      <dd title={hint}>{isFixed ? money(shown) : `≈ ${money(shown)}`}</dd>
      <dt title={hint}>
        {isPlanned ? texts.plannedMargin : texts.margin} {margin}
      </dt>
      <dd title={hint} data-negative={total < shown || undefined}>
        {money(total - shown)}
      </dd>
    </>
  )
}

const hasSavedTerms = ({ order }: SaleCard, { customer_id, delivery_price, discount }: SaleValues): boolean =>
  order.customer_id === customer_id && order.delivery_price === delivery_price && order.discount === discount

const essenceOf = ({ lines }: SaleValues): string => JSON.stringify(pricedEssence(lines))
