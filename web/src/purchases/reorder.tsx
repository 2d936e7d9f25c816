// Items to buy or make, grouped by resulting document: one purchase per supplier, one for items without a supplier, and a production
// for products made in-house.

import { Alert, Anchor, Button, Group, Stack, Text, Title } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { Link, Navigate } from 'react-router'
import { decimalText } from '../decimal.ts'
import { type NamedItem, namedAddress, useNamedItems } from '../documents/start.ts'
import { quantity } from '../format.ts'
import { roundAmount, roundMoney } from '../kit/line.ts'
import { LoadError } from '../kit/load-error.tsx'
import { notify, notifyError } from '../kit/notify.tsx'
import { NumberCell } from '../kit/number-cell.tsx'
import { usePage } from '../kit/page.tsx'
import { Skeletons } from '../kit/skeletons.tsx'
import { Quantity } from '../kit/state-badge.tsx'
import { messages } from '../messages.ts'
import type { ItemsReorderItems } from '../methods.ts'
import { mutate, useMethod } from '../server/query.ts'
import { useMay } from '../session.tsx'
import classes from '../stock/stock.module.css'

const texts = messages.purchases.reorder

type Item = ItemsReorderItems
type Wanted = Item & { readonly wanted: number }

export function Component() {
  const named = useNamedItems()
  usePage({ title: titleOf(named), crumbs: [{ label: messages.purchases.title, to: '/purchases' }] })
  const mayBuy = useMay('manager')
  const ids = named.map(({ id }) => id)
  const answer = useMethod('items/reorder', ids.length > 0 ? { ids } : {}, { enabled: mayBuy })
  if (!mayBuy) return <Navigate to="/purchases" replace />
  if (answer.data === undefined)
    return answer.error ? (
      <LoadError error={answer.error} again={() => void answer.refetch()} />
    ) : (
      <Skeletons rows={10} />
    )
  return <Plan items={answer.data.items} named={named} />
}

const titleOf = (named: readonly NamedItem[]): string => (named.length > 0 ? texts.titleNamed : texts.title)

/** The default quantity is the shortage; a selected item that is not short starts at one. */
const proposedOf = (item: Item, named: readonly NamedItem[]): number => {
  const chosen = named.find(({ id }) => id === item.id)
  return chosen?.amount ?? (item.short > 0 || chosen === undefined ? item.short : 1)
}

function Plan({ items, named }: { items: readonly Item[]; named: readonly NamedItem[] }) {
  const [typed, setTyped] = useState<ReadonlyMap<number, number>>(new Map())
  const [created, setCreated] = useState<ReadonlyMap<number, number>>(new Map())
  const wanted = items.map((item): Wanted => ({ ...item, wanted: typed.get(item.id) ?? proposedOf(item, named) }))
  const made = wanted.filter((item) => item.is_made)
  const bought = wanted.filter((item) => !item.is_made)
  const without = bought.filter((item) => item.supplier_id === null)
  const suppliers = [...Map.groupBy(bought, (item) => item.supplier_id ?? 0)].filter(([id]) => id !== 0)
  const open = suppliers.filter(([id, of]) => !created.has(id) && of.some((item) => item.wanted > 0))
  const set = (id: number, amount: number): void => setTyped((former) => new Map(former).set(id, roundAmount(amount)))

  /** Ordered items are no longer short afterwards: the quantities stay as first shown. */
  const create = async (groups: readonly (readonly [number, readonly Wanted[]])[]): Promise<void> => {
    setTyped(new Map(wanted.map((item) => [item.id, item.wanted])))
    for (const [supplierId, of] of groups) {
      const { purchase_id: id } = await mutate('purchases/add', { supplier_id: supplierId, ...linesOf(of) })
      setCreated((former) => new Map(former).set(supplierId, id))
    }
    notify(texts.created(groups.length))
  }

  return (
    <Stack gap="lg" maw={1000}>
      <Group justify="space-between">
        <Title order={1}>{titleOf(named)}</Title>
        {open.length > 1 && <Run label={texts.createAll(open.length)} run={() => create(open)} isPrimary />}
      </Group>
      {items.length === 0 && <Text c="dimmed">{texts.none}</Text>}
      {suppliers.map(([id, of]) => {
        const purchase = created.get(id)
        const isReady = of.some((item) => item.wanted > 0)
        return (
          <ReorderGroup
            key={id}
            title={of[0]?.supplier_name ?? ''}
            items={of}
            set={purchase === undefined ? set : undefined}
          >
            {purchase !== undefined ? (
              <Anchor component={Link} to={`/purchases/${purchase}`}>
                {texts.openCreated}
              </Anchor>
            ) : isReady ? (
              <Run label={texts.create} run={() => create([[id, of]])} />
            ) : (
              <Text c="dimmed" size="sm">
                {texts.nothing}
              </Text>
            )}
          </ReorderGroup>
        )
      })}
      {without.length > 0 && (
        <ReorderGroup title={texts.without} hint={texts.withoutHint} items={without} set={set}>
          <Button component={Link} variant="default" to={`/purchases/new?items=${namedAddress(without)}`}>
            {texts.choose}
          </Button>
        </ReorderGroup>
      )}
      {made.length > 0 && (
        <ReorderGroup title={texts.made} hint={texts.madeHint} items={made} set={set}>
          <Button component={Link} variant="default" to={`/productions/new?items=${namedAddress(made)}`}>
            {texts.plan}
          </Button>
        </ReorderGroup>
      )}
    </Stack>
  )
}

const linesOf = (items: readonly Wanted[]) => {
  const of = (type: Item['type']) =>
    items
      .filter((item) => item.type === type && item.wanted > 0)
      .map(({ id, wanted, price }) => ({
        id,
        amount: decimalText(wanted),
        total: decimalText(roundMoney(price * wanted)),
      }))
  return { products: of('product'), materials: of('material') }
}

function Run({ label, run, isPrimary = false }: { label: string; run: () => Promise<void>; isPrimary?: boolean }) {
  const [isRunning, setRunning] = useState(false)
  const start = (): void => {
    setRunning(true)
    run()
      .catch(notifyError)
      .finally(() => setRunning(false))
  }
  return (
    <Button variant={isPrimary ? 'filled' : 'default'} loading={isRunning} onClick={start}>
      {label}
    </Button>
  )
}

type GroupProps = {
  readonly title: string
  readonly hint?: string
  readonly items: readonly Wanted[]
  /** Absent when it can no longer be changed. */
  readonly set: ((id: number, amount: number) => void) | undefined
  readonly children: ReactNode
}

function ReorderGroup({ title, hint, items, set, children }: GroupProps) {
  return (
    <section aria-label={title}>
      <Title order={2} mb={4}>
        {title}
      </Title>
      {hint && (
        <Alert color="gray" variant="light" mb="xs" p="xs">
          {hint}
        </Alert>
      )}
      <div className={classes['box']}>
        <table className={classes['levels']} data-even>
          <thead>
            <tr>
              <th>{texts.item}</th>
              <th data-right>{texts.available}</th>
              <th data-right data-desk>
                {texts.expected}
              </th>
              <th data-right data-desk>
                {texts.minimum}
              </th>
              <th data-right>{texts.amount}</th>
            </tr>
          </thead>
          <tbody>
            {items.map((item) => (
              <Row key={item.id} item={item} set={set} />
            ))}
          </tbody>
        </table>
      </div>
      <Group justify="flex-end" mt="xs">
        {children}
      </Group>
    </section>
  )
}

function Row({ item, set }: { item: Wanted; set: GroupProps['set'] }) {
  return (
    <tr>
      <td>
        <Anchor component={Link} to={`/stock/items/${item.id}`} size="sm">
          {item.name}
        </Anchor>
        <Text size="xs" c="dimmed">
          {item.sku}
        </Text>
      </td>
      <td data-right>
        <Quantity value={item.available} unit={item.unit} />
      </td>
      <td data-right data-desk>
        {quantity(item.expected || null, item.unit)}
      </td>
      <td data-right data-desk>
        {quantity(item.min_amount || null, item.unit)}
      </td>
      <td data-right>
        {set === undefined ? (
          quantity(item.wanted)
        ) : (
          <NumberCell
            name="wanted"
            label={`${texts.amount}: ${item.name}`}
            value={item.wanted}
            decimals={3}
            isWrong={item.wanted < 0}
            onChange={(amount) => set(item.id, amount)}
          />
        )}{' '}
        {item.unit}
      </td>
    </tr>
  )
}
