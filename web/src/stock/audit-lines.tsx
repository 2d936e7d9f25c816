// Counted against recorded quantities, line by line, and a summary for the confirmation before completing.

import { Text } from '@mantine/core'
import { Link } from 'react-router'
import { Sums } from '../documents/sums.tsx'
import { money, quantity, time, timeWithZone } from '../format.ts'
import { Quantity } from '../kit/state-badge.tsx'
import { messages } from '../messages.ts'
import { useSeesMoney } from '../session.tsx'
import { itemAddress } from './address.ts'
import { type AuditCard, type CountedLine, countedLines, differencesOf } from './audit.ts'
import { LineValue } from './audit-value.tsx'
import classes from './stock.module.css'

const texts = messages.audits

/** `+2 pcs`, `−3 pcs`, or empty. */
export function Difference({ line }: { line: Pick<CountedLine, 'difference' | 'unit'> }) {
  if (line.difference === 0) return '0'
  return (
    <strong>
      {line.difference > 0 && '+'}
      <Quantity value={line.difference} unit={line.unit} />
    </strong>
  )
}

export function AuditLines({ card }: { card: AuditCard }) {
  const { audit } = card
  const seesMoney = useSeesMoney()
  const lines = countedLines(audit)
  const { lines: differing, surplus, shortage } = differencesOf(audit)
  return (
    <div className={classes['box']}>
      <table className={classes['levels']}>
        <thead>
          <tr>
            <th>{texts.column.item}</th>
            <th data-right>{texts.column.expected}</th>
            <th data-right>{texts.column.counted}</th>
            <th data-right>{texts.column.difference}</th>
            {seesMoney && (
              <th data-right data-desk>
                {texts.column.value}
              </th>
            )}
            <th data-desk>{texts.column.at}</th>
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => (
            <tr key={line.id}>
              <ItemCell card={card} line={line} />
              <td data-right>
                <Quantity value={line.expected} unit={line.unit} />
              </td>
              <td data-right>{quantity(line.counted, line.unit)}</td>
              <td data-right>
                <Difference line={line} />
              </td>
              {seesMoney && (
                <td data-right data-desk>
                  <LineValue card={card} line={line} />
                </td>
              )}
              <td data-desk data-whole title={timeWithZone(line.counted_at)}>
                {time(line.counted_at)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <div className={classes['sums']}>
        <Text size="sm">{differing.length === 0 ? texts.nothing : texts.differs(differing.length)}</Text>
        {seesMoney && (
          <Sums
            rows={[
              { label: texts.surplus, value: money(surplus) },
              { label: texts.shortage, value: money(shortage) },
              { label: texts.net, value: money(surplus + shortage), isMain: true },
            ]}
          />
        )}
      </div>
    </div>
  )
}

/** On a phone with its value, which has no column there. */
function ItemCell({ card, line }: { card: AuditCard; line: CountedLine }) {
  const seesMoney = useSeesMoney()
  return (
    <td>
      <Link to={itemAddress({ id: line.id, storage_id: card.audit.storage_id })} className={classes['number']}>
        {line.name}
      </Link>
      <Text size="xs" c="dimmed">
        {line.sku}
      </Text>
      {seesMoney && line.difference !== 0 && (
        <Text size="sm" component="div" hiddenFrom="sm">
          <LineValue card={card} line={line} />
        </Text>
      )}
    </td>
  )
}

const maxShown = 8

/** Before completing: the differences, and how many items were not counted. */
export function DifferencesInShort({ audit, uncounted }: { audit: AuditCard['audit']; uncounted: number }) {
  const { lines } = differencesOf(audit)
  return (
    <div>
      {lines.length > 0 && (
        <table className={classes['levels']}>
          <tbody>
            {lines.slice(0, maxShown).map((line) => (
              <tr key={line.id}>
                <td>{line.name}</td>
                <td data-right>
                  {quantity(line.expected)} → {quantity(line.counted, line.unit)}
                </td>
                <td data-right>
                  <Difference line={line} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {lines.length > maxShown && (
        <Text size="sm" mt={4}>
          {texts.more(lines.length - maxShown)}
        </Text>
      )}
      {uncounted > 0 && (
        <Text size="sm" mt="xs">
          {texts.uncounted(uncounted)}
        </Text>
      )}
    </div>
  )
}
