// The form of a production: what is made, what is used for it and what that costs, the sale it is for; its acts and tabs.

import { Anchor, Stack, Text, Title } from '@mantine/core'
import { useMemo, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { agreeToEffect } from '../documents/acts.tsx'
import { bind, DocumentDay, NotesField, NumField, StorageField } from '../documents/fields.tsx'
import { useLineStock } from '../documents/line-stock.ts'
import { CardState } from '../documents/states.tsx'
import { Sums } from '../documents/sums.tsx'
import { day, empty, money, quantity } from '../format.ts'
import { CardPage } from '../kit/card-page.tsx'
import { effectAndHistory } from '../kit/card-tabs.tsx'
import { lineOf } from '../kit/field-errors.ts'
import { letThrough } from '../kit/leave-guard.tsx'
import type { Line, LineStock } from '../kit/line.ts'
import { LineGrid } from '../kit/line-grid.tsx'
import { useRecordForm } from '../kit/record-form.tsx'
import { failed, told } from '../kit/told.tsx'
import { act } from '../server/query.ts'
import { useMay, useSeesMoney, useSession } from '../session.tsx'
import { words } from '../words.ts'
import { done, planned, productionStates, setState } from './acts.tsx'
import { actsOf } from './card-acts.ts'
import { MissingTab } from './missing-tab.tsx'
import { OrderField } from './order-field.tsx'
import { type Card, costsOf, essenceOf, inputOf, type Values, valuesOf } from './production.ts'

const said = words.production
const { field } = said
const crumbs = [{ label: said.title, to: '/productions' }]

type Props =
  | { readonly card: Card; readonly reload: () => Promise<unknown>; readonly start?: never }
  | { readonly start: Values; readonly card?: never; readonly reload?: never }

export function ProductionForm({ card, start, reload }: Props) {
  const { today } = useSession()
  const navigate = useNavigate()
  const isReadOnly = !useMay('manager')
  const seesMoney = useSeesMoney()
  const [initial] = useState(start)
  const saved = useMemo(() => (card ? valuesOf(card) : initial), [card, initial]) as Values
  const production = card?.production

  const save = async (values: Values, force: boolean): Promise<void> => {
    if (card === undefined) {
      const input = inputOf(values, { ...saved, lines: [] })
      const { production_id: id } = await act('productions/add', { products: [], ...input })
      letThrough(() => void navigate(`/productions/${id}`, { replace: true }))
      told(said.created)
      return
    }
    const edit = { production_id: card.production.id, ...inputOf(values, saved) }
    await agreeToEffect('productions/edit', edit, words.documents.saving(said.one(card.production.num)))
    await act('productions/edit', edit, force ? {} : { expect: card.seq })
  }
  const written = (lines: readonly Line[]): string =>
    lines.map((line) => `${quantity(line.amount, line.unit)} ${line.name}`).join(', ')
  const record = useRecordForm<Values>({
    saved,
    save,
    labels: { ...field, num: words.documents.number, notes: words.documents.notes },
    essence: { lines: essenceOf, uses: essenceOf },
    shown: { lines: written, uses: written },
    ...(reload ? { reload } : {}),
  })
  const { form, error } = record
  const { values } = form
  const of = <K extends keyof Values & string>(name: K) => bind(form, name, isReadOnly)
  const place = values.materials_storage_id
  const isDone = production?.status === done
  const there = useLineStock(values.uses, { product: place, material: place }, !isDone)
  // What others take before it is not there for it.
  const left = new Map(card?.missing.map(({ item_id: id, available }) => [id, available]))
  const stockOf = (line: Line): LineStock | undefined => {
    const stock = there(line)
    return stock && { ...stock, available: left.get(line.id) ?? stock.available }
  }
  const followsSale = production?.status === planned && values.order_id !== null && values.order_id === saved.order_id
  const linesChanged = JSON.stringify(essenceOf(values.lines)) !== JSON.stringify(essenceOf(saved.lines))
  const costs = card && costsOf(card)
  const wrong = (lines: readonly Line[]): number => (error === undefined ? -1 : lineOf(error, lines))
  const acts = card && actsOf(card, { today, isDirty: record.isDirty, isReadOnly, navigate })

  return (
    <CardPage
      title={production ? said.one(production.num) : said.add}
      crumbs={crumbs}
      badges={
        card && (
          <CardState
            of="production"
            code={card.production.status}
            num={card.production.num}
            id={card.production.id}
            settable={productionStates}
            change={(to) => setState({ ...card.production, missing: card.missing }, to, today).catch(failed)}
          />
        )
      }
      facts={
        production
          ? [
              ...(production.date_planned && !isDone ? [said.board.planned_on(day(production.date_planned))] : []),
              ...(isDone && production.date_done ? [said.board.done_on(day(production.date_done))] : []),
              ...(seesMoney ? [money(production.cost)] : []),
              ...(production.order_id === null
                ? []
                : [
                    <Anchor key="sale" component={Link} to={`/sales/${production.order_id}`} size="sm">
                      {said.board.forSale(production.order_num ?? '')}
                    </Anchor>,
                  ]),
            ]
          : []
      }
      saveBar={record.saveBar}
      actions={acts?.actions ?? [{ label: words.kit.card.save, run: () => record.submit() }]}
      menu={acts?.menu ?? []}
      side={
        <>
          <DocumentDay label={field.date_planned} of={of('date_planned')} />
          {production && production.date_done !== '' && <DocumentDay label={field.date_done} of={of('date_done')} />}
          <OrderField of={of('order_id')} num={production?.order_num ?? null} savedId={production?.order_id ?? null} />
          <StorageField label={words.documents.productsStorage} of={of('products_storage_id')} />
          <StorageField label={words.documents.materialsStorage} of={of('materials_storage_id')} />
          <DocumentDay label={field.date_placed} of={of('date_placed')} />
          <NumField of={of('num')} />
          <NotesField of={of('notes')} />
        </>
      }
      tabs={
        card
          ? [
              {
                name: 'missing',
                label: said.missing.tab,
                count: card.missing.length,
                show: () => <MissingTab missing={card.missing} isDone={isDone} />,
              },
              ...effectAndHistory('production', card.production.id, card.effect),
            ]
          : []
      }
    >
      {record.notices}
      <Stack gap="xs">
        <Title order={2}>{said.makes}</Title>
        {followsSale && (
          <Text size="sm" c="dimmed">
            {said.follows(production?.order_num ?? '')}
          </Text>
        )}
        <LineGrid
          lines={values.lines}
          onChange={(lines) => form.setFieldValue('lines', lines)}
          sources={[{ kinds: ['product'], storageId: values.products_storage_id ?? undefined }]}
          isPriced={false}
          isReadOnly={isReadOnly || followsSale}
          wrongLine={wrong(values.lines)}
        />
        <Title order={2} mt="sm">
          {said.uses}
        </Title>
        {!isReadOnly && !isDone && (
          <Text size="sm" c="dimmed">
            {linesChanged || card === undefined ? said.usesLater : said.usesHint}
          </Text>
        )}
        {card !== undefined && (
          <LineGrid
            lines={values.uses}
            onChange={(uses) => form.setFieldValue('uses', uses)}
            sources={[{ kinds: ['material', 'product'], storageId: place ?? undefined }, { kinds: ['resource'] }]}
            isPriced={false}
            withStock={!isDone}
            stockOf={stockOf}
            isReadOnly={isReadOnly}
            wrongLine={wrong(values.uses)}
            columns={
              seesMoney
                ? [
                    {
                      key: 'cost',
                      title: said.lineCost,
                      isRight: true,
                      show: (line) => (costs?.has(line.key) ? money(costs.get(line.key)) : empty),
                    },
                  ]
                : []
            }
            footer={seesMoney && <Costs card={card} />}
          />
        )}
      </Stack>
    </CardPage>
  )
}

function Costs({ card: { production } }: { card: Card }) {
  const sum = (lines: readonly { cost: number }[]): number => lines.reduce((all, { cost }) => all + cost, 0)
  return (
    <Sums
      rows={[
        { label: said.materialsCost, value: money(sum(production.materials)) },
        { label: said.resourcesCost, value: money(sum(production.resources)) },
        { label: said.cost, value: money(production.cost), isMain: true },
      ]}
    />
  )
}
