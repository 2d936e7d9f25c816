// A quote as the customer sees it who has the link: without an account, in the language of the company's documents, to accept or decline.

import { Anchor, Paper, Skeleton, Table, Text, Title } from '@mantine/core'
import { type ReactNode, useEffect, useState } from 'react'
import { useParams } from 'react-router'
import { type SumRow, totalRows } from '../documents/tax-rows.ts'
import { LoadError } from '../kit/load-error.tsx'
import { usePage } from '../kit/page.tsx'
import type { Catalog } from '../messages/catalog.ts'
import { catalogOf } from '../messages.ts'
import type { Output } from '../server/call.ts'
import { useMethod } from '../server/query.ts'
import { Decision } from './shared-decision.tsx'
import { type Formats, formatsFor } from './shared-formats.ts'
import classes from './shared-quote.module.css'

type Shared = Output<'quotes/get_shared'>
type Texts = Catalog['quotes']['page']
type TaxTexts = Catalog['sales']['tax']

export function Component() {
  const { token = '' } = useParams()
  // Every request of it is counted as an opening.
  const shared = useMethod('quotes/get_shared', { token }, { staleMs: Number.POSITIVE_INFINITY })
  const [catalog, setCatalog] = useState<Catalog>()
  const language = shared.data?.language
  useEffect(() => {
    if (language !== undefined) void catalogOf(language).then(setCatalog)
  }, [language])
  if (shared.error && shared.data === undefined)
    return (
      <main className={classes['page']}>
        <LoadError error={shared.error} />
      </main>
    )
  if (shared.data === undefined || catalog === undefined)
    return (
      <main className={classes['page']}>
        <Skeleton height={320} />
      </main>
    )
  return <SharedQuote token={token} shared={shared.data} texts={catalog.quotes.page} tax={catalog.sales.tax} />
}

type Props = { readonly token: string; readonly shared: Shared; readonly texts: Texts; readonly tax: TaxTexts }

function SharedQuote({ token, shared, texts, tax }: Props) {
  const { company, language, quote, lines } = shared
  const formats = formatsFor(language, company.currency)
  usePage({ title: texts.title(quote.num) })
  return (
    <main className={classes['page']} lang={language}>
      <Paper withBorder p={{ base: 'md', sm: 'xl' }} radius="md">
        <header className={classes['head']}>
          <Company company={company} texts={texts} />
          <Anchor href={`/screens/shared/quote/${token}`} download size="sm">
            {texts.download}
          </Anchor>
        </header>
        <Title order={1} mt="lg" mb="xs">
          {texts.title(quote.num)}
        </Title>
        <Facts
          rows={[
            [texts.customer, quote.customer_name],
            [texts.date, formats.day(quote.date_placed)],
            [texts.validUntil, formats.day(quote.valid_until)],
          ]}
        />
        <Lines lines={lines} texts={texts} formats={formats} />
        <Totals shared={shared} texts={{ ...texts, tax }} formats={formats} />
        {quote.notes !== '' && <Text className={classes['notes'] ?? ''}>{quote.notes}</Text>}
        <Decision token={token} shared={shared} texts={texts} formats={formats} />
      </Paper>
    </main>
  )
}

const Company = ({ company, texts }: { company: Shared['company']; texts: Texts }) => (
  <div>
    <Text fw={600} size="lg">
      {company.name}
    </Text>
    <Text size="sm" c="dimmed" className={classes['address'] ?? ''}>
      {[
        company.address,
        company.phone,
        company.email,
        company.vat_number && `${texts.vatNumber} ${company.vat_number}`,
        company.registration,
      ]
        .filter((line) => line !== '')
        .join('\n')}
    </Text>
  </div>
)

const Facts = ({ rows }: { rows: readonly (readonly [label: string, value: ReactNode])[] }) => (
  <dl className={classes['facts']}>
    {rows.map(([label, value]) => (
      <div key={label}>
        <dt>{label}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
)

type PartProps = { readonly texts: Texts; readonly formats: Formats }

/** On a phone, quantity and price are below the name. */
function Lines({ lines, texts, formats }: PartProps & { lines: Shared['lines'] }) {
  return (
    <Table my="md" verticalSpacing="xs">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{texts.item}</Table.Th>
          <Table.Th ta="right" visibleFrom="sm">
            {texts.quantity}
          </Table.Th>
          <Table.Th ta="right" visibleFrom="sm">
            {texts.price}
          </Table.Th>
          <Table.Th ta="right">{texts.total}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {lines.map((line, at) => {
          const amount = formats.quantity(line.amount, line.unit)
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: an item may be on several lines, which keep their order
            <Table.Tr key={at}>
              <Table.Td className={classes['name'] ?? ''}>
                {line.name}
                {line.sku !== '' && (
                  <Text size="xs" c="dimmed">
                    {line.sku}
                  </Text>
                )}
                <Text size="sm" c="dimmed" hiddenFrom="sm">
                  {amount} × {formats.money(line.price)}
                </Text>
              </Table.Td>
              <Table.Td ta="right" visibleFrom="sm">
                {amount}
              </Table.Td>
              <Table.Td ta="right" visibleFrom="sm">
                {formats.money(line.price)}
              </Table.Td>
              <Table.Td ta="right">{formats.money(line.total)}</Table.Td>
            </Table.Tr>
          )
        })}
      </Table.Tbody>
    </Table>
  )
}

type TotalsProps = {
  readonly shared: Shared
  readonly texts: Texts & { readonly tax: TaxTexts }
  readonly formats: Formats
}

function Totals({ shared: { quote, tax }, texts, formats }: TotalsProps) {
  const added = [
    ...(quote.delivery_price === 0 ? [] : [[texts.delivery, formats.money(quote.delivery_price)] as const]),
    ...(quote.discount === 0 ? [] : [[texts.discount, formats.money(-quote.discount)] as const]),
  ]
  const subtotal = added.length === 0 ? [] : [[texts.subtotal, formats.money(quote.subtotal)] as const, ...added]
  const rows: SumRow[] = [
    ...subtotal.map(([label, value]) => ({ label, value })),
    ...totalRows(quote.total, tax, formats, texts),
  ]
  return (
    <dl className={classes['sums']}>
      {rows.map(({ label, value, isMain }) => (
        <div key={label} data-main={isMain || undefined}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
