// One production on the board: its products, customer, date and missing items.

import { Anchor, Button, Text } from '@mantine/core'
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { day, quantity } from '../format.ts'
import { messages } from '../messages.ts'
import type { Output } from '../server/call.ts'
import classes from './board.module.css'

const texts = messages.production.board

type Board = Output<'productions/board'>
export type BoardCard = Board['planned'][number]

type Props = {
  readonly card: BoardCard
  readonly column: 'planned' | 'in_progress' | 'done'
  readonly today: string
  readonly onFocus: () => void
  /** Moves one status forward or back. */
  readonly onMove: (by: 1 | -1) => Promise<void>
}

export function ProductionTile({ card, column, today, onFocus, onMove }: Props) {
  const [isMoving, setMoving] = useState(false)
  const move = (by: 1 | -1): void => {
    setMoving(true)
    void onMove(by).finally(() => setMoving(false))
  }
  const isLate = column !== 'done' && card.date_planned !== '' && card.date_planned < today
  return (
    <article
      className={classes['card']}
      data-production={card.id}
      aria-label={messages.production.one(card.num)}
      draggable
      onFocus={onFocus}
      onDragStart={(event) => {
        event.dataTransfer.setData('text/plain', `${card.id} ${column}`)
        event.dataTransfer.effectAllowed = 'move'
      }}
    >
      <div className={classes['row']}>
        <Anchor component={Link} to={`/productions/${card.id}`} size="sm" fw={500} draggable={false}>
          {card.num}
        </Anchor>
        <Text size="xs" {...(isLate ? { c: 'var(--mantine-color-error)', fw: 500 } : { c: 'dimmed' })}>
          {column === 'done'
            ? texts.done_on(day(card.date_done))
            : card.date_planned === ''
              ? ''
              : isLate
                ? texts.late(day(card.date_planned))
                : texts.planned_on(day(card.date_planned))}
        </Text>
      </div>
      <ul className={classes['products']}>
        {card.products.slice(0, 4).map((product) => (
          <li key={product.id}>
            <strong>{quantity(product.amount, product.unit)}</strong> {product.name}
          </li>
        ))}
        {card.products.length > 4 && <li>{texts.more(card.products.length - 4)}</li>}
      </ul>
      {card.order_id !== null && (
        <Text size="xs">
          <Anchor component={Link} to={`/sales/${card.order_id}`} size="xs" underline="always" draggable={false}>
            {texts.forSale(card.order_num ?? '')}
          </Anchor>{' '}
          {card.customer_name}
        </Text>
      )}
      {column !== 'done' && <MissingList missing={card.missing} />}
      {column !== 'done' && (
        <div className={classes['row']}>
          {column === 'in_progress' && (
            <Button size="compact-xs" variant="subtle" disabled={isMoving} onClick={() => move(-1)}>
              {texts.back}
            </Button>
          )}
          <Button size="compact-xs" variant="default" ml="auto" loading={isMoving} onClick={() => move(1)}>
            {column === 'planned' ? texts.start : texts.finish}
          </Button>
        </div>
      )}
    </article>
  )
}

const maxShown = 3

function MissingList({ missing }: { missing: BoardCard['missing'] }) {
  if (missing.length === 0)
    return (
      <Text size="xs" className={classes['ready'] ?? ''}>
        <IconCheck size={14} aria-hidden /> {texts.ready}
      </Text>
    )
  return (
    <div className={classes['missing']}>
      <Text size="xs" fw={500}>
        <IconAlertTriangle size={14} aria-hidden /> {texts.missing(missing.length)}
      </Text>
      <ul>
        {missing.slice(0, maxShown).map((one) => (
          <li key={one.item_id}>
            <Link to={`/stock/items/${one.item_id}`} draggable={false}>
              {texts.short(quantity(one.short, one.unit), one.name)}
            </Link>
          </li>
        ))}
        {missing.length > maxShown && <li>{texts.more(missing.length - maxShown)}</li>}
      </ul>
    </div>
  )
}
