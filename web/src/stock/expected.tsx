// What of an item is on its way: open purchases that bring it, open productions that make it.

import { Anchor, Text } from '@mantine/core'
import { Link } from 'react-router'
import { day } from '../format.ts'
import { Skeletons } from '../kit/skeletons.tsx'
import { StateBadge } from '../kit/state-badge.tsx'
import { Trouble } from '../kit/trouble.tsx'
import { useMethod } from '../server/query.ts'
import { words } from '../words.ts'
import classes from './stock.module.css'

const said = words.stock.item

export function Expected({ itemId }: { itemId: number }) {
  const of = { cut: 'open', item_id: itemId, limit: 100 } as const
  const purchases = useMethod('purchases/browse', of)
  const productions = useMethod('productions/browse', of)
  if (purchases.data === undefined || productions.data === undefined) {
    const error = purchases.error ?? productions.error
    return error ? <Trouble error={error} again={() => void purchases.refetch()} /> : <Skeletons rows={4} />
  }
  const rows = [
    ...purchases.data.purchases.map((row) => ({
      to: `/purchases/${row.id}`,
      name: `${words.stock.sections.purchases} ${row.num}`,
      badge: <StateBadge of="purchase" code={row.status} />,
      date: row.date_placed,
      about: row.supplier_name,
    })),
    ...productions.data.productions.map((row) => ({
      to: `/productions/${row.id}`,
      name: `${words.stock.sections.productions} ${row.num}`,
      badge: <StateBadge of="production" code={row.status} />,
      date: row.date_planned || row.date_placed,
      about: row.products,
    })),
  ]
  if (rows.length === 0) return <Text c="dimmed">{said.noExpected}</Text>
  return (
    <div className={classes['box']}>
      <table className={classes['levels']}>
        <tbody>
          {rows.map((row) => (
            <tr key={row.to}>
              <td>
                <Anchor component={Link} to={row.to} size="sm">
                  {row.name}
                </Anchor>
              </td>
              <td>{day(row.date)}</td>
              <td>{row.badge}</td>
              <td>{row.about}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
