// The warning next to a document's number when another one has the same number. Duplicates are allowed, so it can still be saved.

import { Anchor, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconAlertTriangle } from '@tabler/icons-react'
import { Link } from 'react-router'
import { day } from '../format.ts'
import { messages } from '../messages.ts'
import { useMethod } from '../server/query.ts'
import classes from './number-taken.module.css'

const maxNumberLength = 255

/** `id` is that of the document being edited. */
type Props = { readonly num: string; readonly id: number | undefined }

export function SaleNumberTaken({ num, id }: Props) {
  const typed = useTypedNumber(num)
  const found = useMethod(
    'orders/find_number',
    { num: typed ?? '', ...(id === undefined ? {} : { order_id: id }) },
    { enabled: typed !== undefined },
  )
  const sales = typed === num.trim() ? (found.data?.orders ?? []) : []
  return (
    <Taken
      texts={messages.sales.numberTaken}
      documents={sales.map((sale) => ({ ...sale, party: sale.customer_name, to: `/sales/${sale.id}` }))}
    />
  )
}

export function PurchaseNumberTaken({ num, id }: Props) {
  const typed = useTypedNumber(num)
  const found = useMethod(
    'purchases/find_number',
    { num: typed ?? '', ...(id === undefined ? {} : { purchase_id: id }) },
    { enabled: typed !== undefined },
  )
  const purchases = typed === num.trim() ? (found.data?.purchases ?? []) : []
  return (
    <Taken
      texts={messages.purchases.numberTaken}
      documents={purchases.map((one) => ({ ...one, party: one.supplier_name, to: `/purchases/${one.id}` }))}
    />
  )
}

/** Undefined when there is nothing to look up. */
function useTypedNumber(num: string): string | undefined {
  const [typed] = useDebouncedValue(num.trim(), 250)
  return typed !== '' && typed.length <= maxNumberLength ? typed : undefined
}

type TakenProps = {
  readonly texts: {
    readonly one: string
    readonly many: string
    readonly document: (num: string, party: string, day: string) => string
    readonly allowed: string
  }
  readonly documents: readonly {
    readonly id: number
    readonly num: string
    readonly date_placed: string
    readonly party: string
    readonly to: string
  }[]
}

function Taken({ texts, documents }: TakenProps) {
  if (documents.length === 0) return null
  return (
    <div role="status" className={classes['taken']}>
      <IconAlertTriangle size={16} aria-hidden />
      <div>
        <Text size="xs">{documents.length === 1 ? texts.one : texts.many}</Text>
        {documents.map(({ id, num, date_placed: date, party, to }) => (
          // Opens in another tab: the document on this page is not saved yet.
          <Anchor key={id} component={Link} to={to} target="_blank" size="xs" underline="always" display="block">
            {texts.document(num, party, day(date))}
          </Anchor>
        ))}
        <Text size="xs">{texts.allowed}</Text>
      </div>
    </div>
  )
}
