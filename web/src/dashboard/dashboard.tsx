// The dashboard: how sales go, what to do next, what is short. Every number leads to its list; workers see no money.

import { Anchor, Button, Text, Title } from '@mantine/core'
import { Link } from 'react-router'
import { count, day, money, quantity } from '../format.ts'
import { usePage } from '../frame/page.tsx'
import { Skeletons } from '../kit/skeletons.tsx'
import { Quantity, StateBadge } from '../kit/state-badge.tsx'
import { Trouble } from '../kit/trouble.tsx'
import { useMethod } from '../server/query.ts'
import { useMay, useSeesMoney } from '../session.tsx'
import { words } from '../words.ts'
import classes from './dashboard.module.css'
import { type Dashboard, pairsOf, salesAddress } from './days.ts'
import { Bars, Panel } from './panel.tsx'
import { RequestsRing } from './requests-ring.tsx'
import { Revenue } from './revenue.tsx'
import { Tiles } from './tiles.tsx'

const said = words.dashboard

export function Component() {
  const mayWrite = useMay('manager')
  usePage({ title: said.title, ...(mayWrite ? { action: { label: said.newSale, to: '/sales/new' } } : {}) })
  const dashboard = useMethod('dashboard/get', {}, { everyMs: 60_000 })
  if (dashboard.data === undefined)
    return dashboard.error ? (
      <Trouble error={dashboard.error} again={() => void dashboard.refetch()} />
    ) : (
      <Skeletons rows={14} />
    )
  return <Shown data={dashboard.data} />
}

function Shown({ data }: { data: Dashboard }) {
  // What was asked for before somebody's role was raised has no money in it yet.
  const seesMoney = useSeesMoney() && 'stock_value' in data
  const pairs = pairsOf(data.days)
  const from = pairs[0]?.day ?? ''
  return (
    <div className={classes['page']}>
      <Title order={1}>{said.title}</Title>
      <Tiles data={data} pairs={pairs} seesMoney={seesMoney} />
      <div className={classes['panels']}>
        {seesMoney && <Revenue pairs={pairs} />}
        <Panel title={said.shipList} to="/sales?cut=to_ship">
          <ToShip orders={data.to_ship.orders} />
        </Panel>
        <Panel title={said.states} to="/sales">
          <Bars
            empty={said.noStates}
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
        <Panel title={said.best}>
          <Bars
            empty={said.noBest}
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
        <Panel title={said.lowList} to="/stock?cut=low&by=item">
          <Low low={data.low} />
        </Panel>
        {seesMoney && <StockValue places={data.stock_value} />}
        {seesMoney && (
          <Panel title={said.requests}>
            <RequestsRing requests={data.requests} />
          </Panel>
        )}
      </div>
    </div>
  )
}

function StockValue({ places }: { places: Dashboard['stock_value'] }) {
  const rows = places.map(({ storage_id: id, storage_name: name, total_cost: cost }) => ({
    key: id,
    label: name,
    to: `/stock?storage_id=${id}`,
    size: cost,
    value: money(cost),
  }))
  return (
    <Panel title={said.value} to="/stock" wide="of three">
      <Bars empty={said.noValue} rows={rows} />
      <Text size="sm" fw={600} className={classes['sum'] ?? ''}>
        <span>{said.valueSum}</span>
        <span>{money(rows.reduce((sum, { size }) => sum + size, 0))}</span>
      </Text>
    </Panel>
  )
}

function ToShip({ orders }: { orders: Dashboard['to_ship']['orders'] }) {
  if (orders.length === 0)
    return (
      <Text c="dimmed" size="sm">
        {said.noShip}
      </Text>
    )
  return (
    <ul className={classes['rows']}>
      {orders.map((order) => (
        <li key={order.id}>
          <Anchor component={Link} to={`/sales/${order.id}`} size="sm" fw={500}>
            {order.num}
          </Anchor>
          <span className={classes['rowText']}>{order.customer_name}</span>
          <Text span size="xs" c="dimmed">
            {day(order.date_placed)}
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
        {said.noLow}
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
        <Button
          component={Link}
          variant="default"
          mt="sm"
          to={`/purchases/new?items=${low.map(({ id }) => id).join(',')}`}
        >
          {said.order}
        </Button>
      )}
    </>
  )
}
