// Why an item's numbers are what they are: its levels by storage location, the movements behind what is on hand with their running
// balance, the sales that hold what is reserved, and what is on its way.

import { Anchor, Group, Select, Stack, Text } from '@mantine/core'
import { Link, useParams, useSearchParams } from 'react-router'
import { money } from '../format.ts'
import { CardPage, CardWaiting } from '../kit/card-page.tsx'
import { DayField } from '../kit/day-field.tsx'
import { Quantity } from '../kit/state-badge.tsx'
import type { Output } from '../server/call.ts'
import { useMethod } from '../server/query.ts'
import { useSeesMoney, useSession } from '../session.tsx'
import { words } from '../words.ts'
import { itemAddress } from './address.ts'
import { Expected } from './expected.tsx'
import { markOf, StockMark } from './mark.tsx'
import { Movements } from './movements.tsx'
import { ReservedBy } from './reserved-by.tsx'
import classes from './stock.module.css'

const said = words.stock
type Level = Output<'stock/browse'>['stock'][number]

export function Component() {
  const id = Number(useParams()['id'])
  const [params, setParams] = useSearchParams()
  const { today } = useSession()
  const date = params.get('date') ?? ''
  const storageId = Number(params.get('storage_id')) || undefined
  const asOf = { ids: [id], limit: 200, ...(date ? { date } : {}) }
  const whole = useMethod('stock/browse', { ...asOf, by: 'item' }, { keep: true })
  const levels = useMethod('stock/browse', { ...asOf, by: 'storage', sort: 'storage_name' }, { keep: true })
  const crumbs = [{ label: said.title, to: '/stock' }]
  const item = whole.data?.stock[0]
  if (item === undefined || levels.data === undefined) {
    const error = whole.error ?? levels.error ?? (whole.data ? new Error(words.kit.card.notFound) : null)
    return <CardWaiting title={said.item.notFound} crumbs={crumbs} error={error} again={() => void whole.refetch()} />
  }
  const there = levels.data.stock
  const shown = storageId === undefined ? item : there.find((level) => level.storage_id === storageId)
  const set = (name: string, value: string | null): void =>
    setParams(
      (former) => {
        const next = new URLSearchParams(former)
        if (value) next.set(name, value)
        else next.delete(name)
        return next
      },
      { replace: true },
    )
  return (
    <CardPage
      title={item.name}
      crumbs={crumbs}
      badges={markOf(item) && <StockMark level={item} />}
      facts={[
        item.sku,
        said.types[item.type],
        <Anchor key="item" component={Link} to={`/${item.type}/${id}`} size="sm">
          {said.item.open}
        </Anchor>,
      ]}
      tabs={[
        {
          name: 'movements',
          label: said.item.movements,
          show: () => (
            <Movements
              itemId={id}
              unit={item.unit}
              storageId={storageId}
              date={date}
              onHand={shown?.amount ?? 0}
              place={shown?.storage_name ?? null}
              places={new Map(there.map((level) => [level.storage_id, level.storage_name]))}
            />
          ),
        },
        {
          name: 'reserved',
          label: said.item.reserved,
          show: () => <ReservedBy itemId={id} unit={item.unit} storageId={storageId} />,
        },
        { name: 'expected', label: said.item.expected, show: () => <Expected itemId={id} /> },
      ]}
    >
      <Stack gap="sm">
        <Group gap="sm" align="end">
          <Select
            label={said.filter.storage}
            value={storageId === undefined ? '' : String(storageId)}
            allowDeselect={false}
            data={[
              { value: '', label: said.item.all },
              ...there.map((level) => ({ value: String(level.storage_id), label: level.storage_name ?? '' })),
            ]}
            onChange={(value) => set('storage_id', value)}
          />
          <DayField
            label={said.item.asOf}
            placeholder={said.item.now}
            value={date}
            max={today}
            isClearable
            onChange={(day) => set('date', day)}
          />
        </Group>
        <Levels item={item} levels={there} storageId={storageId} date={date} />
      </Stack>
    </CardPage>
  )
}

type LevelsProps = { item: Level; levels: readonly Level[]; storageId: number | undefined; date: string }

function Levels({ item, levels, storageId, date }: LevelsProps) {
  const seesMoney = useSeesMoney()
  const cells = (level: Level) => (
    <>
      <td data-right>
        <Link to={itemAddress(level, { date })} className={classes['number']}>
          <Quantity value={level.amount} unit={level.unit} />
        </Link>
      </td>
      <td data-right>
        <Link to={itemAddress(level, { date, tab: 'reserved' })} className={classes['number']}>
          <Quantity value={level.reserved} unit={level.unit} />
        </Link>
      </td>
      <td data-right>
        <Quantity value={level.available} unit={level.unit} />
      </td>
      {seesMoney && (
        <td data-right data-desk>
          {money(level.total_cost)}
        </td>
      )}
    </>
  )
  return (
    <div className={classes['box']}>
      <table className={classes['levels']}>
        <thead>
          <tr>
            <th>{said.column.storage}</th>
            <th data-right>{said.column.amount}</th>
            <th data-right>{said.column.reserved}</th>
            <th data-right>{said.column.available}</th>
            {seesMoney && (
              <th data-right data-desk>
                {said.column.value}
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {levels.map((level) => (
            <tr key={level.storage_id} data-chosen={level.storage_id === storageId || undefined}>
              <td>{level.storage_name}</td>
              {cells(level)}
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <td>
              {said.item.all}
              {item.min_amount > 0 && (
                <Text span size="xs" c="dimmed" ml={8} fw={400}>
                  {said.column.min} <Quantity value={item.min_amount} unit={item.unit} />
                </Text>
              )}
            </td>
            {cells(item)}
          </tr>
        </tfoot>
      </table>
    </div>
  )
}
