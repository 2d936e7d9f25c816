// The board of productions: planned, in progress, done. A card moves by button, dragging or key, and shows missing items.

import { Group, SegmentedControl, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { count } from '../format.ts'
import { useKey } from '../kit/keys.tsx'
import { Empty } from '../kit/list-parts.tsx'
import { LoadError } from '../kit/load-error.tsx'
import { notifyError } from '../kit/notify.tsx'
import { usePage } from '../kit/page.tsx'
import { CurrentPageAction } from '../kit/page-action.tsx'
import { usePhone } from '../kit/phone.ts'
import { Skeletons } from '../kit/skeletons.tsx'
import { messages } from '../messages.ts'
import { useMethod } from '../server/query.ts'
import { useMay, useSession } from '../session.tsx'
import { done, planned, setState, started } from './actions.tsx'
import classes from './board.module.css'
import { type BoardCard, ProductionTile } from './board-card.tsx'
import { ProductionNav } from './production-nav.tsx'

const texts = messages.production

const columns = [
  { name: 'planned', status: planned },
  { name: 'in_progress', status: started },
  { name: 'done', status: done },
] as const
type Name = (typeof columns)[number]['name']

type Board = {
  readonly cardsOf: (name: Name) => readonly BoardCard[]
  readonly move: (id: number, from: Name, to: Name) => Promise<void>
  readonly setCursor: (id: number) => void
}

export function Component() {
  const { today } = useSession()
  const mayWrite = useMay('manager')
  const isPhone = usePhone()
  const query = useMethod('productions/board', {})
  const [shown, setShown] = useState<Name>('planned')
  const [cursor, setCursor] = useState<number>()
  const action = mayWrite ? { label: texts.add, to: '/productions/new' } : undefined
  usePage({ title: texts.title, action })

  const cardsOf = (name: Name): readonly BoardCard[] => query.data?.[name] ?? []
  const move = async (id: number, from: Name, to: Name): Promise<void> => {
    const card = cardsOf(from).find((one) => one.id === id)
    const [former, next] = [statusOf(from), statusOf(to)]
    if (card === undefined || former === next) return
    const { num, missing } = card
    await setState({ id, num, status: former, missing }, next, today).catch(notifyError)
  }
  const board = { cardsOf, move, setCursor }
  useBoardKeys(board, cursor)

  const isEmpty = columns.every(({ name }) => cardsOf(name).length === 0)
  return (
    <div className={classes['page']}>
      <Group justify="space-between">
        <Title order={1}>{texts.title}</Title>
        <CurrentPageAction />
      </Group>
      <ProductionNav />
      {query.data === undefined ? (
        query.error ? (
          <LoadError error={query.error} again={() => void query.refetch()} />
        ) : (
          <Skeletons rows={10} />
        )
      ) : isEmpty ? (
        <Empty text={texts.empty} action={action} />
      ) : (
        <>
          {isPhone && (
            <SegmentedControl
              fullWidth
              value={shown}
              onChange={(name) => setShown(name as Name)}
              data={columns.map(({ name }) => ({
                value: name,
                label: `${texts.board[name]} ${count(cardsOf(name).length)}`,
              }))}
            />
          )}
          <div className={classes['board']}>
            {columns
              .filter(({ name }) => !isPhone || name === shown)
              .map(({ name }) => (
                <BoardColumn key={name} name={name} board={board} isPhone={isPhone} />
              ))}
          </div>
        </>
      )}
    </div>
  )
}

/** Keys that move between cards, open the card under the cursor and change its status. */
function useBoardKeys({ cardsOf, move, setCursor }: Board, cursor: number | undefined): void {
  const navigate = useNavigate()
  const at = columns.findIndex(({ name }) => cardsOf(name).some(({ id }) => id === cursor))
  const row = columns[at] ? cardsOf(columns[at].name).findIndex(({ id }) => id === cursor) : -1
  const focus = (card: BoardCard | undefined): void => {
    if (card === undefined) return
    setCursor(card.id)
    document.querySelector<HTMLElement>(`[data-production="${card.id}"] a`)?.focus()
  }
  /** The card above or below, or the one at the same height in the next non-empty column. */
  const neighbour = (across: number, down: number): BoardCard | undefined => {
    if (at === -1) return columns.map(({ name }) => cardsOf(name)[0]).find(Boolean)
    if (across === 0) return cardsOf(columns[at]?.name ?? 'planned')[Math.max(row + down, 0)]
    for (let next = at + across; columns[next]; next += across) {
      const cards = cardsOf(columns[next]?.name ?? 'planned')
      if (cards.length > 0) return cards[Math.min(row, cards.length - 1)]
    }
    return undefined
  }
  const shift = (by: number) => {
    const [from, to] = [columns[at]?.name, columns[at + by]?.name]
    if (cursor !== undefined && from && to) void move(cursor, from, to)
  }
  const { keys } = texts.board
  useKey('j', keys.down, () => focus(neighbour(0, 1)))
  useKey('k', keys.up, () => focus(neighbour(0, -1)))
  useKey('h', keys.left, () => focus(neighbour(-1, 0)))
  useKey('l', keys.right, () => focus(neighbour(1, 0)))
  useKey('Enter', keys.open, at === -1 ? undefined : () => void navigate(`/productions/${cursor}`))
  useKey('s', keys.forward, at === -1 ? undefined : () => shift(1))
  useKey('S', keys.backward, at === -1 ? undefined : () => shift(-1))
}

type ColumnProps = { readonly name: Name; readonly board: Board; readonly isPhone: boolean }

/** One column, a drop target for cards. */
function BoardColumn({ name, board: { cardsOf, move, setCursor }, isPhone }: ColumnProps) {
  const { today } = useSession()
  const [isOver, setOver] = useState(false)
  const cards = cardsOf(name)
  const moveBy = async (card: BoardCard, by: number): Promise<void> => {
    const to = columns[columns.findIndex((column) => column.name === name) + by]?.name
    if (to) await move(card.id, name, to)
  }
  return (
    <section
      className={classes['column']}
      aria-label={texts.board[name]}
      data-over={isOver || undefined}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setOver(false)
        const [id, from] = event.dataTransfer.getData('text/plain').split(' ')
        if (columns.some((column) => column.name === from)) void move(Number(id), from as Name, name)
      }}
    >
      <header className={classes['head']} hidden={isPhone}>
        <Title order={2}>{texts.board[name]}</Title>
        <Text c="dimmed" size="sm">
          {count(cards.length)}
        </Text>
        {name === 'done' && (
          <Text c="dimmed" size="xs" ml="auto">
            {texts.board.doneHint}
          </Text>
        )}
      </header>
      {cards.length === 0 && (
        <Text c="dimmed" size="sm" p={8}>
          {texts.board.none[name]}
        </Text>
      )}
      {cards.map((card) => (
        <ProductionTile
          key={card.id}
          card={card}
          column={name}
          today={today}
          onFocus={() => setCursor(card.id)}
          onMove={(by) => moveBy(card, by)}
        />
      ))}
    </section>
  )
}

const statusOf = (name: Name): number => columns.find((column) => column.name === name)?.status ?? planned
