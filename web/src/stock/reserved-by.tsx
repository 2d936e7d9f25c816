// The open sales that reserve an item; their quantities add up to the reserved quantity.

import { Anchor, Text } from '@mantine/core'
import { Link } from 'react-router'
import { day } from '../format.ts'
import { LoadError } from '../kit/load-error.tsx'
import { Skeletons } from '../kit/skeletons.tsx'
import { Quantity, StateBadge } from '../kit/state-badge.tsx'
import { messages } from '../messages.ts'
import { useMethod } from '../server/query.ts'
import classes from './stock.module.css'

const texts = messages.stock.item

type Props = { readonly itemId: number; readonly unit: string; readonly storageId: number | undefined }

export function ReservedBy({ itemId, unit, storageId }: Props) {
  const held = useMethod('stock/get_reserved', {
    id: itemId,
    ...(storageId === undefined ? {} : { storage_id: storageId }),
  })
  if (held.data === undefined)
    return held.error ? <LoadError error={held.error} again={() => void held.refetch()} /> : <Skeletons rows={4} />
  if (held.data.reserved.length === 0) return <Text c="dimmed">{texts.noReserved}</Text>
  return (
    <div className={classes['box']}>
      <table className={classes['levels']}>
        <thead>
          <tr>
            <th>{texts.document}</th>
            <th data-desk>{texts.day}</th>
            <th>{messages.documents.state}</th>
            <th>{texts.party}</th>
            <th data-desk>{messages.stock.column.storage}</th>
            <th data-right>{texts.held}</th>
          </tr>
        </thead>
        <tbody>
          {held.data.reserved.map((row) => (
            <tr key={`${row.order_id}-${row.storage_id}`}>
              <td>
                <Anchor component={Link} to={`/sales/${row.order_id}`} size="sm">
                  {messages.stock.sections.orders} {row.num}
                </Anchor>
              </td>
              <td data-desk>{day(row.date_placed)}</td>
              <td>
                <StateBadge of="sale" code={row.status} />
              </td>
              <td>{row.customer_name}</td>
              <td data-desk>{row.storage_name}</td>
              <td data-right>
                <Quantity value={row.amount} unit={unit} />
              </td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <td>{messages.stock.column.reserved}</td>
            <td data-desk />
            <td />
            <td />
            <td data-desk />
            <td data-right>
              <Quantity value={held.data.held} unit={unit} />
            </td>
          </tr>
        </tfoot>
      </table>
    </div>
  )
}
