// The page of one audit: what was counted and how it differs, what was not counted, and completing it.

import { Anchor, Text } from '@mantine/core'
import { useMemo } from 'react'
import { Link, useNavigate, useParams } from 'react-router'
import { agreeToEffect } from '../documents/acts.tsx'
import { bind, DocumentDay, NotesField, NumField, StorageField } from '../documents/fields.tsx'
import { sent } from '../documents/lines.ts'
import { CardState } from '../documents/states.tsx'
import { day } from '../format.ts'
import type { Action } from '../kit/action.tsx'
import { CardPage, CardWaiting } from '../kit/card-page.tsx'
import { effectAndHistory } from '../kit/card-tabs.tsx'
import { letThrough } from '../kit/leave-guard.tsx'
import { useRecordForm } from '../kit/record-form.tsx'
import { Quantity } from '../kit/state-badge.tsx'
import { failed } from '../kit/told.tsx'
import type { Output } from '../server/call.ts'
import { act, useMethod } from '../server/query.ts'
import { words } from '../words.ts'
import { type AuditCard, countedLines } from './audit.ts'
import { auditStates, completed, removeAudit, setAuditState } from './audit-acts.tsx'
import { AuditLines, DifferencesInShort } from './audit-lines.tsx'
import classes from './stock.module.css'

const said = words.audits
const crumbs = [
  { label: words.stock.title, to: '/stock' },
  { label: said.title, to: '/audits' },
]
type Values = { num: string; storage_id: number | null; date: string; notes: string }

export function Component() {
  const id = Number(useParams()['id'])
  const card = useMethod('audits/get_card', { audit_id: id })
  if (card.data === undefined)
    return <CardWaiting title={said.title} crumbs={crumbs} error={card.error} again={() => void card.refetch()} />
  return <AuditForm key={id} card={card.data} reload={() => card.refetch()} />
}

type Level = Output<'stock/browse'>['stock'][number]

/** What the books have here and nobody counted. */
function useUncounted({ audit }: AuditCard): Level[] | undefined {
  const levels = useMethod('stock/browse', { by: 'storage', storage_id: audit.storage_id, limit: 1000, sort: 'name' })
  const counted = new Set(countedLines(audit).map(({ id }) => id))
  return levels.data?.stock.filter(({ id, amount }) => amount !== 0 && !counted.has(id))
}

function AuditForm({ card, reload }: { card: AuditCard; reload: () => Promise<unknown> }) {
  const navigate = useNavigate()
  const { audit } = card
  const uncounted = useUncounted(card)
  const saved = useMemo<Values>(
    () => ({ num: audit.num, storage_id: audit.storage_id, date: audit.date, notes: audit.notes }),
    [audit],
  )
  const record = useRecordForm<Values>({
    saved,
    save: async (values, force) => {
      const { num, date, storage_id: storage, notes } = values
      const edit = { audit_id: audit.id, storage_id: storage ?? 0, notes, ...sent({ num: num.trim(), date }) }
      await agreeToEffect('audits/edit', edit, words.documents.saving(said.one(audit.num)))
      await act('audits/edit', edit, force ? {} : { expect: card.seq })
    },
    labels: { num: words.documents.number, storage_id: said.storage, date: said.date, notes: words.documents.notes },
    reload,
  })
  const of = <K extends keyof Values & string>(name: K) => bind(record.form, name)
  const change = (to: number) =>
    setAuditState(
      audit,
      to,
      to === completed ? <DifferencesInShort audit={audit} uncounted={uncounted?.length ?? 0} /> : undefined,
    )
  const isOpen = audit.status === 0
  const actions: Action[] = isOpen
    ? [
        { label: said.complete, run: () => change(completed) },
        { label: said.goOn, run: () => navigate(`/audits/count/${audit.id}`) },
      ]
    : [{ label: said.reopen, run: () => change(0) }]
  const menu: Action[] = [
    ...(audit.status === 4 ? [] : [{ label: words.documents.cancel, run: () => change(4) }]),
    {
      label: words.documents.delete,
      danger: true,
      run: async () => {
        if (await removeAudit(audit)) letThrough(() => void navigate('/audits'))
      },
    },
  ]
  return (
    <CardPage
      title={said.one(audit.num)}
      crumbs={crumbs}
      badges={
        <CardState
          of="audit"
          code={audit.status}
          num={audit.num}
          id={audit.id}
          settable={auditStates}
          change={(to) => change(to).catch(failed)}
        />
      }
      facts={[audit.storage_name, day(audit.date), said.counted(audit.lines)]}
      saveBar={record.saveBar}
      actions={actions}
      menu={menu}
      side={
        <>
          <StorageField label={said.storage} of={of('storage_id')} />
          <DocumentDay label={said.date} of={of('date')} />
          <NumField of={of('num')} />
          <NotesField of={of('notes')} />
        </>
      }
      tabs={[
        {
          name: 'uncounted',
          label: said.notCounted,
          count: uncounted?.length,
          show: () => <Uncounted levels={uncounted ?? []} />,
        },
        ...effectAndHistory('audit', audit.id, card.effect),
      ]}
    >
      {record.notices}
      <AuditLines audit={audit} />
    </CardPage>
  )
}

function Uncounted({ levels }: { levels: readonly Level[] }) {
  if (levels.length === 0) return <Text c="dimmed">{said.allCounted}</Text>
  return (
    <div className={classes['box']}>
      <table className={classes['levels']}>
        <tbody>
          {levels.map((level) => (
            <tr key={level.id}>
              <td>
                <Anchor component={Link} to={`/stock/items/${level.id}?storage_id=${level.storage_id}`} size="sm">
                  {level.name}
                </Anchor>{' '}
                <Text span size="xs" c="dimmed">
                  {level.sku}
                </Text>
              </td>
              <td data-right>
                <Quantity value={level.amount} unit={level.unit} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
