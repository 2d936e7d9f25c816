// The chart of revenue; loaded separately because the chart library is larger than the rest of the page.

import '@mantine/charts/styles.css'
import { CompositeChart } from '@mantine/charts'
import { axisCount, money, shortDay } from '../format.ts'
import { messages } from '../messages.ts'
import classes from './dashboard.module.css'
import type { DayPair } from './days.ts'

const texts = messages.dashboard.chart

type Props = { readonly pairs: readonly DayPair[]; readonly onDay: (day: string) => void }

export default function RevenueChart({ pairs, onDay }: Props) {
  const data = pairs.map(({ day, total, former }) => ({ day, label: shortDay(day), total, former: former.total }))
  return (
    <div className={classes['chart']} role="img" aria-label={texts.label}>
      <CompositeChart
        h={260}
        data={data}
        dataKey="label"
        series={[
          { name: 'total', label: texts.revenue, type: 'bar', color: 'var(--chart-bar)' },
          { name: 'former', label: texts.former, type: 'line', color: 'var(--chart-former)', strokeDasharray: '3 3' },
        ]}
        withDots={false}
        maxBarWidth={24}
        strokeWidth={1.25}
        barProps={{ radius: [2, 2, 0, 0] }}
        curveType="linear"
        gridAxis="x"
        tickLine="none"
        valueFormatter={(value) => money(value)}
        yAxisProps={{
          width: 56,
          orientation: 'right',
          tickMargin: 8,
          tickFormatter: (value: number) => axisCount(value),
        }}
        xAxisProps={{ minTickGap: 24 }}
        composedChartProps={{
          onClick: ({ activeTooltipIndex: at }) => {
            const day = data[Number(at)]?.day
            if (day !== undefined) onDay(day)
          },
        }}
      />
    </div>
  )
}
