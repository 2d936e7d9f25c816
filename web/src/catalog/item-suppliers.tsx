// Who supplies an item, under which code and at which price.

import { ActionIcon, Anchor, Button, Text, TextInput, Title } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { empty, money, text } from '../format.ts'
import grid from '../kit/line-grid.module.css'
import { NumberCell } from '../kit/number-cell.tsx'
import { RecordSelect, useRecordOptions } from '../kit/record-select.tsx'
import { useSeesMoney } from '../session.tsx'
import { words } from '../words.ts'
import classes from './catalog.module.css'
import type { SupplierLine } from './item-values.ts'

const said = words.catalog.suppliers

type Props = {
  readonly lines: readonly SupplierLine[]
  readonly error: ReactNode
  readonly isReadOnly: boolean
  readonly onChange: (lines: SupplierLine[]) => void
}

export function ItemSuppliers({ lines, error, isReadOnly, onChange }: Props) {
  const seesMoney = useSeesMoney()
  const change = (at: number, to: Partial<SupplierLine>): void =>
    onChange(lines.map((line, place) => (place === at ? { ...line, ...to } : line)))
  return (
    <section className={classes['part']}>
      <Title order={2} mb="xs">
        {said.title}
      </Title>
      {error && (
        <Text size="sm" c="var(--mantine-color-error)" role="alert" mb="xs">
          {error}
        </Text>
      )}
      {lines.length === 0 ? (
        <Text size="sm" c="dimmed">
          {said.none}
        </Text>
      ) : (
        <div className={grid['grid']}>
          <table className={grid['table']}>
            <thead>
              <tr>
                <th>{said.supplier}</th>
                <th>{said.sku}</th>
                {seesMoney && <th data-right>{said.price}</th>}
                {!isReadOnly && <td />}
              </tr>
            </thead>
            <tbody>
              {lines.map((line, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other name, and keep their order
                <tr key={at}>
                  <td className={grid['item']}>
                    {isReadOnly ? (
                      <SupplierLink id={line.supplier_id} />
                    ) : (
                      <RecordSelect
                        of="suppliers"
                        size="xs"
                        aria-label={said.supplier}
                        placeholder={said.supplier}
                        allowDeselect={false}
                        value={line.supplier_id}
                        onChange={(id) => change(at, { supplier_id: id })}
                      />
                    )}
                  </td>
                  <td data-right data-label={said.sku} className={classes['code']}>
                    {isReadOnly ? (
                      text(line.sku)
                    ) : (
                      <TextInput
                        size="xs"
                        aria-label={said.sku}
                        value={line.sku}
                        onChange={(event) => change(at, { sku: event.currentTarget.value })}
                      />
                    )}
                  </td>
                  {seesMoney && (
                    <td data-right data-label={said.price}>
                      {isReadOnly ? (
                        money(line.price)
                      ) : (
                        <NumberCell
                          name="price"
                          label={said.price}
                          value={line.price}
                          decimals={2}
                          onChange={(price) => change(at, { price })}
                        />
                      )}
                    </td>
                  )}
                  {!isReadOnly && (
                    <td className={grid['remove']}>
                      <ActionIcon
                        aria-label={said.remove(String(at + 1))}
                        onClick={() => onChange(lines.filter((_, place) => place !== at))}
                      >
                        <IconTrash size={15} stroke={1.6} />
                      </ActionIcon>
                    </td>
                  )}
                </tr>
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
          onClick={() => onChange([...lines, { supplier_id: null, sku: '', price: 0 }])}
        >
          {said.add}
        </Button>
      )}
    </section>
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
