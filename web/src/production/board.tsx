// The board of productions: planned, in progress, done. A card moves by its button, by dragging or by key; what is missing stands on it.

import { SegmentedControl, Text, Title } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { count } from '../format.ts'
import { useKey } from '../frame/keys.tsx'
import { usePage } from '../frame/page.tsx'
import { Empty } from '../kit/list-parts.tsx'
import { Skeletons } from '../kit/skeletons.tsx'
import { failed } from '../kit/told.tsx'
import { Trouble } from '../kit/trouble.tsx'
import { useMethod } from '../server/query.ts'
import { useMay, useSession } from '../session.tsx'
import { words } from '../words.ts'
import { done, planned, setState, started } from './acts.tsx'
import classes from './board.module.css'
import { type BoardCard, ProductionTile } from './board-card.tsx'
import { ProductionPlaces } from './places.tsx'

const said = words.production

const columns = [
  { name: 'planned', status: planned },
  { name: 'in_progress', status: started },
  { name: 'done', status: done },
] as const
type Name = (typeof columns)[number]['name']

const phone = '(max-width: 48em)'

export function Component() {
  const { today } = useSession()
  const mayWrite = useMay('manager')
  const navigate = useNavigate()
  const isPhone = useMediaQuery(phone, window.matchMedia(phone).matches)
  const board = useMethod('productions/board', {})
  const [shown, setShown] = useState<Name>('planned')
  const [cursor, setCursor] = useState<number>()
  const [over, setOver] = useState<Name>()
  const action = mayWrite ? { label: said.add, to: '/productions/new' } : undefined
  usePage({ title: said.title, action })

  const cardsOf = (name: Name): readonly BoardCard[] => board.data?.[name] ?? []
  const at = columns.findIndex(({ name }) => cardsOf(name).some(({ id }) => id === cursor))
  const row = columns[at] ? cardsOf(columns[at].name).findIndex(({ id }) => id === cursor) : -1
  const focus = (card: BoardCard | undefined): void => {
    if (card === undefined) return
    setCursor(card.id)
    document.querySelector<HTMLElement>(`[data-production="${card.id}"] a`)?.focus()
  }
  /** The card above or below, or the one at the same height in the next column that has any. */
  const neighbour = (across: number, down: number): BoardCard | undefined => {
    if (at === -1) return columns.map(({ name }) => cardsOf(name)[0]).find(Boolean)
    if (across === 0) return cardsOf(columns[at]?.name ?? 'planned')[Math.max(row + down, 0)]
    for (let next = at + across; columns[next]; next += across) {
      const cards = cardsOf(columns[next]?.name ?? 'planned')
      if (cards.length > 0) return cards[Math.min(row, cards.length - 1)]
    }
    return undefined
  }
  const move = async (id: number, from: Name, to: Name): Promise<void> => {
    const card = cardsOf(from).find((one) => one.id === id)
    const [former, next] = [statusOf(from), statusOf(to)]
    if (card === undefined || former === next) return
    const { num, missing } = card
    await setState({ id, num, status: former, missing }, next, today).catch(failed)
  }
  const shift = (by: number) => {
    const [from, to] = [columns[at]?.name, columns[at + by]?.name]
    if (cursor !== undefined && from && to) void move(cursor, from, to)
  }
  const { keys } = said.board
  useKey('j', keys.down, () => focus(neighbour(0, 1)))
  useKey('k', keys.up, () => focus(neighbour(0, -1)))
  useKey('h', keys.left, () => focus(neighbour(-1, 0)))
  useKey('l', keys.right, () => focus(neighbour(1, 0)))
  useKey('Enter', keys.open, at === -1 ? undefined : () => void navigate(`/productions/${cursor}`))
  useKey('s', keys.forward, at === -1 ? undefined : () => shift(1))
  useKey('S', keys.backward, at === -1 ? undefined : () => shift(-1))

  const all = columns.reduce((sum, { name }) => sum + cardsOf(name).length, 0)
  return (
    <div className={classes['page']}>
      <ProductionPlaces />
      <Title order={1}>{said.title}</Title>
      {board.data === undefined ? (
        board.error ? (
          <Trouble error={board.error} again={() => void board.refetch()} />
        ) : (
          <Skeletons rows={10} />
        )
      ) : all === 0 ? (
        <Empty text={said.empty} action={action} />
      ) : (
        <>
          {isPhone && (
            <SegmentedControl
              fullWidth
              value={shown}
              onChange={(name) => setShown(name as Name)}
              data={columns.map(({ name }) => ({
                value: name,
                label: `${said.board[name]} ${count(cardsOf(name).length)}`,
              }))}
            />
          )}
          <div className={classes['board']}>
            {columns
              .filter(({ name }) => !isPhone || name === shown)
              .map(({ name }) => (
                <section
                  key={name}
                  className={classes['column']}
                  aria-label={said.board[name]}
                  data-over={over === name || undefined}
                  onDragOver={(event) => {
                    event.preventDefault()
                    setOver(name)
                  }}
                  onDragLeave={() => setOver(undefined)}
                  onDrop={(event) => {
                    event.preventDefault()
                    setOver(undefined)
                    const [id, from] = event.dataTransfer.getData('text/plain').split(' ')
                    if (columns.some((column) => column.name === from)) void move(Number(id), from as Name, name)
                  }}
                >
                  <header className={classes['head']} hidden={isPhone ?? false}>
                    <Title order={2}>{said.board[name]}</Title>
                    <Text c="dimmed" size="sm">
                      {count(cardsOf(name).length)}
                    </Text>
                    {name === 'done' && (
                      <Text c="dimmed" size="xs" ml="auto">
                        {said.board.doneHint}
                      </Text>
                    )}
                  </header>
                  {cardsOf(name).length === 0 && (
                    <Text c="dimmed" size="sm" p={8}>
                      {said.board.none[name]}
                    </Text>
                  )}
                  {cardsOf(name).map((card) => (
                    <ProductionTile
                      key={card.id}
                      card={card}
                      column={name}
                      today={today}
                      onFocus={() => setCursor(card.id)}
                      onMove={(by) => {
                        const to = columns[columns.findIndex((column) => column.name === name) + by]?.name
                        return to ? move(card.id, name, to) : Promise.resolve()
                      }}
                    />
                  ))}
                </section>
              ))}
          </div>
        </>
      )}
    </div>
  )
}

const statusOf = (name: Name): number => columns.find((column) => column.name === name)?.status ?? planned
