// What a product is made of: a grid to edit, whose products open to show what they are made of in turn, with the planned cost.

import { ActionIcon, Anchor, Text, Title } from '@mantine/core'
import { IconChevronDown, IconChevronRight, IconTrash } from '@tabler/icons-react'
import { useQueries } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Link } from 'react-router'
import { money, quantity, share } from '../format.ts'
import grid from '../kit/line-grid.module.css'
import { type FoundItem, LineSearch } from '../kit/line-search.tsx'
import { NumberCell } from '../kit/number-cell.tsx'
import { call } from '../server/call.ts'
import { useMethod } from '../server/query.ts'
import { useSeesMoney } from '../session.tsx'
import { words } from '../words.ts'
import classes from './catalog.module.css'
import { type ComponentRow, plannedCost, rowsOf, type TreeNode } from './component-tree.ts'
import type { ComponentLine } from './item-values.ts'
import { addressOf } from './kinds.ts'

const said = words.catalog.components
const sources = [{ kinds: ['material', 'product', 'resource'] as const }]

type Props = {
  /** The product whose saved components tell what they cost; absent while there is none. */
  readonly itemId: number | undefined
  readonly unit: string
  readonly price: number
  readonly lines: readonly ComponentLine[]
  readonly error: ReactNode
  readonly isReadOnly: boolean
  readonly onChange: (lines: ComponentLine[]) => void
}

/** The tree as it was saved, and what products that were added since are made of. */
function useTree(lines: readonly ComponentLine[], saved: readonly TreeNode[]): TreeNode[] {
  const added = lines.filter(({ type, id }) => type === 'product' && !saved.some((node) => node.id === id))
  const cards = useQueries({
    queries: added.map(({ id }) => ({
      queryKey: ['items/get_card', { item_id: id }],
      queryFn: () => call('items/get_card', { item_id: id }),
    })),
  })
  const nodes = added.flatMap((line, at) => {
    const components = cards[at]?.data?.tree ?? []
    const cost = components.reduce((sum, { total }) => sum + total, 0)
    return components.length === 0 ? [] : [{ ...line, cost, total: cost * line.amount, components }]
  })
  return [...saved, ...nodes]
}

const roundAmount = (typed: number): number => Math.round(typed * 1e6) / 1e6

export function ItemComponents({ itemId, unit, price, lines, error, isReadOnly, onChange }: Props) {
  const seesMoney = useSeesMoney()
  const card = useMethod('items/get_card', { item_id: itemId ?? 0 }, { enabled: itemId !== undefined })
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set())
  const search = useRef<HTMLInputElement>(null)
  const table = useRef<HTMLTableElement>(null)
  const isAdded = useRef(false)
  const tree = useTree(lines, card.data?.tree ?? [])
  const rows = rowsOf(lines, tree, (key) => opened.has(key))
  const planned = plannedCost(rows)

  // The quantity of a component just added is where typing goes on.
  useEffect(() => {
    if (!isAdded.current) return
    isAdded.current = false
    const fields = table.current?.querySelectorAll<HTMLInputElement>('input[name="amount"]')
    fields?.item(fields.length - 1).focus()
  })

  const add = (item: FoundItem): void => {
    const { kind: type, id, sku, name, unit: of } = item
    // What was never received is planned at its price.
    const cost = type === 'material' && item.cost === 0 ? item.price : item.cost
    isAdded.current = true
    onChange([...lines, { type, id, sku, name, unit: of, amount: 1, ...(cost === undefined ? {} : { cost }) }])
  }
  const toggle = (key: string): void =>
    setOpened((former) => new Set(former.has(key) ? [...former].filter((one) => one !== key) : [...former, key]))

  return (
    <section className={classes['part']}>
      <Title order={2}>{said.title}</Title>
      <Text size="sm" c="dimmed" mb="xs">
        {unit && said.hint(unit)}
      </Text>
      {error && (
        <Text size="sm" c="var(--mantine-color-error)" role="alert" mb="xs">
          {error}
        </Text>
      )}
      <div className={grid['grid']}>
        {lines.length === 0 ? (
          <Text c="dimmed" size="sm" p="sm">
            {isReadOnly ? said.noneReadOnly : said.none}
          </Text>
        ) : (
          <div className={grid['scroll']}>
            <table className={grid['table']} ref={table}>
              <thead>
                <tr>
                  <th>{said.item}</th>
                  <th data-right>{said.amount}</th>
                  {seesMoney && <th data-right>{said.cost}</th>}
                  {seesMoney && <th data-right>{said.total}</th>}
                  {!isReadOnly && <td />}
                </tr>
              </thead>
              <tbody>
                {rows.map((row) => (
                  <Row
                    key={row.key}
                    row={row}
                    isOpen={opened.has(row.key)}
                    isReadOnly={isReadOnly}
                    seesMoney={seesMoney}
                    onToggle={() => toggle(row.key)}
                    onAmount={(typed) =>
                      onChange(
                        lines.map((line, at) => (at === row.at ? { ...line, amount: roundAmount(typed) } : line)),
                      )
                    }
                    onRemove={() => onChange(lines.filter((_, at) => at !== row.at))}
                    onEnter={() => search.current?.focus()}
                  />
                ))}
              </tbody>
            </table>
          </div>
        )}
        {!isReadOnly && (
          <div className={grid['add']}>
            <LineSearch sources={sources} onPick={add} field={search} />
          </div>
        )}
        {seesMoney && lines.length > 0 && (
          <div className={grid['footer']}>
            <div className={classes['sum']}>
              {planned !== undefined && price > 0 && (
                <Text size="sm" c="dimmed">
                  {said.margin(share((price - planned) / price))}
                </Text>
              )}
              <Text size="sm">{said.sum}</Text>
              <Text fw={600}>{money(planned)}</Text>
            </div>
          </div>
        )}
      </div>
    </section>
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
  const label = isOpen ? said.close(line.name) : said.open(line.name)
  return (
    <tr {...(isOwn ? {} : { className: classes['nested'] })}>
      <td className={grid['item']}>
        <div className={classes['name']} style={{ paddingLeft: depth * 24 }}>
          {isOpenable ? (
            <ActionIcon aria-label={label} aria-expanded={isOpen} onClick={onToggle}>
              {isOpen ? <IconChevronDown size={16} /> : <IconChevronRight size={16} />}
            </ActionIcon>
          ) : (
            <div className={classes['spacer']} />
          )}
          <span>
            <Anchor component={Link} to={addressOf(line.type, line.id)} size="sm">
              {line.name}
            </Anchor>
            <Text size="xs" c="dimmed">
              {[words.kit.lines.kinds[line.type], line.sku].filter(Boolean).join(' · ')}
            </Text>
          </span>
        </div>
      </td>
      <td data-right data-label={said.amount}>
        {isReadOnly || !isOwn ? (
          quantity(line.amount, line.unit)
        ) : (
          <>
            <NumberCell
              name="amount"
              label={`${said.amount}: ${line.name}`}
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
        <td data-right data-label={said.cost}>
          {money(row.cost)}
        </td>
      )}
      {seesMoney && (
        <td data-right data-label={said.total}>
          {money(row.total)}
        </td>
      )}
      {!isReadOnly && (
        <td className={grid['remove']}>
          {isOwn && (
            <ActionIcon aria-label={words.kit.lines.remove(line.name)} onClick={onRemove}>
              <IconTrash size={15} stroke={1.6} />
            </ActionIcon>
          )}
        </td>
      )}
    </tr>
  )
}
