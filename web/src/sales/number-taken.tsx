// The warning next to a sale's number when another sale has the same number. Duplicates are allowed, so it can still be saved.

import { Anchor, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconAlertTriangle } from '@tabler/icons-react'
import { Link } from 'react-router'
import { day } from '../format.ts'
import { messages } from '../messages.ts'
import { useMethod } from '../server/query.ts'
import classes from './sale-form.module.css'

const texts = messages.sales.numberTaken
const maxNumberLength = 255

export function NumberTaken({ num, saleId }: { num: string; saleId: number | undefined }) {
  const [typed] = useDebouncedValue(num.trim(), 250)
  const isEnabled = typed !== '' && typed.length <= maxNumberLength
  const found = useMethod(
    'orders/find_number',
    { num: typed, ...(saleId === undefined ? {} : { order_id: saleId }) },
    { enabled: isEnabled },
  )
  const sales = isEnabled && typed === num.trim() ? (found.data?.orders ?? []) : []
  if (sales.length === 0) return null
  return (
    <div role="status" className={classes['taken']}>
      <IconAlertTriangle size={16} aria-hidden />
      <div>
        <Text size="xs">{sales.length === 1 ? texts.one : texts.many}</Text>
        {sales.map((sale) => (
          // Opens in another tab: the sale on this page is not saved yet.
          <Anchor
            key={sale.id}
            component={Link}
            to={`/sales/${sale.id}`}
            target="_blank"
            size="xs"
            underline="always"
            display="block"
          >
            {texts.sale(sale.num, sale.customer_name, day(sale.date_placed))}
          </Anchor>
        ))}
        <Text size="xs">{texts.allowed}</Text>
      </div>
    </div>
  )
}
