// Small charts without axes, beside a figure: the numbers behind them are on a tab of the page. Drawn here because the chart library is large.

import type { ReactNode } from 'react'
import classes from './sparkline.module.css'

const [width, height] = [120, 28]

type Props = {
  readonly values: readonly number[]
  /** What it shows, for screen readers. */
  readonly label: string
}

/** A level over time, as steps; zero is the lower edge unless there are negative values. */
export function StepLine({ values, label }: Props) {
  const [low, high] = [Math.min(0, ...values), Math.max(0, ...values)]
  if (values.length < 2 || low === high) return null
  const step = width / values.length
  const y = (value: number): number => round(height - 1 - ((value - low) / (high - low)) * (height - 2))
  const line = values.map(
    (value, at) => `${at === 0 ? 'M0' : ''} ${at === 0 ? y(value) : `V${y(value)}`} H${round((at + 1) * step)}`,
  )
  const path = line.join(' ')
  return (
    <Chart label={label}>
      <path className={classes['area']} d={`${path} V${y(0)} H0 Z`} />
      <path className={classes['line']} d={path} />
    </Chart>
  )
}

/** A quantity per week or month, as bars. */
export function Bars({ values, label }: Props) {
  const high = Math.max(...values)
  if (!(high > 0)) return null
  const step = width / values.length
  return (
    <Chart label={label}>
      {values.map((value, at) => {
        const tall = Math.max(1, (Math.max(0, value) / high) * height)
        return (
          <rect
            // biome-ignore lint/suspicious/noArrayIndexKey: bars are identified by their place
            key={at}
            className={classes[value > 0 ? 'bar' : 'none']}
            x={round(at * step + step * 0.12)}
            y={round(height - tall)}
            width={round(step * 0.76)}
            height={round(tall)}
          />
        )
      })}
    </Chart>
  )
}

const Chart = ({ label, children }: { readonly label: string; readonly children: ReactNode }) => (
  <svg
    className={classes['chart']}
    viewBox={`0 0 ${width} ${height}`}
    preserveAspectRatio="none"
    role="img"
    aria-label={label}
  >
    {children}
  </svg>
)

const round = (value: number): number => Math.round(value * 100) / 100
