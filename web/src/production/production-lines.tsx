// The lines of a production: products, materials and resources used, and their cost.

import { Stack, Text, Title } from '@mantine/core'
import { useMemo } from 'react'
import { useLineStock } from '../documents/line-stock.ts'
import { Sums } from '../documents/sums.tsx'
import { money } from '../format.ts'
import type { Form } from '../kit/form.ts'
import type { Line, LineStock } from '../kit/line.ts'
import { LineGrid } from '../kit/line-grid.tsx'
import type { LineColumn } from '../kit/line-row.tsx'
import { messages } from '../messages.ts'
import { useSeesMoney } from '../session.tsx'
import { done, planned } from './actions.tsx'
import { costsOf, essenceOf, isUsedIn, type ProductionCard, type ProductionValues } from './production.ts'

const texts = messages.production

type Props = {
  readonly form: Form<ProductionValues>
  readonly card: ProductionCard | undefined
  readonly saved: ProductionValues
  readonly isReadOnly: boolean
  readonly error: unknown
}

export function ProductionLines({ form, card, saved, isReadOnly, error }: Props) {
  const { values } = form
  const production = card?.production
  const followsSale = production?.status === planned && values.order_id !== null && values.order_id === saved.order_id
  const linesChanged = JSON.stringify(essenceOf(values.lines)) !== JSON.stringify(essenceOf(saved.lines))
  return (
    <Stack gap="xs">
      <Title order={2}>{texts.makes}</Title>
      {followsSale && (
        <Text size="sm" c="dimmed">
          {texts.follows(production?.order_num ?? '')}
        </Text>
      )}
      <LineGrid
        lines={values.lines}
        onChange={(change) => form.setFieldValue('lines', change)}
        sources={[{ kinds: ['product'], storageId: values.products_storage_id ?? undefined }]}
        isPriced={false}
        isReadOnly={isReadOnly || followsSale}
        error={error}
      />
      <Title order={2} mt="sm">
        {texts.uses}
      </Title>
      {!isReadOnly && production?.status !== done && (
        <Text size="sm" c="dimmed">
          {linesChanged || card === undefined ? texts.usesLater : texts.usesHint}
        </Text>
      )}
      {card !== undefined && <Uses form={form} card={card} isReadOnly={isReadOnly} error={error} />}
    </Stack>
  )
}

function Uses({ form, card, isReadOnly, error }: Omit<Props, 'saved' | 'card'> & { readonly card: ProductionCard }) {
  const { values } = form
  const seesMoney = useSeesMoney()
  const isDone = card.production.status === done
  const takenFrom = { product: values.products_storage_id, material: values.materials_storage_id }
  const there = useLineStock(values.uses, takenFrom, !isDone)
  const columns = useMemo(() => (seesMoney ? [costColumn(card)] : []), [seesMoney, card])
  // Stock reserved before this production is not available to it.
  const left = new Map(card.missing.map(({ item_id: id, available }) => [id, available]))
  const stockOf = (line: Line): LineStock | undefined => {
    const stock = there(line)
    return stock && { ...stock, available: left.get(line.id) ?? stock.available }
  }
  return (
    <LineGrid
      lines={values.uses}
      onChange={(change) => form.setFieldValue('uses', change)}
      sources={[
        { kinds: ['material'], storageId: takenFrom.material ?? undefined },
        { kinds: ['product'], storageId: takenFrom.product ?? undefined },
        { kinds: ['resource'] },
      ]}
      isPriced={false}
      withStock={!isDone}
      stockOf={stockOf}
      isReadOnly={isReadOnly}
      error={error}
      isIn={isUsedIn}
      columns={columns}
      footer={seesMoney && <Costs card={card} />}
    />
  )
}

function costColumn(card: ProductionCard): LineColumn {
  const costs = costsOf(card)
  return {
    key: 'cost',
    title: texts.lineCost,
    isRight: true,
    // Goods that were never received have no cost.
    show: (line) => money(costs.get(line.key) || null),
  }
}

function Costs({ card: { production } }: { card: ProductionCard }) {
  // The total cost is rounded once and its lines individually: the two sums shown add up to the total.
  const resources = production.resources.reduce((all, { cost }) => all + cost, 0)
  return (
    <Sums
      rows={[
        { label: texts.materialsCost, value: money(production.cost - resources) },
        { label: texts.resourcesCost, value: money(resources) },
        { label: texts.cost, value: money(production.cost), isMain: true },
      ]}
    />
  )
}
