// Tabs of an item's page: stock by location and over time, components, sales by week, products that use it, suppliers, change history.

import { Anchor, Stack, Table, Text } from '@mantine/core'
import { lazy, Suspense } from 'react'
import { Link } from 'react-router'
import { money } from '../format.ts'
import type { CardTab } from '../kit/card-page.tsx'
import { filesTab } from '../kit/record-files.tsx'
import { Skeletons } from '../kit/skeletons.tsx'
import { Quantity } from '../kit/state-badge.tsx'
import { Waiting } from '../kit/waiting.tsx'
import { messages } from '../messages.ts'
import type { Output } from '../server/call.ts'
import { useMethod } from '../server/query.ts'
import { useSeesMoney } from '../session.tsx'
import { ItemSuppliers } from './item-suppliers.tsx'
import { type ItemEntry, valuesOf } from './item-values.ts'
import type { ItemKindRules } from './kinds.ts'

const texts = messages.catalog
type Card = Output<'items/get_card'>

const ItemComponents = lazy(() =>
  import('./item-components.tsx').then(({ ItemComponents: shown }) => ({ default: shown })),
)
const HistoryTab = lazy(() => import('../kit/card-tabs.tsx').then(({ HistoryTab: shown }) => ({ default: shown })))
// The chart library is large: it is loaded when a chart is opened.
const StockChart = lazy(() => import('./item-charts.tsx').then(({ StockChart: shown }) => ({ default: shown })))
const SalesChart = lazy(() => import('./item-charts.tsx').then(({ SalesChart: shown }) => ({ default: shown })))

/** `card` is undefined while it loads: its counts are shown when it is there. */
export function itemTabs(
  rules: ItemKindRules,
  item: ItemEntry,
  loaded: Card | undefined,
  isManager: boolean,
): readonly CardTab[] {
  const of = (show: (card: Card) => React.ReactNode) => () => <WithCard id={item.id} show={show} />
  const { components, suppliers } = valuesOf(item)
  const tabs: readonly (CardTab | false)[] = [
    components.length > 0 && {
      name: 'components',
      label: texts.components.title,
      count: components.length,
      show: () => (
        <Suspense fallback={<Skeletons rows={6} />}>
          <ItemComponents itemId={item.id} unit={item.unit} price={item.price ?? 0} lines={components} />
        </Suspense>
      ),
    },
    rules.hasStock && {
      name: 'stock',
      label: texts.stock.title,
      show: of((card) => <StockTab card={card} item={item} />),
    },
    rules.hasStock && {
      name: 'sales',
      label: texts.sales.title,
      show: of((card) => <SalesTab card={card} item={item} />),
    },
    {
      name: 'used',
      label: texts.usedIn.title,
      count: loaded?.used_in.length,
      show: of((card) => <UsedIn rows={card.used_in} unit={item.unit} />),
    },
    rules.hasStock && {
      name: 'suppliers',
      label: texts.suppliers.title,
      count: suppliers.length,
      show: () => <ItemSuppliers lines={suppliers} />,
    },
    filesTab('item', item.id),
    isManager && {
      name: 'history',
      label: messages.kit.card.history,
      show: () => (
        <Suspense fallback={<Skeletons rows={6} />}>
          <HistoryTab record={rules.kind} id={item.id} />
        </Suspense>
      ),
    },
  ]
  return tabs.filter((tab) => tab !== false)
}

function WithCard({ id, show }: { id: number; show: (card: Card) => React.ReactNode }) {
  const card = useMethod('items/get_card', { item_id: id })
  if (card.data !== undefined) return <Suspense fallback={<Skeletons rows={6} />}>{show(card.data)}</Suspense>
  return <Waiting query={card} rows={6} />
}

function StockTab({ card, item }: { card: Card; item: ItemEntry }) {
  const seesMoney = useSeesMoney()
  if (card.levels.length === 0) return <Text c="dimmed">{texts.stock.none}</Text>
  return (
    <Stack gap="lg">
      <StockChart series={card.series} unit={item.unit} />
      <Table.ScrollContainer minWidth={480} type="native">
        <Table fz="sm">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{texts.stock.storage}</Table.Th>
              <Table.Th ta="right">{texts.column.amount}</Table.Th>
              <Table.Th ta="right">{texts.column.reserved}</Table.Th>
              <Table.Th ta="right">{texts.column.available}</Table.Th>
              <Table.Th ta="right">{messages.stock.column.inTransit}</Table.Th>
              {seesMoney && <Table.Th ta="right">{texts.stock.value}</Table.Th>}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {card.levels.map((level) => (
              <Table.Tr key={level.storage_id}>
                <Table.Td>{level.storage_name}</Table.Td>
                <Table.Td ta="right">
                  <Anchor
                    component={Link}
                    to={`/stock/items/${item.id}?storage_id=${level.storage_id}`}
                    size="sm"
                    c="inherit"
                  >
                    <Quantity value={level.amount} unit={item.unit} />
                  </Anchor>
                </Table.Td>
                <Table.Td ta="right">
                  <Quantity value={level.reserved} unit={item.unit} />
                </Table.Td>
                <Table.Td ta="right">
                  <Quantity value={level.available} unit={item.unit} />
                </Table.Td>
                <Table.Td ta="right">
                  <Quantity value={level.in_transit} unit={item.unit} />
                </Table.Td>
                {seesMoney && <Table.Td ta="right">{money(level.total_cost)}</Table.Td>}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Stack>
  )
}

function SalesTab({ card, item }: { card: Card; item: ItemEntry }) {
  if (card.weeks.every(({ amount }) => amount === 0)) return <Text c="dimmed">{texts.sales.none}</Text>
  return (
    <Stack gap="sm">
      <SalesChart weeks={card.weeks} unit={item.unit} />
      <Anchor component={Link} to={`/sales?cut=all&item_id=${item.id}`} size="sm">
        {texts.sales.all}
      </Anchor>
    </Stack>
  )
}

function UsedIn({ rows, unit }: { rows: Card['used_in']; unit: string }) {
  if (rows.length === 0) return <Text c="dimmed">{texts.usedIn.none}</Text>
  return (
    <Table fz="sm" maw={640}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{texts.usedIn.product}</Table.Th>
          <Table.Th ta="right">{texts.usedIn.amount}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map((row) => (
          <Table.Tr key={row.id}>
            <Table.Td>
              <Anchor component={Link} to={`/products/${row.id}`} size="sm">
                {row.name}
              </Anchor>
            </Table.Td>
            <Table.Td ta="right">
              <Quantity value={row.amount} unit={unit} />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}
