// The form of a quote: lines with prices, customer, dates, delivery and discount; actions and the log of its links. Only drafts can be changed.

import { Anchor, Text } from '@mantine/core'
import { type ReactNode, useMemo, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { sum } from '../decimal.ts'
import { bind, DocumentDay, Fact, MoneyCell, NumField } from '../documents/fields.tsx'
import { useLineStock } from '../documents/line-stock.ts'
import { pricedEssence } from '../documents/lines.ts'
import { Sums } from '../documents/sums.tsx'
import { type SumRow, totalRows } from '../documents/tax-rows.ts'
import { day, money, quantity, text } from '../format.ts'
import { CardPage, type CardTab } from '../kit/card-page.tsx'
import { HistoryTab } from '../kit/card-tabs.tsx'
import type { Form } from '../kit/form.ts'
import { navigateFreely } from '../kit/leave-guard.tsx'
import { subtotalOf } from '../kit/line.ts'
import { LineGrid } from '../kit/line-grid.tsx'
import { notify } from '../kit/notify.tsx'
import type { Printable } from '../kit/print-address.ts'
import { useRecordForm } from '../kit/record-form.tsx'
import { percent, useHasTaxes } from '../kit/tax-rates.ts'
import { TextArea } from '../kit/text-area.tsx'
import { messages } from '../messages.ts'
import { CustomerField } from '../sales/customer-field.tsx'
import { mutate } from '../server/query.ts'
import { useSession } from '../session.tsx'
import { quoteStatus } from '../statuses.ts'
import { LogTab } from './log-tab.tsx'
import { inputOf, type QuoteCard, type QuoteValues, valuesOf } from './quote.ts'
import { quoteActions } from './quote-actions.tsx'
import { SendQuote } from './quote-link.tsx'
import { QuoteState } from './quote-state.tsx'

const texts = messages.quotes

type Props =
  | { readonly card: QuoteCard; readonly reload: () => Promise<unknown>; readonly start?: never }
  | { readonly start: QuoteValues; readonly card?: never; readonly reload?: never }
type QuoteForm = Form<QuoteValues>

export function QuoteForm({ card, start, reload }: Props) {
  const navigate = useNavigate()
  const [initial] = useState(start)
  const [isSending, setSending] = useState(false)
  const quote = card?.quote
  const isReadOnly = quote !== undefined && quote.status !== quoteStatus.draft
  const saved = useMemo(() => (card ? valuesOf(card) : initial), [card, initial]) as QuoteValues
  const record = useRecordForm<QuoteValues>({
    saved,
    save: async (values, force) => {
      if (card !== undefined) {
        await mutate('quotes/edit', { quote_id: card.quote.id, ...inputOf(values) }, force ? {} : { expect: card.seq })
        return notify(texts.saved(values.num))
      }
      const { quote_id: id } = await mutate('quotes/add', inputOf(values))
      navigateFreely(() => void navigate(`/quotes/${id}`, { replace: true }))
      notify(texts.created)
    },
    labels: texts.field,
    essence: { lines: pricedEssence },
    shown: { lines: (lines) => lines.map((line) => `${quantity(line.amount, line.unit)} ${line.name}`).join(', ') },
    ...(card ? { reload, of: { record: 'quote', id: card.quote.id } } : { label: texts.create }),
  })
  const { form } = record
  const buttons = card && quoteActions(card, { navigate, askForAddress: () => setSending(true) })
  return (
    <CardPage
      title={quote ? texts.numbered(quote.num) : texts.add}
      crumbs={[{ label: texts.title, to: '/quotes' }]}
      badges={quote && <QuoteState quote={quote} />}
      facts={card ? factsOf(card) : []}
      actions={buttons?.actions ?? [record.saveAction]}
      menu={buttons?.menu ?? []}
      prints={quote ? [printOf(quote.id)] : []}
      saveBar={record.saveBar}
      isSideFirst={quote === undefined}
      side={<QuoteSide form={form} isReadOnly={isReadOnly} status={quote?.status} />}
      tabs={card ? tabsOf(card) : []}
    >
      {record.notices}
      {card && isSending && <SendQuote card={card} onClose={() => setSending(false)} />}
      <QuoteLines form={form} isReadOnly={isReadOnly} error={record.error} card={card} />
    </CardPage>
  )
}

const printOf = (id: number): Printable => ({
  label: messages.print.quote,
  kind: 'quote',
  parameters: { id: String(id) },
})

const factsOf = ({ quote }: QuoteCard): ReactNode[] => [
  <Anchor key="customer" component={Link} to={`/customers/${quote.customer_id}`} fz="sm">
    {quote.customer_name}
  </Anchor>,
  texts.validUntil(day(quote.valid_until)),
  ...(quote.order_id === null
    ? []
    : [
        <Anchor key="sale" component={Link} to={`/sales/${quote.order_id}`} fz="sm">
          {texts.ofSale(text(quote.order_num))}
        </Anchor>,
      ]),
]

type PartProps = { readonly form: QuoteForm; readonly isReadOnly: boolean }

/** Without a status it is new. */
function QuoteSide({ form, isReadOnly, status }: PartProps & { readonly status: number | undefined }) {
  const of = <K extends keyof QuoteValues & string>(name: K) => bind(form, name, isReadOnly)
  return (
    <>
      <CustomerField
        value={form.values.customer_id}
        error={form.errors['customer_id']}
        isReadOnly={isReadOnly}
        autoFocus={status === undefined}
        onChange={(id) => form.setFieldValue('customer_id', id)}
      />
      <NumField of={of('num')} />
      <DocumentDay label={texts.field.date_placed} of={of('date_placed')} />
      <DocumentDay label={texts.field.valid_until} of={of('valid_until')} />
      {isReadOnly ? (
        <>
          <Fact label={texts.field.notes}>{text(form.values.notes)}</Fact>
          {status !== quoteStatus.accepted && (
            <Text fz="sm" c="dimmed">
              {texts.readOnly}
            </Text>
          )}
        </>
      ) : (
        <TextArea
          label={texts.field.notes}
          description={texts.notesHint}
          minRows={2}
          maxRows={10}
          {...form.getInputProps('notes')}
        />
      )}
    </>
  )
}

type LinesProps = PartProps & { readonly error: unknown; readonly card: QuoteCard | undefined }

function QuoteLines({ form, isReadOnly, error, card }: LinesProps) {
  const { settings } = useSession()
  const { lines } = form.values
  const places = { product: settings.products_storage_id, material: settings.materials_storage_id }
  const stockOf = useLineStock(isReadOnly ? [] : lines, places)
  const hasMaterials = settings.materials_in_sales || lines.some(({ type }) => type === 'material')
  return (
    <LineGrid
      lines={lines}
      onChange={(change) => form.setFieldValue('lines', change)}
      sources={[
        { kinds: ['product'], storageId: places.product },
        ...(hasMaterials ? [{ kinds: ['material'] as const, storageId: places.material }] : []),
      ]}
      withStock={!isReadOnly}
      stockOf={stockOf}
      isReadOnly={isReadOnly}
      error={error}
      footer={<QuoteSums form={form} isReadOnly={isReadOnly} card={card} />}
    />
  )
}

function QuoteSums({ form, isReadOnly, card }: Omit<LinesProps, 'error'>) {
  const { lines, delivery_price: delivery, discount } = form.values
  const subtotal = subtotalOf(lines)
  const of = (name: 'delivery_price' | 'discount') => bind(form, name, isReadOnly)
  const { field } = texts
  return (
    <Sums
      rows={[
        { label: texts.subtotal, value: money(subtotal) },
        {
          label: field.delivery_price,
          value: <MoneyCell label={field.delivery_price} of={of('delivery_price')} />,
        },
        { label: field.discount, value: <MoneyCell label={field.discount} of={of('discount')} /> },
        ...useTotal(form.values, sum([subtotal, delivery, -discount], 2), card),
      ]}
    />
  )
}

/** With the tax, unless something was changed that it depends on. */
function useTotal(values: QuoteValues, total: number, card: QuoteCard | undefined): SumRow[] {
  const hasTaxes = useHasTaxes()
  const saved = useMemo(() => (card === undefined ? undefined : taxed(valuesOf(card))), [card])
  const tax = card === undefined || saved !== taxed(values) ? undefined : card.tax
  const rows = totalRows(total, tax ?? null, { money, percent }, { total: texts.total, tax: messages.sales.tax })
  const isUnknown = tax === undefined && (card === undefined ? hasTaxes : card.tax !== null || hasTaxes)
  return isUnknown ? [...rows, { label: messages.sales.tax.afterSaving, value: '' }] : rows
}

/** What the tax depends on. */
const taxed = ({ customer_id, delivery_price, discount, lines }: QuoteValues): string =>
  JSON.stringify([customer_id, delivery_price, discount, lines.map(({ id, total }) => [id, total])])

const tabsOf = (card: QuoteCard): CardTab[] => [
  { name: 'log', label: texts.tab.log, show: () => <LogTab links={card.links} /> },
  {
    name: 'history',
    label: texts.tab.history,
    show: () => <HistoryTab record="quote" id={card.quote.id} />,
  },
]
