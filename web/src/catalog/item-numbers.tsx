// The stock and cost figures at the side of an item's card, each linked to its explanation.

import { Title } from '@mantine/core'
import { Link } from 'react-router'
import { money } from '../format.ts'
import { Quantity } from '../kit/state-badge.tsx'
import { messages } from '../messages.ts'
import { useMethod } from '../server/query.ts'
import { useSeesMoney } from '../session.tsx'
import classes from './catalog.module.css'
import { costOfTree } from './component-tree.ts'
import type { ItemEntry } from './item-values.ts'
import type { ItemKindRules } from './kinds.ts'

const texts = messages.catalog

export function ItemNumbers({ rules, item }: { rules: ItemKindRules; item: ItemEntry }) {
  const seesMoney = useSeesMoney()
  const { unit } = item
  const card = useMethod('items/get_card', { item_id: item.id }, { enabled: rules.hasComponents })
  return (
    <>
      <Title order={2}>{texts.stock.title}</Title>
      <dl className={classes['numbers']}>
        <dt>{texts.column.amount}</dt>
        <dd>
          <Link to={`/stock/items/${item.id}`} className={classes['explained']}>
            <Quantity value={item.amount} unit={unit} />
          </Link>
        </dd>
        <dt>{texts.column.reserved}</dt>
        <dd>
          <Link to={`/stock/items/${item.id}?tab=reserved`} className={classes['explained']}>
            <Quantity value={item.reserved} unit={unit} />
          </Link>
        </dd>
        <dt>{texts.column.available}</dt>
        <dd>
          <strong>
            <Quantity value={item.available} unit={unit} />
          </strong>
        </dd>
        <dt>{texts.column.min_amount}</dt>
        <dd>
          <Quantity value={item.min_amount === 0 ? null : item.min_amount} unit={unit} />
        </dd>
        {seesMoney && (
          <>
            <dt>{texts.stock.cost}</dt>
            <dd>{money(item.cost || null)}</dd>
            {rules.hasComponents && (
              <>
                <dt>{texts.stock.planCost}</dt>
                <dd>{money(costOfTree(card.data?.tree ?? []))}</dd>
              </>
            )}
          </>
        )}
      </dl>
    </>
  )
}
