// The components of a product: an editable grid whose products can be expanded, with the planned cost.

import { ActionIcon, Anchor, Text, Title } from '@mantine/core'
import { IconChevronDown, IconChevronRight, IconTrash } from '@tabler/icons-react'
import { type ReactNode, type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { Link } from 'react-router'
import { rounded } from '../decimal.ts'
import { money, quantity, share } from '../format.ts'
import type { FoundItem } from '../kit/found-item.ts'
import grid from '../kit/line-grid.module.css'
import { LineSearch, type LineSearchHandle } from '../kit/line-search.tsx'
import { NumberCell } from '../kit/number-cell.tsx'
import { messages } from '../messages.ts'
import { useMethod } from '../server/query.ts'
import { useSeesMoney } from '../session.tsx'
import classes from './catalog.module.css'
import { type ComponentRow, plannedCost, rowsOf, useTree } from './component-tree.ts'
import type { ComponentLine } from './item-values.ts'
import { addressOf } from './kinds.ts'

const texts = messages.catalog.components
const sources = [{ kinds: ['material', 'product', 'resource'] as const }]

type Props = {
  /** The product whose saved components provide their costs; absent for a new product. */
  readonly itemId: number | undefined
  readonly unit: string
  readonly price: number
  readonly lines: readonly ComponentLine[]
  readonly error?: ReactNode
  /** Absent when they are only shown. */
  readonly onChange?: (lines: ComponentLine[]) => void
}

export function ItemComponents({ itemId, unit, price, lines, error, onChange }: Props) {
  const isReadOnly = onChange === undefined
  const seesMoney = useSeesMoney()
  const card = useMethod('items/get_card', { item_id: itemId ?? 0 }, { enabled: itemId !== undefined })
  const search = useRef<LineSearchHandle>(null)
  const table = useRef<HTMLTableElement>(null)
  const focusAdded = useFocusOfAdded(table)
  const opened = useOpened()
  const tree = useTree(lines, card.data?.tree ?? [])
  const rows = rowsOf(lines, tree, opened.has)

  const add = (item: FoundItem): void => {
    focusAdded()
    onChange?.([...lines, lineOf(item)])
  }
  const setAmount = (place: number | undefined, amount: number): void =>
    onChange?.(lines.map((line, at) => (at === place ? { ...line, amount: rounded(amount, 6) } : line)))

  return (
    <section className={classes[isReadOnly ? 'reading' : 'part']}>
      {!isReadOnly && <Title order={2}>{texts.title}</Title>}
      <Text size="sm" c="dimmed" mb="xs">
        {unit && texts.hint(unit)}
      </Text>
      {error && (
        <Text size="sm" c="var(--mantine-color-error)" role="alert" mb="xs">
          {error}
        </Text>
      )}
      <div className={grid['grid']}>
        {lines.length === 0 ? (
          <Text c="dimmed" size="sm" p="sm">
            {isReadOnly ? texts.noneReadOnly : texts.none}
          </Text>
        ) : (
          <div className={grid['scroll']}>
            <table className={grid['table']} ref={table}>
              <Heads seesMoney={seesMoney} isReadOnly={isReadOnly} />
              <tbody>
                {rows.map((row) => (
                  <Row
                    key={row.key}
                    row={row}
                    isOpen={opened.has(row.key)}
                    isReadOnly={isReadOnly}
                    seesMoney={seesMoney}
                    onToggle={() => opened.toggle(row.key)}
                    onAmount={(typed) => setAmount(row.at, typed)}
                    onRemove={() => onChange?.(lines.filter((_, at) => at !== row.at))}
                    onEnter={() => search.current?.focus()}
                  />
                ))}
              </tbody>
            </table>
          </div>
        )}
        {!isReadOnly && (
          <div className={grid['add']}>
            <LineSearch sources={sources} onPick={add} handle={search} />
          </div>
        )}
        {seesMoney && lines.length > 0 && <PlannedCost planned={plannedCost(rows)} price={price} />}
      </div>
    </section>
  )
}

/** Focus the quantity of a component just added, before the next key is handled. */
function useFocusOfAdded(table: RefObject<HTMLTableElement | null>): () => void {
  const isAdded = useRef(false)
  useLayoutEffect(() => {
    if (!isAdded.current) return
    isAdded.current = false
    const fields = table.current?.querySelectorAll<HTMLInputElement>('input[name="amount"]')
    fields?.item(fields.length - 1).focus()
  })
  return () => {
    isAdded.current = true
  }
}

/** Which products of the tree are expanded. */
function useOpened() {
  const [keys, setKeys] = useState<ReadonlySet<string>>(new Set())
  return {
    has: (key: string): boolean => keys.has(key),
    toggle: (key: string): void =>
      setKeys((former) => new Set(former.has(key) ? [...former].filter((one) => one !== key) : [...former, key])),
  }
}

function lineOf({ kind: type, id, sku, name, unit, cost, price }: FoundItem): ComponentLine {
  // An item that was never received is planned at its price. A cost of 0 is unknown.
  const planned = type === 'material' && cost === 0 ? price : cost
  return { type, id, sku, name, unit, amount: 1, ...(planned ? { cost: planned } : {}) }
}

const Heads = ({ seesMoney, isReadOnly }: Pick<RowProps, 'seesMoney' | 'isReadOnly'>) => (
  <thead>
    <tr>
      <th>{texts.item}</th>
      <th data-right>{texts.amount}</th>
      {seesMoney && <th data-right>{texts.cost}</th>}
      {seesMoney && <th data-right>{texts.total}</th>}
      {!isReadOnly && <td />}
    </tr>
  </thead>
)

function PlannedCost({ planned, price }: { planned: ReturnType<typeof plannedCost>; price: number }) {
  const { cost, unknown } = planned
  const note =
    cost === undefined ? texts.unknown(unknown) : price > 0 ? texts.margin(share((price - cost) / price)) : undefined
  return (
    <div className={grid['footer']}>
      <div className={classes['sum']}>
        {note !== undefined && (
          <Text size="sm" c="dimmed">
            {note}
          </Text>
        )}
        <Text size="sm">{texts.sum}</Text>
        <Text fw={600}>{money(cost)}</Text>
      </div>
    </div>
  )
}

type RowProps = {
  readonly row: ComponentRow
  readonly isOpen: boolean
  readonly isReadOnly: boolean
  readonly seesMoney: boolean
  readonly onToggle: () => void
  readonly onAmount: (typed: number) => void
  readonly onRemove: () => void
  readonly onEnter: () => void
}

function Row({ row, isOpen, isReadOnly, seesMoney, onToggle, onAmount, onRemove, onEnter }: RowProps) {
  const { line, depth, at, isOpenable } = row
  const isOwn = at !== undefined
  const label = isOpen ? texts.close(line.name) : texts.open(line.name)
  return (
    <tr className={classes[isOwn ? 'own' : 'nested']}>
      <td className={grid['item']}>
        <div className={classes['name']} style={{ paddingLeft: depth * 24 }}>
          <span>
            <Anchor component={Link} to={addressOf(line.type, line.id)} size="sm">
              {line.name}
            </Anchor>
            <Text size="xs" c="dimmed">
              {[messages.kit.lines.kinds[line.type], line.sku].filter(Boolean).join(' · ')}
            </Text>
          </span>
          {isOpenable && (
            <ActionIcon aria-label={label} aria-expanded={isOpen} onClick={onToggle}>
              {isOpen ? <IconChevronDown size={16} /> : <IconChevronRight size={16} />}
            </ActionIcon>
          )}
        </div>
      </td>
      <td data-right data-label={texts.amount}>
        {isReadOnly || !isOwn ? (
          quantity(line.amount, line.unit)
        ) : (
          <>
            <NumberCell
              name="amount"
              label={`${texts.amount}: ${line.name}`}
              value={line.amount}
              decimals={6}
              isWrong={line.amount <= 0}
              onChange={onAmount}
              onEnter={onEnter}
            />{' '}
            <Text span size="xs" c="dimmed" className={grid['unit'] ?? ''}>
              {line.unit}
            </Text>
          </>
        )}
      </td>
      {seesMoney && (
        <td data-right data-label={texts.cost}>
          {money(row.cost)}
        </td>
      )}
      {seesMoney && (
        <td data-right data-label={texts.total}>
          {money(row.total)}
        </td>
      )}
      {!isReadOnly && (
        <td className={grid['remove']}>
          {isOwn && (
            <ActionIcon aria-label={messages.kit.lines.remove(line.name)} onClick={onRemove}>
              <IconTrash size={15} stroke={1.6} />
            </ActionIcon>
          )}
        </td>
      )}
    </tr>
  )
}
