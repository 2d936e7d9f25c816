// What the difference of a counted line is worth and what it is valued at; a surplus can be given a unit cost.

import { Anchor, Text } from '@mantine/core'
import { useState } from 'react'
import { currencySign, money } from '../format.ts'
import { FormDialog } from '../kit/form-dialog.tsx'
import { NumberField } from '../kit/number-field.tsx'
import { messages } from '../messages.ts'
import { mutate } from '../server/query.ts'
import { type AuditCard, type CountedLine, countedLines } from './audit.ts'
import { canceled } from './audit-actions.tsx'
import classes from './stock.module.css'

const texts = messages.audits.valuedAt

type Props = { readonly card: AuditCard; readonly line: CountedLine }

export function LineValue({ card, line }: Props) {
  const [isOpen, setOpen] = useState(false)
  if (line.difference === 0) return money(0)
  const mayChange = line.difference > 0 && card.audit.status !== canceled
  return (
    <>
      {money(line.cost)}
      <Text size="xs" c="dimmed">
        {mayChange ? (
          <Anchor
            component="button"
            type="button"
            size="xs"
            className={classes['costSource'] ?? ''}
            aria-label={texts.change(line.name, texts.source[line.cost_source])}
            onClick={() => setOpen(true)}
          >
            {texts.source[line.cost_source]}
          </Anchor>
        ) : (
          texts.source[line.cost_source]
        )}
      </Text>
      {isOpen && <UnitCostDialog card={card} line={line} onClose={() => setOpen(false)} />}
    </>
  )
}

/** Every line is sent back as it was counted; only this one gets another cost. */
function inputOf({ audit }: AuditCard, line: CountedLine, unitCost: number) {
  const of = (type: CountedLine['type']) =>
    countedLines(audit)
      .filter((one) => one.type === type)
      .map(({ id, counted, counted_at }) => ({
        ...{ id, counted, counted_at },
        ...(id === line.id ? { unit_cost: unitCost === 0 ? null : unitCost } : {}),
      }))
  return { audit_id: audit.id, products: of('product'), materials: of('material') }
}

function UnitCostDialog({ card, line, onClose }: Props & { readonly onClose: () => void }) {
  return (
    <FormDialog
      title={texts.title(line.name)}
      label={messages.kit.card.save}
      size="sm"
      start={{ unit_cost: line.unit_cost ?? 0 }}
      save={({ unit_cost }) => mutate('audits/edit', inputOf(card, line, unit_cost), { expect: card.seq })}
      onClose={onClose}
      fields={(form) => (
        <NumberField
          label={texts.field(line.unit)}
          description={texts.hint}
          leftSection={currencySign()}
          decimals={6}
          value={form.values.unit_cost}
          error={form.errors['unit_cost']}
          onChange={(cost) => form.setFieldValue('unit_cost', cost)}
        />
      )}
    />
  )
}
