// The numbers of an item at the side of its card: stock and cost, each with the way to its reason.

import { Title } from '@mantine/core'
import { Link } from 'react-router'
import { money } from '../format.ts'
import { Quantity } from '../kit/state-badge.tsx'
import { useSeesMoney } from '../session.tsx'
import { words } from '../words.ts'
import classes from './catalog.module.css'
import type { ItemEntry } from './item-values.ts'
import type { KindRules } from './kinds.ts'

const said = words.catalog

export function ItemNumbers({ rules, item }: { rules: KindRules; item: ItemEntry }) {
  const seesMoney = useSeesMoney()
  const { unit } = item
  return (
    <>
      <Title order={2}>{said.stock.title}</Title>
      <dl className={classes['numbers']}>
        <dt>{said.column.amount}</dt>
        <dd>
          <Link to={`/stock/items/${item.id}`} className={classes['explained']}>
            <Quantity value={item.amount} unit={unit} />
          </Link>
        </dd>
        <dt>{said.column.reserved}</dt>
        <dd>
          <Link to={`/stock/items/${item.id}?tab=reserved`} className={classes['explained']}>
            <Quantity value={item.reserved} unit={unit} />
          </Link>
        </dd>
        <dt>{said.column.available}</dt>
        <dd>
          <strong>
            <Quantity value={item.available} unit={unit} />
          </strong>
        </dd>
        <dt>{said.column.min_amount}</dt>
        <dd>
          <Quantity value={item.min_amount === 0 ? null : item.min_amount} unit={unit} />
        </dd>
        {seesMoney && (
          <>
            <dt>{said.stock.cost}</dt>
            <dd>{money(item.cost)}</dd>
            {rules.hasComponents && (
              <>
                <dt>{said.stock.planCost}</dt>
                <dd>{money(item.plan_cost)}</dd>
              </>
            )}
          </>
        )}
      </dl>
    </>
  )
}
