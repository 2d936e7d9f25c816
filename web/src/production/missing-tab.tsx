// The items a production is short of, with links to order or produce them.

import { Anchor, Button, Group, Stack, Text } from '@mantine/core'
import { Link } from 'react-router'
import { namedAddress } from '../documents/start.ts'
import { quantity } from '../format.ts'
import { Quantity } from '../kit/state-badge.tsx'
import { messages } from '../messages.ts'
import { useMay } from '../session.tsx'
import classes from '../stock/stock.module.css'
import type { ProductionCard } from './production.ts'

const texts = messages.production.missing

export function MissingTab({ missing, isDone }: { missing: ProductionCard['missing']; isDone: boolean }) {
  const mayBuy = useMay('manager')
  if (missing.length === 0) return <Text c="dimmed">{isDone ? texts.done : texts.none}</Text>
  const bought = missing.filter((one) => !one.is_made)
  return (
    <Stack gap="sm">
      <Text size="sm" c="dimmed">
        {texts.inTurn}
      </Text>
      <div className={classes['box']}>
        <table className={classes['levels']}>
          <thead>
            <tr>
              <th>{texts.item}</th>
              <th data-right>{texts.needed}</th>
              <th data-right>{texts.available}</th>
              <th data-right>{texts.short}</th>
              {mayBuy && <td />}
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
                {mayBuy && (
                  <td data-right>
                    <Button
                      component={Link}
                      variant="default"
                      size="compact-sm"
                      aria-label={one.is_made ? texts.makeOf(one.name) : texts.orderOf(one.name)}
                      to={`/${one.is_made ? 'productions/new' : 'purchases/order'}?items=${named([one])}`}
                    >
                      {one.is_made ? texts.make : texts.orderOne}
                    </Button>
                  </td>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {mayBuy && bought.length > 1 && (
        <Group>
          <Button component={Link} variant="default" to={`/purchases/order?items=${named(bought)}`}>
            {texts.order}
          </Button>
        </Group>
      )}
    </Stack>
  )
}

const named = (missing: ProductionCard['missing']): string =>
  namedAddress(missing.map(({ item_id: id, short }) => ({ id, wanted: short })))
