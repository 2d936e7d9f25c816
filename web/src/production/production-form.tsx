// The form of a production: lines, dates and sale; its status, actions and tabs.

import { Anchor } from '@mantine/core'
import { type ReactNode, useMemo, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { confirmSaveEffect } from '../documents/actions.tsx'
import { bind, DocumentDay, NotesField, NumField, StorageField } from '../documents/fields.tsx'
import { CardState } from '../documents/states.tsx'
import { day, money, quantity } from '../format.ts'
import { CardPage, type CardTab } from '../kit/card-page.tsx'
import { effectAndHistory } from '../kit/card-tabs.tsx'
import type { Figure } from '../kit/figures.tsx'
import type { Form } from '../kit/form.ts'
import { navigateFreely } from '../kit/leave-guard.tsx'
import type { Line } from '../kit/line.ts'
import { notify, notifyError } from '../kit/notify.tsx'
import type { Printable } from '../kit/print-address.ts'
import { useRecordForm } from '../kit/record-form.tsx'
import { messages } from '../messages.ts'
import { mutate } from '../server/query.ts'
import { useMay, useSeesMoney, useSession } from '../session.tsx'
import { productionStatus } from '../statuses.ts'
import { done, productionStates, setState } from './actions.tsx'
import { actionsOf } from './card-actions.ts'
import { MissingTab } from './missing-tab.tsx'
import { essenceOf, inputOf, type ProductionCard, type ProductionValues, valuesOf } from './production.ts'
import { ProductionLines } from './production-lines.tsx'
import { SaleField } from './sale-field.tsx'

const texts = messages.production
const { field } = texts
const { figure } = messages.documents
const crumbs = [{ label: texts.title, to: '/productions' }]

type Props =
  | { readonly card: ProductionCard; readonly reload: () => Promise<unknown>; readonly start?: never }
  | { readonly start: ProductionValues; readonly card?: never; readonly reload?: never }

const written = (lines: readonly Line[]): string =>
  lines.map((line) => `${quantity(line.amount, line.unit)} ${line.name}`).join(', ')

export function ProductionForm({ card, start, reload }: Props) {
  const { today } = useSession()
  const navigate = useNavigate()
  const isReadOnly = !useMay('manager')
  const seesMoney = useSeesMoney()
  const [initial] = useState(start)
  const saved = useMemo(() => (card ? valuesOf(card) : initial), [card, initial]) as ProductionValues
  const record = useRecordForm<ProductionValues>({
    saved,
    save: async (values, force) => {
      if (card !== undefined) return await edit(card, values, saved, force)
      const id = await add(values, saved)
      navigateFreely(() => void navigate(`/productions/${id}`, { replace: true }))
      notify(texts.created)
    },
    labels: { ...field, num: messages.documents.number, notes: messages.documents.notes },
    essence: { lines: essenceOf, uses: essenceOf },
    shown: { lines: written, uses: written },
    ...(card ? { reload, of: { record: 'production', id: card.production.id } } : { label: texts.create }),
  })
  const { form } = record
  const buttons = card && actionsOf(card, { today, isDirty: record.isDirty, isReadOnly, navigate })
  return (
    <CardPage
      title={card ? texts.one(card.production.num) : texts.add}
      crumbs={crumbs}
      badges={
        card && (
          <CardState
            of="production"
            code={card.production.status}
            num={card.production.num}
            id={card.production.id}
            settable={productionStates}
            change={(to) => setState({ ...card.production, missing: card.missing }, to, today).catch(notifyError)}
          />
        )
      }
      facts={card ? factsOf(card.production) : []}
      figures={card ? figuresOf(card, seesMoney) : []}
      saveBar={record.saveBar}
      actions={buttons?.actions ?? [record.saveAction]}
      menu={buttons?.menu ?? []}
      prints={card ? [printOf(card.production.id)] : []}
      side={<ProductionSide form={form} production={card?.production} isReadOnly={isReadOnly} />}
      tabs={card ? tabsOf(card) : []}
    >
      {record.notices}
      <ProductionLines form={form} card={card} saved={saved} isReadOnly={isReadOnly} error={record.error} />
    </CardPage>
  )
}

const printOf = (id: number): Printable => ({
  label: messages.print.jobSheet,
  kind: 'job-sheet',
  parameters: { id: String(id) },
})

async function add(values: ProductionValues, start: ProductionValues): Promise<number> {
  const input = inputOf(values, { ...start, lines: [] })
  const { production_id: id } = await mutate('productions/add', { products: [], ...input })
  return id
}

async function edit(
  { production: { id, num }, seq }: ProductionCard,
  values: ProductionValues,
  saved: ProductionValues,
  force: boolean,
): Promise<void> {
  const input = { production_id: id, ...inputOf(values, saved) }
  await confirmSaveEffect('productions/edit', input, messages.documents.saving(texts.one(num)))
  await mutate('productions/edit', input, force ? {} : { expect: seq })
}

function figuresOf({ production, missing }: ProductionCard, seesMoney: boolean): Figure[] {
  const isOpen = production.status !== done && production.status !== productionStatus.canceled
  return [
    ...(production.amount === null
      ? []
      : [{ label: figure.quantity, value: quantity(production.amount, unitOf(production)) }]),
    ...(isOpen
      ? [
          {
            label: figure.missing,
            value: missing.length === 0 ? figure.allThere : figure.missingItems(missing.length),
            ...(missing.length > 0 ? { to: '?tab=missing' } : {}),
          },
        ]
      : []),
    ...(seesMoney
      ? [
          {
            label: figure.cost,
            value: money(production.cost || null),
            ...(production.cost ? {} : { hint: figure.costUnknown }),
          },
        ]
      : []),
  ]
}

/** All lines have it, if there is a total quantity. */
const unitOf = ({ products }: ProductionCard['production']): string | undefined => products[0]?.unit

function factsOf(production: ProductionCard['production']): ReactNode[] {
  const { status, date_planned: plannedOn, date_done: doneOn, order_id: sale, order_num: num } = production
  const isDone = status === done
  return [
    ...(plannedOn && !isDone ? [texts.board.planned_on(day(plannedOn))] : []),
    ...(isDone && doneOn ? [texts.board.done_on(day(doneOn))] : []),
    ...(sale === null
      ? []
      : [
          <Anchor key="sale" component={Link} to={`/sales/${sale}`} size="sm">
            {texts.board.forSale(num ?? '')}
          </Anchor>,
        ]),
  ]
}

function tabsOf(card: ProductionCard): CardTab[] {
  const { id, status } = card.production
  return [
    {
      name: 'missing',
      label: texts.missing.tab,
      count: card.missing.length,
      show: () => <MissingTab missing={card.missing} isDone={status === done} />,
    },
    ...effectAndHistory('production', id, card.effect),
  ]
}

type SideProps = {
  readonly form: Form<ProductionValues>
  readonly production: ProductionCard['production'] | undefined
  readonly isReadOnly: boolean
}

function ProductionSide({ form, production, isReadOnly }: SideProps) {
  const of = <K extends keyof ProductionValues & string>(name: K) => bind(form, name, isReadOnly)
  return (
    <>
      <DocumentDay label={field.date_planned} of={of('date_planned')} />
      {production && production.date_done !== '' && <DocumentDay label={field.date_done} of={of('date_done')} />}
      <SaleField of={of('order_id')} num={production?.order_num ?? null} savedId={production?.order_id ?? null} />
      <StorageField label={messages.documents.productsStorage} of={of('products_storage_id')} />
      <StorageField label={messages.documents.materialsStorage} of={of('materials_storage_id')} />
      <DocumentDay label={field.date_placed} of={of('date_placed')} />
      <NumField of={of('num')} />
      <NotesField of={of('notes')} />
    </>
  )
}
