// The suppliers of an item, with their code and price.

import { ActionIcon, Anchor, Button, Text, TextInput, Title } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { type ReactNode, useRef } from 'react'
import { Link } from 'react-router'
import { empty, money, text } from '../format.ts'
import { createInPlace } from '../kit/create-in-place.ts'
import grid from '../kit/line-grid.module.css'
import { NumberCell } from '../kit/number-cell.tsx'
import { RecordSelect, useRecordOptions } from '../kit/record-select.tsx'
import { messages } from '../messages.ts'
import { mutate } from '../server/query.ts'
import { useSeesMoney } from '../session.tsx'
import classes from './catalog.module.css'
import type { SupplierLine } from './item-values.ts'

const texts = messages.catalog.suppliers

type Props = {
  readonly lines: readonly SupplierLine[]
  readonly error?: ReactNode
  /** Absent when they are only shown. */
  readonly onChange?: (lines: SupplierLine[]) => void
}

export function ItemSuppliers({ lines, error, onChange }: Props) {
  const isReadOnly = onChange === undefined
  const seesMoney = useSeesMoney()
  // A supplier that is created in place arrives later: what was typed meanwhile is kept.
  const latest = useRef(lines)
  latest.current = lines
  const change = (at: number, to: Partial<SupplierLine>): void =>
    onChange?.(latest.current.map((line, place) => (place === at ? { ...line, ...to } : line)))
  const remove = (at: number): void => onChange?.(lines.filter((_, place) => place !== at))
  return (
    <section {...(isReadOnly ? {} : { className: classes['part'] })}>
      {!isReadOnly && (
        <Title order={2} mb="xs">
          {texts.title}
        </Title>
      )}
      {error && (
        <Text size="sm" c="var(--mantine-color-error)" role="alert" mb="xs">
          {error}
        </Text>
      )}
      {lines.length === 0 ? (
        <Text size="sm" c="dimmed">
          {texts.none}
        </Text>
      ) : (
        <div className={grid['grid']}>
          <table className={grid['table']}>
            <thead>
              <tr>
                <th>{texts.supplier}</th>
                <th>{texts.sku}</th>
                {seesMoney && <th data-right>{texts.price}</th>}
                {!isReadOnly && <td />}
              </tr>
            </thead>
            <tbody>
              {lines.map((line, at) => (
                <SupplierRow
                  // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other key, and keep their order
                  key={at}
                  line={line}
                  at={at}
                  {...(isReadOnly ? {} : { change, remove })}
                />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {!isReadOnly && (
        <Button
          variant="default"
          mt="xs"
          leftSection={<IconPlus size={14} aria-hidden />}
          onClick={() => onChange?.([...lines, { supplier_id: null, sku: '', price: 0 }])}
        >
          {texts.add}
        </Button>
      )}
    </section>
  )
}

type RowProps = {
  readonly line: SupplierLine
  readonly at: number
  /** Absent when the line is read-only. */
  readonly change?: (at: number, to: Partial<SupplierLine>) => void
  readonly remove?: (at: number) => void
}

function SupplierRow({ line, at, change, remove }: RowProps) {
  const seesMoney = useSeesMoney()
  const create = async (name: string): Promise<void> => {
    const { supplier_id: id } = await mutate('suppliers/add', { name })
    change?.(at, { supplier_id: id })
  }
  return (
    <tr>
      <td className={grid['item']}>
        {change ? (
          <RecordSelect
            of="suppliers"
            size="xs"
            aria-label={texts.supplier}
            placeholder={texts.supplier}
            allowDeselect={false}
            value={line.supplier_id}
            onChange={(id) => change(at, { supplier_id: id })}
            onCreate={(name) => createInPlace(() => create(name))}
          />
        ) : (
          <SupplierLink id={line.supplier_id} />
        )}
      </td>
      <td data-right data-label={texts.sku} className={classes['code']}>
        {change ? (
          <TextInput
            size="xs"
            aria-label={texts.sku}
            value={line.sku}
            onChange={(event) => change(at, { sku: event.currentTarget.value })}
          />
        ) : (
          text(line.sku)
        )}
      </td>
      {seesMoney && (
        <td data-right data-label={texts.price}>
          {change ? (
            <NumberCell
              name="price"
              label={texts.price}
              value={line.price}
              decimals={2}
              onChange={(price) => change(at, { price })}
            />
          ) : (
            money(line.price)
          )}
        </td>
      )}
      {remove && (
        <td className={grid['remove']}>
          <ActionIcon aria-label={texts.remove(String(at + 1))} onClick={() => remove(at)}>
            <IconTrash size={15} stroke={1.6} />
          </ActionIcon>
        </td>
      )}
    </tr>
  )
}

function SupplierLink({ id }: { id: number | null }) {
  const { options } = useRecordOptions('suppliers', '', id)
  if (id === null) return empty
  return (
    <Anchor component={Link} to={`/suppliers/${id}`} size="sm">
      {options.find(({ value }) => value === String(id))?.label ?? `#${id}`}
    </Anchor>
  )
}
