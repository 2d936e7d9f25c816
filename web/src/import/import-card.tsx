// An import: what its rows would do, its progress, its result, and how it is undone.

import { Alert, Button, Group, Progress, SegmentedControl, Stack, Text, Title } from '@mantine/core'
import { useEffect, useState } from 'react'
import { Navigate, useNavigate, useParams } from 'react-router'
import { count, time } from '../format.ts'
import { confirmAction } from '../kit/confirm-action.tsx'
import { notifyError } from '../kit/notify.tsx'
import { usePage } from '../kit/page.tsx'
import { Waiting } from '../kit/waiting.tsx'
import { messages } from '../messages.ts'
import type { ImportsGetRowsRows } from '../methods.ts'
import type { Output } from '../server/call.ts'
import { mutate, refresh, useMethod } from '../server/query.ts'
import { useMay } from '../session.tsx'
import { ImportRows } from './import-rows.tsx'
import { MissingNames } from './missing-names.tsx'
import { ImportBadge } from './recent-imports.tsx'
import { downloadRefused } from './refused-file.ts'

const texts = messages.imports
const refreshMs = 1_000

type Answer = Output<'imports/get_entry'>
type State = ImportsGetRowsRows['state']

export function Component() {
  const id = Number(useParams()['id'])
  const isManager = useMay('manager')
  const [isWorking, setWorking] = useState(true)
  const answer = useMethod('imports/get_entry', { import_id: id }, isWorking ? { everyMs: refreshMs } : {})
  const { data } = answer
  const status = data?.import.status
  usePage({ title: data?.import.name ?? texts.title, crumbs: [{ label: texts.title, to: '/import' }] })
  useEffect(() => {
    setWorking(status === 'running' || status === 'undoing')
    // What was imported is shown on other screens.
    if (status === 'done' || status === 'undone')
      refresh(['imports', 'products', 'materials', 'customers', 'suppliers', 'audits'])
  }, [status])
  if (!isManager) return <Navigate to="/" replace />
  if (data === undefined) return <Waiting query={answer} rows={8} />
  return <ImportCard answer={data} />
}

const before: readonly State[] = ['create', 'change', 'unchanged', 'refused']
const after: readonly State[] = ['created', 'changed', 'unchanged', 'refused', 'undone', 'left']

function ImportCard({ answer }: { answer: Answer }) {
  const { import: one, counts } = answer
  const isDraft = one.status === 'draft'
  const states = (isDraft ? before : after).filter((state) => counts[state] > 0)
  const [chosen, setChosen] = useState<State>()
  const state = chosen !== undefined && states.includes(chosen) ? chosen : undefined
  const all = states.reduce((sum, name) => sum + counts[name], 0)
  return (
    <Stack gap="md" maw={1200}>
      <Group gap="sm">
        <Title order={1}>{one.name}</Title>
        <ImportBadge status={one.status} />
      </Group>
      <Text c="dimmed">
        {texts.kinds[one.kind]} · {texts.by(one.user_name ?? '', time(one.created_at))}
      </Text>
      <Headline answer={answer} />
      {isDraft && counts.refused > 0 && <MissingNames of={one} />}
      <Actions answer={answer} />
      <SegmentedControl
        aria-label={texts.result}
        style={{ alignSelf: 'flex-start', maxWidth: '100%', flexWrap: 'wrap' }}
        value={state ?? 'all'}
        onChange={(value) => setChosen(value === 'all' ? undefined : (value as State))}
        data={[
          { value: 'all', label: `${texts.all} ${count(all)}` },
          ...states.map((value) => ({ value, label: `${texts.states[value]} ${count(counts[value])}` })),
        ]}
      />
      <ImportRows key={state ?? 'all'} of={one} state={state} />
    </Stack>
  )
}

function Headline({ answer: { import: one, counts } }: { answer: Answer }) {
  if (one.status === 'running' || one.status === 'undoing') {
    const isUndoing = one.status === 'undoing'
    const left = counts.created + counts.changed
    const text = isUndoing ? texts.undoing(left) : texts.running(one.next_position, one.rows)
    const done = isUndoing ? one.rows - 1 - one.next_position : one.next_position
    return (
      <div>
        <Text role="status">{text}</Text>
        <Progress value={(100 * done) / Math.max(1, one.rows)} aria-label={text} my="xs" />
        <Text size="sm" c="dimmed">
          {texts.background}
        </Text>
      </div>
    )
  }
  const title = one.status === 'draft' ? texts.draft : texts[one.status]
  return (
    <Alert color={one.status === 'done' ? 'green' : 'gray'} title={title} role="status">
      {(one.status === 'draft' ? before : after)
        .filter((state) => counts[state] > 0)
        .map((state) => `${texts.states[state]}: ${count(counts[state])}`)
        .join(' · ')}
    </Alert>
  )
}

function Actions({ answer: { import: one, counts } }: { answer: Answer }) {
  const navigate = useNavigate()
  const [isBusy, setBusy] = useState(false)
  const run = async (work: () => Promise<unknown>): Promise<void> => {
    setBusy(true)
    await work().catch(notifyError)
    setBusy(false)
  }
  const of = { import_id: one.id }
  const undo = async (): Promise<void> => {
    const question = { title: texts.undoTitle, text: texts.undoText, label: texts.undo }
    if (await confirmAction(question)) await mutate('imports/undo', of)
  }
  const remove = async (): Promise<void> => {
    const question = { title: texts.deleteTitle, text: texts.deleteText, label: texts.delete }
    if (one.status !== 'draft' && !(await confirmAction(question))) return
    await mutate('imports/delete', of)
    await navigate('/import')
  }
  const isAtWork = one.status === 'running' || one.status === 'undoing'
  const writable = counts.create + counts.change
  return (
    <Group gap="sm">
      {one.status === 'draft' && (
        <Button disabled={writable === 0} loading={isBusy} onClick={() => void run(() => mutate('imports/start', of))}>
          {texts.run(writable)}
        </Button>
      )}
      {one.status === 'done' && counts.created + counts.changed > 0 && (
        <Button variant="default" loading={isBusy} onClick={() => void run(undo)}>
          {texts.undo}
        </Button>
      )}
      {counts.refused > 0 && (
        <Button variant="default" onClick={() => void downloadRefused(one).catch(notifyError)}>
          {texts.refusedFile}
        </Button>
      )}
      {!isAtWork && (
        <Button variant="subtle" color="red" onClick={() => void run(remove)}>
          {texts.delete}
        </Button>
      )}
      {one.status === 'draft' && counts.refused > 0 && (
        <Text size="sm" c="dimmed">
          {texts.refusedNote(counts.refused)}
        </Text>
      )}
    </Group>
  )
}
