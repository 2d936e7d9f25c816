// The figures at the top of the dashboard; each links to the list it counts.

import { Text } from '@mantine/core'
import type { CSSProperties } from 'react'
import { Link } from 'react-router'
import { count, money, share } from '../format.ts'
import { messages } from '../messages.ts'
import { knownSum, leftOutText } from '../sales/known-sum.tsx'
import classes from './dashboard.module.css'
import { changeOf, countedSales, type Dashboard, type DayPair, type Sums, salesAddress, sumsOf } from './days.ts'

const texts = messages.dashboard

export function Tiles({ data, pairs, seesMoney }: { data: Dashboard; pairs: readonly DayPair[]; seesMoney: boolean }) {
  const period = salesAddress({ date_from: pairs[0]?.day ?? '', date_to: pairs.at(-1)?.day ?? '' })
  return (
    <section className={classes['tiles']} aria-label={texts.figures}>
      {seesMoney ? (
        <>
          <MoneyTile label={texts.revenue} sums={sumsOf(pairs, 'total')} to={period} />
          <MarginTile pairs={pairs} to={period} />
          <Tile
            label={texts.unpaid}
            value={money(data.unpaid.total)}
            hint={texts.unpaidHint(data.unpaid.count)}
            to={salesAddress({ payment: '0,1' })}
          />
          <Tile label={texts.stockValue} value={money(data.stock_total_cost)} hint={texts.stockValueHint} to="/stock" />
        </>
      ) : (
        <CountTiles data={data} />
      )}
    </section>
  )
}

/** For users who see no money. */
const CountTiles = ({ data }: { data: Dashboard }) => (
  <>
    <Tile label={texts.toShip} value={count(data.to_ship.count)} hint={texts.toShipHint} to="/sales?cut=to_ship" />
    <Tile label={texts.low} value={count(data.low_count)} hint={texts.lowHint} to="/stock?cut=low&by=item" />
    <Tile
      label={texts.negative}
      value={count(data.negative_count)}
      hint={texts.negativeHint}
      to="/stock?cut=negative"
      isWrong={data.negative_count > 0}
    />
  </>
)

function MoneyTile({ label, sums, to }: { label: string; sums: Sums; to: string }) {
  const change = changeOf(sums)
  const hint =
    change === undefined ? texts.before(money(sums.former)) : texts.against(`${change > 0 ? '+' : ''}${share(change)}`)
  return <Tile label={label} value={money(sums.now)} hint={hint} to={to} />
}

/** Sales without a known cost are left out and counted; then there is nothing to compare with the days before. */
function MarginTile({ pairs, to }: { pairs: readonly DayPair[]; to: string }) {
  const sums = sumsOf(pairs, 'margin')
  const of = countedSales(pairs)
  const former = countedSales(pairs.map((pair) => pair.former))
  if (of.without_cost === 0 && former.without_cost === 0) return <MoneyTile label={texts.margin} sums={sums} to={to} />
  const hint = leftOutText(of) ?? texts.beforeWith(knownSum(sums.former, former), leftOutText(former) ?? '')
  return <Tile label={texts.margin} value={knownSum(sums.now, of)} hint={hint} to={to} />
}

type TileProps = { label: string; value: string; hint: string; to: string; isWrong?: boolean }

function Tile({ label, value, hint, to, isWrong = false }: TileProps) {
  return (
    <Link to={to} className={classes['tile']} data-wrong={isWrong || undefined}>
      <Text size="sm" c="dimmed" component="span">
        {label}
      </Text>
      <span className={classes['figure']} style={{ '--figure-length': value.length } as CSSProperties}>
        {value}
      </span>
      <Text size="xs" c="dimmed" component="span">
        {hint}
      </Text>
    </Link>
  )
}
