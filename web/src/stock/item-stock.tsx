// Explains an item's stock figures: levels by storage location, the movements behind the stock on hand with a running
// balance, the sales behind the reserved quantity, and expected quantities.

import { Anchor, Group, Select, Stack, Text } from '@mantine/core'
import { Link, useParams, useSearchParams } from 'react-router'
import { money } from '../format.ts'
import { CardPage, CardWaiting } from '../kit/card-page.tsx'
import { DayField } from '../kit/day-field.tsx'
import { Quantity } from '../kit/state-badge.tsx'
import { messages } from '../messages.ts'
import type { StockBrowseStock } from '../methods.ts'
import { useMethod } from '../server/query.ts'
import { useSeesMoney, useSession } from '../session.tsx'
import { itemAddress } from './address.ts'
import { Expected } from './expected.tsx'
import { markOf, StockMark, StockName } from './mark.tsx'
import { Movements } from './movements.tsx'
import { ReservedBy } from './reserved-by.tsx'
import classes from './stock.module.css'

const texts = messages.stock
type Level = StockBrowseStock

export function Component() {
  const id = Number(useParams()['id'])
  const [params] = useSearchParams()
  const date = params.get('date') ?? ''
  const storageId = Number(params.get('storage_id')) || undefined
  const asOf = { ids: [id], limit: 200, ...(date ? { date } : {}) }
  const whole = useMethod('stock/browse', { ...asOf, by: 'item' }, { keep: true })
  const levels = useMethod('stock/browse', { ...asOf, by: 'storage', sort: 'storage_name' }, { keep: true })
  const crumbs = [{ label: texts.title, to: '/stock' }]
  const item = whole.data?.stock[0]
  if (item === undefined || levels.data === undefined) {
    const error = whole.error ?? levels.error ?? (whole.data ? new Error(messages.kit.card.notFound) : null)
    return <CardWaiting title={texts.item.notFound} crumbs={crumbs} error={error} again={() => void whole.refetch()} />
  }
  const there = levels.data.stock
  const shown = storageId === undefined ? item : there.find((level) => level.storage_id === storageId)
  return (
    <CardPage
      title={item.name}
      crumbs={crumbs}
      badges={markOf(item) && <StockMark level={item} />}
      facts={[
        item.sku,
        texts.types[item.type],
        <Anchor key="item" component={Link} to={`/${item.type}/${id}`} size="sm">
          {texts.item.open}
        </Anchor>,
      ]}
      tabs={[
        {
          name: 'movements',
          label: texts.item.movements,
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
          label: texts.item.reserved,
          show: () => <ReservedBy itemId={id} unit={item.unit} storageId={storageId} />,
        },
        { name: 'expected', label: texts.item.expected, show: () => <Expected itemId={id} /> },
      ]}
    >
      <Stack gap="sm">
        <Choice levels={there} storageId={storageId} date={date} />
        <Levels item={item} levels={there} storageId={storageId} date={date} />
      </Stack>
    </CardPage>
  )
}

type ChoiceProps = { levels: readonly Level[]; storageId: number | undefined; date: string }

/** The location and the day of the page, both from its address. */
function Choice({ levels, storageId, date }: ChoiceProps) {
  const { today } = useSession()
  const [, setParams] = useSearchParams()
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
    <Group gap="sm" align="end">
      <Select
        label={texts.filter.storage}
        value={storageId === undefined ? '' : String(storageId)}
        allowDeselect={false}
        data={[
          { value: '', label: texts.item.all },
          ...levels.map((level) => ({ value: String(level.storage_id), label: level.storage_name ?? '' })),
        ]}
        onChange={(value) => set('storage_id', value)}
      />
      <DayField
        label={texts.item.asOf}
        placeholder={texts.item.now}
        value={date}
        max={today}
        isClearable
        onChange={(day) => set('date', day)}
      />
    </Group>
  )
}

function LevelsHead() {
  const seesMoney = useSeesMoney()
  return (
    <thead>
      <tr>
        <th>{texts.column.storage}</th>
        <th data-right>{texts.column.amount}</th>
        <th data-right>{texts.column.reserved}</th>
        <th data-right>{texts.column.available}</th>
        <th data-right>{texts.column.inTransit}</th>
        {seesMoney && (
          <th data-right data-desk>
            {texts.column.value}
          </th>
        )}
      </tr>
    </thead>
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
      <td data-right>
        <Link to={itemAddress(level, { date, tab: 'expected' })} className={classes['number']}>
          <Quantity value={level.in_transit} unit={level.unit} />
        </Link>
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
        <LevelsHead />
        <tbody>
          {levels.map((level) => (
            <tr key={level.storage_id} data-chosen={level.storage_id === storageId || undefined}>
              <td>
                <StockName name={level.storage_name ?? ''} isDeleted={level.is_storage_deleted} />
              </td>
              {cells(level)}
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <td>
              {texts.item.all}{' '}
              {item.min_amount > 0 && (
                <Text span display="inline-block" size="xs" c="dimmed" fw={400}>
                  {texts.column.min} <Quantity value={item.min_amount} unit={item.unit} />
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
