// One webhook: how its deliveries go, the log of attempts with the responses, and sending events again.

import { Anchor, SegmentedControl, Stack, Table, Text, Title } from '@mantine/core'
import { Fragment, useState } from 'react'
import { Link, useNavigate, useParams } from 'react-router'
import { count, timeExact, timeWithZone } from '../format.ts'
import { CardPage, CardWaiting } from '../kit/card-page.tsx'
import { confirmAction } from '../kit/confirm-action.tsx'
import { notify } from '../kit/notify.tsx'
import { usePage } from '../kit/page.tsx'
import { Pager } from '../kit/pager.tsx'
import { Waiting } from '../kit/waiting.tsx'
import { messages } from '../messages.ts'
import type { WebhooksGetDeliveriesDeliveries as Delivery, WebhooksGetListWebhooks as Webhook } from '../methods.ts'
import { mutate, useMethod } from '../server/query.ts'
import { CodeBlock } from './code-block.tsx'
import classes from './settings.module.css'
import { RowMenu } from './short-list.tsx'
import { useWebhookActions } from './webhook-actions.tsx'
import { WebhookBadge, WebhookFacts, webhookName } from './webhook-state.tsx'

const texts = messages.webhooks
const { milliseconds } = messages.settings.requests
const crumbs = [
  { label: messages.settings.title, to: '/settings' },
  { label: messages.settings.places.webhooks, to: '/settings/webhooks' },
]
const pageRows = 25
/** Deliveries happen without the screen's doing. */
const refreshMs = 3_000

export function Component() {
  const { id = '' } = useParams()
  const query = useMethod('webhooks/get_list', {}, { everyMs: refreshMs })
  const webhook = query.data?.webhooks.find((one) => String(one.id) === id)
  if (query.data === undefined)
    return (
      <CardWaiting
        title={messages.settings.places.webhooks}
        crumbs={crumbs}
        error={query.error}
        again={() => void query.refetch()}
      />
    )
  return webhook === undefined ? <Missing /> : <WebhookCard webhook={webhook} eventTypes={query.data.event_types} />
}

function Missing() {
  usePage({ title: messages.settings.places.webhooks, crumbs })
  return (
    <Text>
      {texts.notFound}{' '}
      <Anchor component={Link} to="/settings/webhooks">
        {messages.frame.goTo(messages.settings.places.webhooks)}
      </Anchor>
    </Text>
  )
}

function WebhookCard({ webhook, eventTypes }: { webhook: Webhook; eventTypes: readonly string[] }) {
  const navigate = useNavigate()
  const { actions, dialogs } = useWebhookActions(webhook, {
    eventTypes,
    testNote: texts.testSent,
    onDeleted: () => void navigate('/settings/webhooks'),
  })
  return (
    <CardPage
      title={webhookName(webhook)}
      crumbs={crumbs}
      badges={<WebhookBadge of={webhook} />}
      facts={[webhook.url]}
      actions={actions.slice(0, 2)}
      menu={actions.slice(2)}
    >
      <Stack gap="md">
        <div>
          <WebhookFacts of={webhook} />
        </div>
        <Deliveries webhook={webhook} />
      </Stack>
      {dialogs}
    </CardPage>
  )
}

type Outcome = keyof typeof texts.filters

function Deliveries({ webhook }: { webhook: Webhook }) {
  const [filter, setFilter] = useState<Outcome>('all')
  const [page, setPage] = useState(1)
  const list = useMethod(
    'webhooks/get_deliveries',
    {
      webhook_id: webhook.id,
      limit: pageRows,
      offset: (page - 1) * pageRows,
      ...(filter === 'all' ? {} : { outcome: filter }),
    },
    { keep: true, everyMs: refreshMs },
  )
  return (
    <section aria-label={texts.deliveries}>
      <div className={classes['head']}>
        <Title order={2}>{texts.deliveries}</Title>
        <SegmentedControl
          aria-label={texts.filter}
          value={filter}
          onChange={(value) => {
            setFilter(value as Outcome)
            setPage(1)
          }}
          data={Object.entries(texts.filters).map(([value, label]) => ({ value, label }))}
        />
      </div>
      {list.data === undefined ? (
        <Waiting query={list} rows={4} />
      ) : list.data.deliveries.length === 0 ? (
        <Text c="dimmed">{texts.none[filter]}</Text>
      ) : (
        <DeliveryTable webhook={webhook} rows={list.data.deliveries} />
      )}
      <Pager total={list.data?.total ?? 0} limit={pageRows} page={page} onChange={setPage} />
    </section>
  )
}

const isDelivered = ({ status, error }: Delivery): boolean => error === null && status !== null && status < 300

const eventName = ({ seq, type }: Delivery): string => (seq === null ? texts.testEvent : `${type} ${texts.number(seq)}`)

function DeliveryTable({ webhook, rows }: { webhook: Webhook; rows: readonly Delivery[] }) {
  const [opened, setOpened] = useState<number>()
  return (
    <div className={classes['tree']}>
      <Table.ScrollContainer minWidth={320} type="native">
        <Table className={classes['table'] ?? ''} highlightOnHover>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{texts.column.type}</Table.Th>
              <Table.Th>{texts.column.outcome}</Table.Th>
              <Table.Th visibleFrom="sm">{texts.column.attempt}</Table.Th>
              <Table.Th visibleFrom="sm">{texts.column.duration}</Table.Th>
              <Table.Th>{texts.column.at}</Table.Th>
              <Table.Th w={44} />
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map((row) => (
              <Fragment key={row.number}>
                <Table.Tr>
                  <Table.Td style={{ overflowWrap: 'anywhere' }}>
                    <button
                      type="button"
                      className={classes['open']}
                      aria-expanded={opened === row.number}
                      title={texts.show(eventName(row))}
                      onClick={() => setOpened(opened === row.number ? undefined : row.number)}
                    >
                      {eventName(row)}
                    </button>
                  </Table.Td>
                  <Table.Td>
                    <Text span size="sm" {...(isDelivered(row) ? {} : { c: 'var(--mantine-color-error)' })}>
                      {row.error ?? row.status ?? texts.noResponse}
                    </Text>
                  </Table.Td>
                  <Table.Td visibleFrom="sm">{count(row.attempt)}</Table.Td>
                  <Table.Td visibleFrom="sm">{milliseconds(count(row.duration_ms))}</Table.Td>
                  <Table.Td title={timeWithZone(row.at)}>{timeExact(row.at)}</Table.Td>
                  <Table.Td>
                    {row.seq !== null && (
                      <RowMenu
                        label={messages.settings.more(eventName(row))}
                        actions={sendingAgain(webhook, row.seq, eventName(row))}
                      />
                    )}
                  </Table.Td>
                </Table.Tr>
                {opened === row.number && (
                  <Table.Tr>
                    <Table.Td colSpan={6}>
                      {row.response === '' ? (
                        <Text size="sm" c="dimmed">
                          {texts.noBody}
                        </Text>
                      ) : (
                        <CodeBlock label={texts.response} text={row.response} />
                      )}
                    </Table.Td>
                  </Table.Tr>
                )}
              </Fragment>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </div>
  )
}

function sendingAgain({ id, enabled }: Webhook, seq: number, name: string) {
  const disabled = enabled ? undefined : texts.isOff
  return [
    {
      label: texts.again,
      disabled,
      run: async () => {
        await mutate('webhooks/replay', { webhook_id: id, seq })
        notify(texts.sentAgain(name))
      },
    },
    {
      label: texts.fromHere,
      disabled,
      run: async () => {
        const question = { title: texts.fromHereTitle, text: texts.fromHereText(name), label: texts.again }
        if (!(await confirmAction(question))) return
        await mutate('webhooks/replay', { webhook_id: id, from_seq: seq })
        notify(texts.sentAgain(name))
      },
    },
  ]
}
