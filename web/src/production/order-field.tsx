// The sale a production is for: found by its number or customer among the open ones.

import { Anchor, Select, Stack } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { Link } from 'react-router'
import { type Bound, Fact } from '../documents/fields.tsx'
import { useMethod } from '../server/query.ts'
import { words } from '../words.ts'

const said = words.production

type Props = { readonly of: Bound<number | null>; readonly num: string | null; readonly savedId: number | null }

export function OrderField({ of, num, savedId }: Props) {
  const [typed, setTyped] = useState('')
  const [search] = useDebouncedValue(typed, 150)
  const orders = useMethod(
    'orders/browse',
    { cut: 'open', limit: 20, ...(search.includes(' · ') ? {} : { search }) },
    { keep: true, enabled: !of.isDisabled },
  )
  const options = new Map(
    (orders.data?.orders ?? []).map((order) => [
      String(order.id),
      { value: String(order.id), label: `${order.num} · ${order.customer_name}` },
    ]),
  )
  if (savedId !== null && num !== null && !options.has(String(savedId)))
    options.set(String(savedId), { value: String(savedId), label: num })
  return (
    <Stack gap={4}>
      {of.isDisabled ? (
        <Fact label={said.field.order}>{num ?? said.field.noOrder}</Fact>
      ) : (
        <Select
          label={said.field.order}
          placeholder={said.field.noOrder}
          searchable
          clearable
          data={[...options.values()]}
          value={of.value === null ? null : String(of.value)}
          error={of.error}
          onSearchChange={setTyped}
          filter={({ options: found }) => found}
          onChange={(value) => of.onChange(value === null ? null : Number(value))}
          nothingFoundMessage={words.kit.select.nothing}
        />
      )}
      {of.value !== null && (
        <Anchor component={Link} to={`/sales/${of.value}`} size="xs">
          {said.openSale}
        </Anchor>
      )}
    </Stack>
  )
}
