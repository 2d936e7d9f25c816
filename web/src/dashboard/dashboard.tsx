// The dashboard: sales, upcoming work and shortages. Every number links to its list; workers see no money.

import { Anchor, Button, Text, Title } from '@mantine/core'
import { Link } from 'react-router'
import { count, day, money, quantity } from '../format.ts'
import { LoadError } from '../kit/load-error.tsx'
import { usePage } from '../kit/page.tsx'
import { Skeletons } from '../kit/skeletons.tsx'
import { Quantity, StateBadge } from '../kit/state-badge.tsx'
import { messages } from '../messages.ts'
import { useMethod } from '../server/query.ts'
import { useMay, useSeesMoney } from '../session.tsx'
import classes from './dashboard.module.css'
import { type Dashboard, pairsOf, salesAddress } from './days.ts'
import { Bars, Panel } from './panel.tsx'
import { RequestsRing } from './requests-ring.tsx'
import { Revenue } from './revenue.tsx'
import { Tiles } from './tiles.tsx'

const texts = messages.dashboard

export function Component() {
  const mayWrite = useMay('manager')
  usePage({ title: texts.title, ...(mayWrite ? { action: { label: texts.newSale, to: '/sales/new' } } : {}) })
  const dashboard = useMethod('dashboard/get', {}, { everyMs: 60_000 })
  if (dashboard.data === undefined)
    return dashboard.error ? (
      <LoadError error={dashboard.error} again={() => void dashboard.refetch()} />
    ) : (
      <Skeletons rows={14} />
    )
  return <DashboardContent data={dashboard.data} />
}

function DashboardContent({ data }: { data: Dashboard }) {
  // A response cached before the user's role was raised contains no money.
  const seesMoney = useSeesMoney() && 'stock_value' in data
  const pairs = pairsOf(data.days)
  const from = pairs[0]?.day ?? ''
  return (
    <div className={classes['page']}>
      <Title order={1}>{texts.title}</Title>
      <Tiles data={data} pairs={pairs} seesMoney={seesMoney} />
      <div className={classes['panels']}>
        {seesMoney && <Revenue pairs={pairs} />}
        <Panel title={texts.shipList} to="/sales?cut=to_ship">
          <ToShip sales={data.to_ship.orders} />
        </Panel>
        <Panel title={texts.states} to="/sales">
          <Bars
            empty={texts.noStates}
            rows={data.states.map(({ status, count: n, total }) => ({
              key: status,
              label: <StateBadge of="sale" code={status} />,
              to: salesAddress({ status }),
              size: n,
              value: count(n),
              hint: seesMoney ? money(total) : undefined,
            }))}
          />
        </Panel>
        <Panel title={texts.best}>
          <Bars
            empty={texts.noBest}
            rows={data.best.map(({ id, name, amount, total }) => ({
              key: id,
              label: name,
              to: salesAddress({ item_id: id, date_from: from }),
              size: seesMoney ? total : amount,
              value: seesMoney ? money(total) : quantity(amount),
              hint: seesMoney ? quantity(amount) : undefined,
            }))}
          />
        </Panel>
        <Panel title={texts.lowList} to="/stock?cut=low&by=item">
          <Low low={data.low} />
        </Panel>
        {seesMoney && <StockValue places={data.stock_value} total={data.stock_total_cost} />}
        {seesMoney && (
          <Panel title={texts.requests}>
            <RequestsRing requests={data.requests} />
          </Panel>
        )}
      </div>
    </div>
  )
}

function StockValue({ places, total }: { places: Dashboard['stock_value']; total: number }) {
  const rows = places.map(({ storage_id: id, storage_name: name, total_cost: cost }) => ({
    key: id,
    label: name,
    to: `/stock?storage_id=${id}`,
    size: cost,
    value: money(cost),
  }))
  return (
    <Panel title={texts.value} to="/stock" wide="of three">
      <Bars empty={texts.noValue} rows={rows} />
      <Text size="sm" fw={600} className={classes['sum'] ?? ''}>
        <span>{texts.valueSum}</span>
        <span>{money(total)}</span>
      </Text>
    </Panel>
  )
}

function ToShip({ sales }: { sales: Dashboard['to_ship']['orders'] }) {
  if (sales.length === 0)
    return (
      <Text c="dimmed" size="sm">
        {texts.noShip}
      </Text>
    )
  return (
    <ul className={classes['rows']}>
      {sales.map((sale) => (
        <li key={sale.id}>
          <Anchor component={Link} to={`/sales/${sale.id}`} size="sm" fw={500}>
            {sale.num}
          </Anchor>
          <span className={classes['rowText']}>{sale.customer_name}</span>
          <Text span size="xs" c="dimmed">
            {day(sale.date_placed)}
          </Text>
        </li>
      ))}
    </ul>
  )
}

function Low({ low }: { low: Dashboard['low'] }) {
  const mayBuy = useMay('manager')
  if (low.length === 0)
    return (
      <Text c="dimmed" size="sm">
        {texts.noLow}
      </Text>
    )
  return (
    <>
      <ul className={classes['rows']}>
        {low.map((item) => (
          <li key={item.id}>
            <Link to={`/stock/items/${item.id}`} className={classes['rowText']}>
              {item.name}
            </Link>
            <Text span size="sm">
              <Quantity value={item.available} /> / {quantity(item.min_amount, item.unit)}
            </Text>
          </li>
        ))}
      </ul>
      {mayBuy && (
        <Button component={Link} variant="default" mt="sm" to="/purchases/order">
          {texts.order}
        </Button>
      )}
    </>
  )
}
