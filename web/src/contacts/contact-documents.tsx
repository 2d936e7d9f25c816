// The latest documents of a customer or supplier, each linked, with a link to all of them.

import { Anchor, Group, Table, Text } from '@mantine/core'
import { Link } from 'react-router'
import { count, day, money } from '../format.ts'
import { LoadError } from '../kit/load-error.tsx'
import { Skeletons } from '../kit/skeletons.tsx'
import { PaymentBadge, StateBadge } from '../kit/state-badge.tsx'
import { messages } from '../messages.ts'
import { useMethod } from '../server/query.ts'
import { useSeesMoney, useSession } from '../session.tsx'
import type { ContactKindRules } from './kinds.ts'

const texts = messages.contacts
const shown = 20
const newest = { sort: 'date_placed', direction: 'desc', limit: shown } as const

/** The fields that both lists of documents have. */
type Row = {
  readonly id: number
  readonly num: string
  readonly status: number
  readonly payment: number
  readonly date_placed: string
  readonly total: number
}

/** The latest documents, with the sums over all of them. */
export function useDocuments(rules: ContactKindRules, id: number) {
  const isCustomer = rules.kind === 'customer'
  const sales = useMethod('orders/browse', { customer_id: id, ...newest }, { enabled: isCustomer })
  const purchases = useMethod('purchases/browse', { supplier_id: id, ...newest }, { enabled: !isCustomer })
  const rows: readonly Row[] | undefined = isCustomer ? sales.data?.orders : purchases.data?.purchases
  return { query: isCustomer ? sales : purchases, rows, answer: isCustomer ? sales.data : purchases.data }
}

export function ContactDocuments({ rules, id }: { rules: ContactKindRules; id: number }) {
  const isCustomer = rules.kind === 'customer'
  const seesMoney = useSeesMoney()
  const { settings } = useSession()
  const { query, rows } = useDocuments(rules, id)
  if (rows === undefined || query.data === undefined)
    return query.error ? <LoadError error={query.error} again={() => void query.refetch()} /> : <Skeletons rows={5} />
  if (rows.length === 0) return <Text c="dimmed">{rules.texts.noDocuments}</Text>
  const { total } = query.data
  const showsPayment = !isCustomer || settings.show_payment_status
  return (
    <>
      <Table.ScrollContainer minWidth={480} type="native">
        <Table fz="sm">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{texts.number}</Table.Th>
              <Table.Th>{texts.status}</Table.Th>
              {showsPayment && <Table.Th>{texts.payment}</Table.Th>}
              <Table.Th>{texts.date}</Table.Th>
              {seesMoney && <Table.Th ta="right">{texts.amount}</Table.Th>}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map((row) => (
              <Table.Tr key={row.id}>
                <Table.Td>
                  <Anchor component={Link} to={`${rules.documents}/${row.id}`} size="sm">
                    {row.num}
                  </Anchor>
                </Table.Td>
                <Table.Td>
                  <StateBadge of={isCustomer ? 'sale' : 'purchase'} code={row.status} />
                </Table.Td>
                {showsPayment && (
                  <Table.Td>
                    <PaymentBadge code={row.payment} />
                  </Table.Td>
                )}
                <Table.Td>{day(row.date_placed)}</Table.Td>
                {seesMoney && <Table.Td ta="right">{money(row.total)}</Table.Td>}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      <Group gap="sm" mt="xs">
        {total > rows.length && (
          <Text size="sm" c="dimmed">
            {texts.shownOf(rows.length, count(total))}
          </Text>
        )}
        <Anchor component={Link} to={`${rules.documents}?cut=all&${rules.kind}_id=${id}`} size="sm">
          {rules.texts.all}
        </Anchor>
      </Group>
    </>
  )
}
