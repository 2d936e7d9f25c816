// Revenue by day against the previous thirty days, as a chart, or as a table with the margin.

import { SegmentedControl, Skeleton, Text } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { lazy, Suspense } from 'react'
import { Link, useNavigate } from 'react-router'
import { day, money } from '../format.ts'
import { Empty } from '../kit/list-parts.tsx'
import { messages } from '../messages.ts'
import { KnownSum } from '../sales/known-sum.tsx'
import classes from './dashboard.module.css'
import { type DayPair, salesAddress, sumsOf } from './days.ts'
import { Panel } from './panel.tsx'

const texts = messages.dashboard.chart
const chartHeight = 260
// The chart library is large: it is loaded when there is data to draw.
const Chart = lazy(() => import('./revenue-chart.tsx'))

export function Revenue({ pairs }: { pairs: readonly DayPair[] }) {
  const navigate = useNavigate()
  const [view, setView] = useLocalStorage<'chart' | 'table'>({ key: 'kontor-dashboard-view', defaultValue: 'chart' })
  const sums = sumsOf(pairs, 'total')
  const isEmpty = sums.now === 0 && sums.former === 0 && pairs.every(({ total, former }) => !total && !former.total)
  return (
    <Panel
      wide="always"
      title={texts.title}
      extra={
        !isEmpty && (
          <>
            <Text size="xs" c="dimmed" ml="auto" visibleFrom="sm">
              {texts.legend}
            </Text>
            <SegmentedControl
              size="xs"
              aria-label={texts.view}
              value={view}
              onChange={(to) => setView(to === 'table' ? 'table' : 'chart')}
              data={[
                { value: 'chart', label: texts.asChart },
                { value: 'table', label: texts.asTable },
              ]}
            />
          </>
        )
      }
    >
      {isEmpty ? (
        <Empty text={texts.none} action={{ label: messages.dashboard.newSale, to: '/sales/new' }} />
      ) : view === 'table' ? (
        <DayTable pairs={pairs} />
      ) : (
        <Suspense fallback={<Skeleton height={chartHeight} />}>
          <Chart pairs={pairs} onDay={(of) => void navigate(dayAddress(of))} />
        </Suspense>
      )}
    </Panel>
  )
}

const dayAddress = (of: string): string => salesAddress({ date_from: of, date_to: of })

function DayTable({ pairs }: { pairs: readonly DayPair[] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
    <section className={classes['days']} tabIndex={0} aria-label={texts.label}>
      <table>
        <thead>
          <tr>
            <th>{texts.day}</th>
            <th data-right>{texts.revenue}</th>
            <th data-right>{texts.margin}</th>
            <th>{texts.formerDay}</th>
            <th data-right>{texts.former}</th>
          </tr>
        </thead>
        <tbody>
          {pairs.toReversed().map((pair) => (
            <tr key={pair.day}>
              <td>
                <Link to={dayAddress(pair.day)}>{day(pair.day)}</Link>
              </td>
              <td data-right>{money(pair.total)}</td>
              <td data-right>
                <KnownSum sum={pair.margin} of={pair} />
              </td>
              <td>{day(pair.former.day)}</td>
              <td data-right>{money(pair.former.total)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
