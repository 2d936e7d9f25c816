// The lists of Home that lead to work: what to ship, to make and to buy.

import { Skeleton, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { product, sum } from '../decimal.ts'
import { count, money, quantity, shortDay } from '../format.ts'
import { PlainBadge, Quantity } from '../kit/state-badge.tsx'
import { messages } from '../messages.ts'
import type { ItemsReorderItems } from '../methods.ts'
import { useMethod } from '../server/query.ts'
import { useMay, useSeesMoney, useSession } from '../session.tsx'
import type { Dashboard } from './days.ts'
import { Panel } from './panel.tsx'
import classes from './work.module.css'

const texts = messages.dashboard

/** As many as fit beside the chart, and beside each other. */
const shownSales = 7
const shownRows = 5

export function ToShip({ toShip }: { toShip: Dashboard['to_ship'] }) {
  return (
    <Panel title={texts.shipList} link={{ label: texts.allOf(count(toShip.count)), to: '/sales?cut=to_ship' }}>
      <Rows isEmpty={toShip.orders.length === 0} empty={texts.noShip}>
        {toShip.orders.slice(0, shownSales).map((sale) => (
          <li key={sale.id}>
            <Link to={`/sales/${sale.id}`} className={classes['number']}>
              {sale.num}
            </Link>
            <span className={classes['rowText']}>{sale.customer_name}</span>
            <span className={classes['when']}>{shortDay(sale.date_placed)}</span>
          </li>
        ))}
      </Rows>
    </Panel>
  )
}

/** Open productions, those that are due first. */
export const useToMake = () =>
  useMethod(
    'productions/browse',
    { cut: 'open', sort: 'date_planned', direction: 'asc', limit: shownRows },
    { everyMs: 60_000, keep: true },
  )

export function ToMake() {
  const { today } = useSession()
  const { data } = useToMake()
  return (
    <Panel title={texts.makeList} link={{ label: texts.board, to: '/productions' }} wide="always">
      <Rows isEmpty={data?.productions.length === 0} empty={texts.noMake} isWaiting={data === undefined}>
        {data?.productions.map((production) => (
          <li key={production.id}>
            <Link to={`/productions/${production.id}`} className={classes['rowText']}>
              {production.products}
            </Link>
            <span className={classes['amount']}>{quantity(production.amount)}</span>
            <span className={classes['state']}>
              {production.missing !== null &&
                (production.missing === 0 ? (
                  <PlainBadge colour="green" label={texts.ready} />
                ) : (
                  <PlainBadge colour="yellow" label={texts.missing(production.missing)} />
                ))}
            </span>
            <span className={classes['when']} data-late={production.date_planned < today || undefined}>
              {production.date_planned === '' ? '' : shortDay(production.date_planned)}
            </span>
          </li>
        ))}
      </Rows>
    </Panel>
  )
}

/** By supplier for those who buy; others see what is low. */
export function ToBuy({ low }: { low: Dashboard['low'] }) {
  const mayBuy = useMay('manager')
  return mayBuy ? (
    <ToBuyBySupplier />
  ) : (
    <Panel title={texts.low} link={{ label: texts.all, to: '/stock?cut=low&by=item' }}>
      <Rows isEmpty={low.length === 0} empty={texts.noBuy}>
        {low.slice(0, shownRows).map((item) => (
          <li key={item.id}>
            <Link to={`/stock/items/${item.id}`} className={classes['rowText']}>
              {item.name}
            </Link>
            <span>
              <Quantity value={item.available} /> / {quantity(item.min_amount, item.unit)}
            </span>
          </li>
        ))}
      </Rows>
    </Panel>
  )
}

function ToBuyBySupplier() {
  const seesMoney = useSeesMoney()
  const { data } = useMethod('items/reorder', {}, { staleMs: 60_000, keep: true })
  const suppliers = bySupplier(data?.items ?? [])
  return (
    <Panel
      title={texts.buyList}
      {...(suppliers.length > 0 ? { link: { label: texts.order, to: '/purchases/order' } } : {})}
    >
      <Rows isEmpty={suppliers.length === 0} empty={texts.noBuy} isWaiting={data === undefined}>
        {suppliers.slice(0, shownRows).map(({ name, items, total }) => (
          <li key={name}>
            <Link to={`/purchases/order?items=${items.map(({ id }) => id).join(',')}`} className={classes['rowText']}>
              {texts.buyFrom(name, items.length)}
            </Link>
            {seesMoney && total > 0 && <span className={classes['when']}>{texts.atPrice(money(total))}</span>}
          </li>
        ))}
      </Rows>
    </Panel>
  )
}

type Supplier = { readonly name: string; readonly items: readonly ItemsReorderItems[]; readonly total: number }

/** What is bought, not made; the largest orders first. */
function bySupplier(items: readonly ItemsReorderItems[]): Supplier[] {
  const bought = items.filter(({ is_made: isMade, short }) => !isMade && short > 0)
  const groups = Map.groupBy(bought, ({ supplier_name: name }) => name ?? texts.noSupplier)
  return [...groups]
    .map(([name, of]) => ({
      name,
      items: of,
      total: sum(
        of.map(({ short, price }) => product(short, price, 2)),
        2,
      ),
    }))
    .toSorted((one, other) => other.total - one.total)
}

type RowsProps = {
  readonly isEmpty: boolean
  readonly empty: string
  readonly isWaiting?: boolean
  readonly children: ReactNode
}

function Rows({ isEmpty, empty, isWaiting = false, children }: RowsProps) {
  if (isWaiting) return <Skeleton height={38 * shownRows} />
  if (isEmpty)
    return (
      <Text c="dimmed" size="sm">
        {empty}
      </Text>
    )
  return <ul className={classes['rows']}>{children}</ul>
}
