// What is not there in full for a production, and the way to order it.

import { Anchor, Button, Group, Stack, Text } from '@mantine/core'
import { Link } from 'react-router'
import { quantity } from '../format.ts'
import { Quantity } from '../kit/state-badge.tsx'
import { useMay } from '../session.tsx'
import classes from '../stock/stock.module.css'
import { words } from '../words.ts'
import type { Card } from './production.ts'

const said = words.production.missing

export function MissingTab({ missing, isDone }: { missing: Card['missing']; isDone: boolean }) {
  const mayBuy = useMay('manager')
  if (missing.length === 0) return <Text c="dimmed">{isDone ? said.done : said.none}</Text>
  return (
    <Stack gap="sm">
      <Text size="sm" c="dimmed">
        {said.inTurn}
      </Text>
      <div className={classes['box']}>
        <table className={classes['levels']}>
          <thead>
            <tr>
              <th>{said.item}</th>
              <th data-right>{said.needed}</th>
              <th data-right>{said.available}</th>
              <th data-right>{said.short}</th>
            </tr>
          </thead>
          <tbody>
            {missing.map((one) => (
              <tr key={one.item_id}>
                <td>
                  <Anchor component={Link} to={`/stock/items/${one.item_id}`} size="sm">
                    {one.name}
                  </Anchor>{' '}
                  <Text span size="xs" c="dimmed">
                    {one.sku}
                  </Text>
                </td>
                <td data-right>{quantity(one.needed, one.unit)}</td>
                <td data-right>
                  <Quantity value={one.available} unit={one.unit} />
                </td>
                <td data-right>
                  <strong>{quantity(one.short, one.unit)}</strong>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {mayBuy && (
        <Group>
          <Button
            component={Link}
            variant="default"
            to={`/purchases/new?items=${missing.map(({ item_id: id }) => id).join(',')}`}
          >
            {said.order}
          </Button>
        </Group>
      )}
    </Stack>
  )
}
