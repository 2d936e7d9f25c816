// Lines that were left out of documents because their item was not found, grouped by what they name, and the ways to fix them.

import { Alert, Anchor, Group, SegmentedControl, Stack, Text, Title } from '@mantine/core'
import { Navigate, useSearchParams } from 'react-router'
import { count } from '../format.ts'
import { usePage } from '../kit/page.tsx'
import { Pager } from '../kit/pager.tsx'
import { Waiting } from '../kit/waiting.tsx'
import { messages } from '../messages.ts'
import type { Output } from '../server/call.ts'
import { useMethod } from '../server/query.ts'
import { useMay } from '../session.tsx'
import { SkippedGroup } from './skipped-group.tsx'
import { codeText } from './steps.ts'

const texts = messages.toFix
const limit = 20

export function Component() {
  usePage({ title: texts.title })
  const isManager = useMay('manager')
  const [params, setParams] = useSearchParams()
  const shown: Shown = {
    isClosed: params.get('documents') === 'closed',
    search: params.get('search') ?? '',
    page: Math.max(1, Number(params.get('page')) || 1),
  }
  const { isClosed, search, page } = shown
  const answer = useMethod(
    'skipped_lines/get_list',
    { closed: isClosed ? 1 : 0, limit, offset: (page - 1) * limit, ...(search === '' ? {} : { search }) },
    { enabled: isManager, keep: true },
  )
  if (!isManager) return <Navigate to="/" replace />
  const { data } = answer
  const show = (to: Shown): void => setParams(addressOf(to))
  return (
    <Stack gap="md" maw={1000}>
      <Group justify="space-between">
        <Title order={1}>
          {texts.title}{' '}
          {data !== undefined && data.total > 0 && (
            <Text span c="dimmed" fz="lg">
              {count(data.total)}
            </Text>
          )}
        </Title>
        <SegmentedControl
          aria-label={texts.tabs}
          value={isClosed ? 'closed' : 'waiting'}
          onChange={(to) => show({ isClosed: to === 'closed', search: '', page: 1 })}
          data={[
            { value: 'waiting', label: texts.waiting },
            { value: 'closed', label: texts.closed },
          ]}
        />
      </Group>
      <Text c="dimmed">{isClosed ? texts.closedHelp : texts.help}</Text>
      {data !== undefined ? <Groups data={data} shown={shown} show={show} /> : <Waiting query={answer} rows={6} />}
    </Stack>
  )
}

/** What the address selects. */
type Shown = { readonly isClosed: boolean; readonly search: string; readonly page: number }

const addressOf = ({ isClosed, search, page }: Shown) => ({
  ...(isClosed ? { documents: 'closed' } : {}),
  ...(search === '' ? {} : { search }),
  ...(page === 1 ? {} : { page: String(page) }),
})

type GroupsProps = {
  readonly data: Output<'skipped_lines/get_list'>
  readonly shown: Shown
  readonly show: (to: Shown) => void
}

function Groups({ data, shown, show }: GroupsProps) {
  const { isClosed, search, page } = shown
  const none = isClosed ? texts.noneClosed : texts.none
  return (
    <>
      {search !== '' && (
        <Anchor
          component="button"
          type="button"
          size="sm"
          ta="left"
          onClick={() => show({ isClosed, search: '', page: 1 })}
        >
          {texts.showAll}
        </Anchor>
      )}
      {!data.is_complete && <Alert color="gray" variant="light" p="xs" title={texts.incomplete} />}
      {data.skipped_lines.length === 0 && <Text>{search === '' ? none : texts.noneFound(search)}</Text>}
      {data.skipped_lines.map((group) => (
        <SkippedGroup key={`${group.type} ${codeText(group)}`} group={group} isClosed={isClosed} />
      ))}
      <Pager total={data.total} limit={limit} page={page} onChange={(to) => show({ ...shown, page: to })} />
    </>
  )
}
