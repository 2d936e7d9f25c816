// Charts of an item: stock on hand by day as steps, quantity sold by week as bars; each can be switched to a table.

import '@mantine/charts/styles.css'
import { AreaChart, BarChart } from '@mantine/charts'
import { Group, SegmentedControl, Table, Title } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { day, money, quantity, shortDay } from '../format.ts'
import { messages } from '../messages.ts'
import type { Output } from '../server/call.ts'
import { useSeesMoney } from '../session.tsx'

const texts = messages.catalog
type Card = Output<'items/get_card'>

function Pictured({ title, chart, table }: { title: string; chart: ReactNode; table: ReactNode }) {
  const [as, setAs] = useState<'chart' | 'table'>('chart')
  return (
    <section>
      <Group justify="space-between" mb="sm" gap="xs">
        <Title order={2}>{title}</Title>
        <SegmentedControl
          size="xs"
          aria-label={texts.show}
          value={as}
          onChange={(to) => setAs(to as 'chart' | 'table')}
          data={[
            { value: 'chart', label: texts.chart },
            { value: 'table', label: texts.table },
          ]}
        />
      </Group>
      {as === 'chart' ? chart : table}
    </section>
  )
}

/** There is no day to label until the pointer is over the chart. */
const dayOf = (label: unknown): string => (typeof label === 'string' ? day(label) : '')

const chartProps = { h: 220, gridAxis: 'x', tickLine: 'none', withLegend: false } as const

export function StockChart({ series, unit }: { series: Card['series']; unit: string }) {
  return (
    <Pictured
      title={texts.stock.over}
      chart={
        <AreaChart
          {...chartProps}
          data={series}
          dataKey="date"
          curveType="stepAfter"
          withDots={false}
          series={[{ name: 'amount', label: texts.stock.onHand, color: 'var(--kontor-accent)' }]}
          valueFormatter={(value) => quantity(value, unit)}
          xAxisProps={{ tickFormatter: shortDay, minTickGap: 40 }}
          yAxisProps={{ tickFormatter: (value: number) => quantity(value), width: 56 }}
          tooltipProps={{ labelFormatter: (label) => dayOf(label) }}
        />
      }
      table={
        <Table fz="sm" maw={420}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{texts.stock.day}</Table.Th>
              <Table.Th ta="right">{texts.stock.onHand}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {changesOf(series).map((one) => (
              <Table.Tr key={one.date}>
                <Table.Td>{day(one.date)}</Table.Td>
                <Table.Td ta="right">{quantity(one.amount, unit)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      }
    />
  )
}

/** The days on which the quantity changed, newest first. */
const changesOf = (series: Card['series']): Card['series'] =>
  series.filter((one, at) => at === 0 || series[at - 1]?.amount !== one.amount).toReversed()

export function SalesChart({ weeks, unit }: { weeks: Card['weeks']; unit: string }) {
  const seesMoney = useSeesMoney()
  return (
    <Pictured
      title={texts.sales.weeks}
      chart={
        <BarChart
          {...chartProps}
          data={weeks}
          dataKey="week"
          series={[{ name: 'amount', label: texts.sales.amount, color: 'var(--kontor-accent)' }]}
          valueFormatter={(value) => quantity(value, unit)}
          xAxisProps={{ tickFormatter: shortDay, minTickGap: 30 }}
          yAxisProps={{ tickFormatter: (value: number) => quantity(value), width: 56 }}
          tooltipProps={{ labelFormatter: (label) => `${texts.sales.week} ${dayOf(label)}` }}
        />
      }
      table={
        <Table fz="sm" maw={480}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{texts.sales.week}</Table.Th>
              <Table.Th ta="right">{texts.sales.amount}</Table.Th>
              {seesMoney && <Table.Th ta="right">{texts.sales.total}</Table.Th>}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {weeks.toReversed().map((one) => (
              <Table.Tr key={one.week}>
                <Table.Td>{day(one.week)}</Table.Td>
                <Table.Td ta="right">{quantity(one.amount, unit)}</Table.Td>
                {seesMoney && <Table.Td ta="right">{money(one.total)}</Table.Td>}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      }
    />
  )
}
