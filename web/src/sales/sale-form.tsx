// The grid of a sale's lines with what is there for them, and its sums: delivery, discount, total, cost and margin.

import type { UseFormReturnType } from '@mantine/form'
import { type ReactNode, type RefObject, useMemo } from 'react'
import { useLineStock } from '../documents/line-stock.ts'
import { money, quantity, share } from '../format.ts'
import { lineOf } from '../kit/field-errors.ts'
import { type Line, type LineStock, roundAmount } from '../kit/line.ts'
import { LineGrid } from '../kit/line-grid.tsx'
import type { LineColumn } from '../kit/line-row.tsx'
import type { LineSource } from '../kit/line-search.tsx'
import { NumberCell } from '../kit/number-cell.tsx'
import { useSeesMoney, useSession } from '../session.tsx'
import { words } from '../words.ts'
import { saleState } from './sale-acts.tsx'
import classes from './sale-form.module.css'
import { linesEssence, type SaleCard, type SaleValues, sumsOf, valuesOf } from './sale-values.ts'

const said = words.sales

export type SaleForm = UseFormReturnType<SaleValues>

type GridProps = {
  readonly form: SaleForm
  readonly card?: SaleCard
  readonly isReadOnly: boolean
  readonly error: string | undefined
  readonly searchField: RefObject<HTMLInputElement | null>
}

export function SaleGrid({ form, card, isReadOnly, error, searchField }: GridProps) {
  const { settings } = useSession()
  const seesMoney = useSeesMoney()
  const { lines, products_storage_id: products, materials_storage_id: materials } = form.values
  const stock = useMemo(() => stockOf(card), [card])
  // What the card knows holds for its own lines at their saved places; the rest is asked for.
  const isKnown = (line: Line): boolean =>
    stock.has(line.id) &&
    (line.type === 'product'
      ? card?.order.products_storage_id === products
      : card?.order.materials_storage_id === materials)
  const stockElsewhere = useLineStock(
    lines.filter((line) => !isKnown(line)),
    { product: products, material: materials },
  )
  const columns = useMemo(() => (card === undefined ? [] : shippedColumn(card)), [card])
  const sources: LineSource[] = [
    { kinds: ['product'], storageId: products ?? undefined },
    ...(settings.materials_in_sales ? [{ kinds: ['material'] as const, storageId: materials ?? undefined }] : []),
  ]
  return (
    <LineGrid
      lines={lines}
      onChange={(changed) => form.setFieldValue('lines', changed)}
      sources={sources}
      withStock
      stockOf={(line) => (isKnown(line) ? stock.get(line.id) : stockElsewhere(line))}
      columns={columns}
      isReadOnly={isReadOnly}
      wrongLine={error === undefined ? -1 : lineOf(error, lines)}
      error={error}
      searchField={searchField}
      {...(seesMoney ? { footer: <SaleSums form={form} card={card} isReadOnly={isReadOnly} /> } : {})}
    />
  )
}

/** What is there of the items of a saved sale; what the sale itself has reserved is free for it. */
function stockOf(card: SaleCard | undefined): Map<number, LineStock> {
  const holds = card !== undefined && card.order.status < saleState.shipped
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
          said: { amount: sum('amount'), mark: line?.mark ?? null },
        },
      ]
    }),
  )
}

function shippedColumn({ order, lines }: SaleCard): LineColumn[] {
  if (order.status !== saleState.partlyShipped) return []
  const shipped = new Map<number, number>()
  for (const line of lines) shipped.set(line.id, (shipped.get(line.id) ?? 0) + line.shipped)
  return [
    {
      key: 'shipped',
      title: said.shippedColumn,
      isRight: true,
      show: (line: Line) =>
        said.shippedOf(quantity(Math.min(shipped.get(line.id) ?? 0, line.amount)), quantity(line.amount)),
    },
  ]
}

function SaleSums({ form, card, isReadOnly }: { form: SaleForm; card: SaleCard | undefined; isReadOnly: boolean }) {
  const { delivery_price: delivery, discount } = form.values
  const sums = sumsOf(form.values)
  const savedLines = useMemo(() => (card === undefined ? undefined : essenceOf(valuesOf(card))), [card])
  const isKnown = card !== undefined && savedLines === essenceOf(form.values)
  const cost = isKnown ? card.order.cost : sums.cost
  const field = (name: 'delivery_price' | 'discount', value: number): ReactNode =>
    isReadOnly ? (
      money(value)
    ) : (
      <NumberCell
        name={name}
        label={said.field[name]}
        value={value}
        decimals={2}
        isWrong={value < 0 || form.errors[name] !== undefined}
        onChange={(typed) => form.setFieldValue(name, typed)}
      />
    )
  return (
    <dl className={classes['sums']}>
      <dt>{said.subtotal}</dt>
      <dd>{money(sums.subtotal)}</dd>
      <dt>{said.field.delivery_price}</dt>
      <dd>{field('delivery_price', delivery)}</dd>
      <dt>{said.field.discount}</dt>
      <dd>{field('discount', discount)}</dd>
      {(form.errors['delivery_price'] ?? form.errors['discount']) && (
        <dd className={classes['wrong']} role="alert">
          {form.errors['delivery_price'] ?? form.errors['discount']}
        </dd>
      )}
      <dt className={classes['total']}>{said.total}</dt>
      <dd className={classes['total']}>{money(sums.total)}</dd>
      <dt title={isKnown ? undefined : said.costGuessed}>{said.cost}</dt>
      <dd title={isKnown ? undefined : said.costGuessed}>
        {isKnown ? '' : '≈ '}
        {money(cost)}
      </dd>
      <dt>
        {said.margin} {sums.total === 0 ? '' : share((sums.total - cost) / sums.total)}
      </dt>
      <dd data-negative={sums.total < cost || undefined}>{money(sums.total - cost)}</dd>
    </dl>
  )
}

const essenceOf = ({ lines }: SaleValues): string => JSON.stringify(linesEssence(lines))
