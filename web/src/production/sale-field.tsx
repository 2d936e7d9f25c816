// The sale a production is for: searched by number or customer among open sales.

import { Anchor, Select, Stack } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { Link } from 'react-router'
import { type Bound, Fact } from '../documents/fields.tsx'
import { messages } from '../messages.ts'
import { useMethod } from '../server/query.ts'

const texts = messages.production

type Props = { readonly of: Bound<number | null>; readonly num: string | null; readonly savedId: number | null }

export function SaleField({ of, num, savedId }: Props) {
  const [typed, setTyped] = useState('')
  const [search] = useDebouncedValue(typed, 150)
  const sales = useMethod(
    'orders/browse',
    { cut: 'open', limit: 20, ...(search.includes(' · ') ? {} : { search }) },
    { keep: true, enabled: !of.isDisabled },
  )
  const options = new Map(
    (sales.data?.orders ?? []).map((sale) => [
      String(sale.id),
      { value: String(sale.id), label: `${sale.num} · ${sale.customer_name}` },
    ]),
  )
  if (savedId !== null && num !== null && !options.has(String(savedId)))
    options.set(String(savedId), { value: String(savedId), label: num })
  return (
    <Stack gap={4}>
      {of.isDisabled ? (
        <Fact label={texts.field.order}>{num ?? texts.field.noOrder}</Fact>
      ) : (
        <Select
          label={texts.field.order}
          placeholder={texts.field.noOrder}
          searchable
          clearable
          data={[...options.values()]}
          value={of.value === null ? null : String(of.value)}
          error={of.error}
          onSearchChange={setTyped}
          filter={({ options: found }) => found}
          onChange={(value) => of.onChange(value === null ? null : Number(value))}
          nothingFoundMessage={messages.kit.select.nothing}
        />
      )}
      {of.value !== null && (
        <Anchor component={Link} to={`/sales/${of.value}`} size="xs">
          {texts.openSale}
        </Anchor>
      )}
    </Stack>
  )
}
