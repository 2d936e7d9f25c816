// The page of one audit: counted quantities and differences, uncounted items, and completing it.

import { Anchor, Text } from '@mantine/core'
import { useMemo } from 'react'
import { Link, useNavigate, useParams } from 'react-router'
import { confirmSaveEffect } from '../documents/actions.tsx'
import { bind, DocumentDay, NotesField, NumField, StorageField } from '../documents/fields.tsx'
import { sent } from '../documents/lines.ts'
import { CardState } from '../documents/states.tsx'
import { day } from '../format.ts'
import type { Action } from '../kit/action.tsx'
import { CardPage, CardWaiting } from '../kit/card-page.tsx'
import { effectAndHistory } from '../kit/card-tabs.tsx'
import { navigateFreely } from '../kit/leave-guard.tsx'
import { notifyError } from '../kit/notify.tsx'
import { useRecordForm } from '../kit/record-form.tsx'
import { Quantity } from '../kit/state-badge.tsx'
import { messages } from '../messages.ts'
import type { StockBrowseStock } from '../methods.ts'
import { mutate, useMethod } from '../server/query.ts'
import { type AuditCard, countedLines } from './audit.ts'
import { auditStates, canceled, completed, counting, removeAudit, setAuditState } from './audit-actions.tsx'
import { AuditLines, DifferencesInShort } from './audit-lines.tsx'
import classes from './stock.module.css'

const texts = messages.audits
const crumbs = [
  { label: messages.stock.title, to: '/stock' },
  { label: texts.title, to: '/audits' },
]
type Values = { num: string; storage_id: number | null; date: string; notes: string }

export function Component() {
  const id = Number(useParams()['id'])
  const card = useMethod('audits/get_card', { audit_id: id })
  if (card.data === undefined)
    return <CardWaiting title={texts.title} crumbs={crumbs} error={card.error} again={() => void card.refetch()} />
  return <AuditForm key={id} card={card.data} reload={() => card.refetch()} />
}

type Audit = AuditCard['audit']
type Level = StockBrowseStock

/** Items with recorded stock here that were not counted. */
function useUncounted({ audit }: AuditCard): Level[] | undefined {
  const levels = useMethod('stock/browse', { by: 'storage', storage_id: audit.storage_id, limit: 1000, sort: 'name' })
  const counted = new Set(countedLines(audit).map(({ id }) => id))
  return levels.data?.stock.filter(({ id, amount }) => amount !== 0 && !counted.has(id))
}

const labels = {
  num: messages.documents.number,
  storage_id: texts.storage,
  date: texts.date,
  notes: messages.documents.notes,
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
      await confirmSaveEffect('audits/edit', edit, messages.documents.saving(texts.one(audit.num)))
      await mutate('audits/edit', edit, force ? {} : { expect: card.seq })
    },
    labels,
    reload,
    of: { record: 'audit', id: audit.id },
  })
  const of = <K extends keyof Values & string>(name: K) => bind(record.form, name)
  const change = (to: number) =>
    setAuditState(
      audit,
      to,
      to === completed ? <DifferencesInShort audit={audit} uncounted={uncounted?.length ?? 0} /> : undefined,
    )
  return (
    <CardPage
      title={texts.one(audit.num)}
      crumbs={crumbs}
      badges={
        <CardState
          of="audit"
          code={audit.status}
          num={audit.num}
          id={audit.id}
          settable={auditStates}
          change={(to) => change(to).catch(notifyError)}
        />
      }
      facts={[audit.storage_name, day(audit.date), texts.counted(audit.lines)]}
      saveBar={record.saveBar}
      actions={actionsOf(audit, change, navigate)}
      menu={menuOf(audit, change, navigate)}
      side={
        <>
          <StorageField label={texts.storage} of={of('storage_id')} />
          <DocumentDay label={texts.date} of={of('date')} />
          <NumField of={of('num')} />
          <NotesField of={of('notes')} />
        </>
      }
      tabs={[
        {
          name: 'uncounted',
          label: texts.notCounted,
          count: uncounted?.length,
          show: () => <Uncounted levels={uncounted ?? []} />,
        },
        ...effectAndHistory('audit', audit.id, card.effect),
      ]}
    >
      {record.notices}
      <AuditLines card={card} />
    </CardPage>
  )
}

type Change = (to: number) => Promise<unknown>
type Go = (to: string) => unknown

const actionsOf = (audit: Audit, change: Change, navigate: Go): Action[] =>
  audit.status === counting
    ? [
        { label: texts.complete, run: () => change(completed) },
        { label: texts.goOn, run: () => navigate(`/audits/count/${audit.id}`) },
      ]
    : [{ label: texts.reopen, run: () => change(counting), isReturn: true }]

const menuOf = (audit: Audit, change: Change, navigate: Go): Action[] => [
  ...(audit.status === canceled ? [] : [{ label: messages.documents.cancel, run: () => change(canceled) }]),
  {
    label: messages.documents.delete,
    danger: true,
    run: async () => {
      if (await removeAudit(audit)) navigateFreely(() => void navigate('/audits'))
    },
  },
]

function Uncounted({ levels }: { levels: readonly Level[] }) {
  if (levels.length === 0) return <Text c="dimmed">{texts.allCounted}</Text>
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
