// The test company: a copy in which integrators and users try everything. It is made in the background, and replaced by a new copy on request.

import { Alert, Group, Loader, Stack, Text, Title } from '@mantine/core'
import { time } from '../format.ts'
import { ActionButton } from '../kit/action.tsx'
import { confirmAction } from '../kit/confirm-action.tsx'
import { usePage } from '../kit/page.tsx'
import { Waiting } from '../kit/waiting.tsx'
import { messages } from '../messages.ts'
import type { Methods } from '../methods.ts'
import { call } from '../server/call.ts'
import { mutate, useMethod } from '../server/query.ts'
import { reloadForAnother, useSession } from '../session.tsx'

const texts = messages.accounts.testCompany
const whileMakingMs = 2_000

type Shown = Methods['test_company/get']['output']

export function Component() {
  const title = messages.settings.places.testCompany
  usePage({ title, crumbs: [{ label: messages.settings.title, to: '/settings' }] })
  const { company } = useSession()
  return (
    <Stack gap="md" maw={720}>
      <Title order={1}>{title}</Title>
      <Text>{texts.text}</Text>
      {company.test_of === null ? <TestCompany /> : <Text>{texts.here}</Text>}
    </Stack>
  )
}

function TestCompany() {
  const shown = useMethod('test_company/get', {})
  if (shown.data === undefined) return <Waiting query={shown} rows={3} />
  return (
    <>
      <Text>{texts.keys}</Text>
      {shown.data.requested_at !== null && <Making />}
      <State {...shown.data} />
    </>
  )
}

/** Asks until it is made. */
function Making() {
  useMethod('test_company/get', {}, { everyMs: whileMakingMs })
  return (
    <Group role="status" gap="sm">
      <Loader size="sm" />
      <Text>{texts.making}</Text>
    </Group>
  )
}

function State({ made_at: madeAt, requested_at: requestedAt, failed_at: failedAt }: Shown) {
  const isMaking = requestedAt !== null
  return (
    <>
      {failedAt !== null && !isMaking && <Alert color="red" variant="outline" role="alert" title={texts.failed} />}
      {!isMaking && <Text fw={600}>{madeAt === null ? texts.none : texts.made(time(madeAt))}</Text>}
      <Group>
        {madeAt !== null && <ActionButton isPrimary action={{ label: texts.open, run: open }} />}
        {!isMaking && (
          <ActionButton
            isPrimary={madeAt === null}
            action={madeAt === null ? { label: texts.make, run: make } : { label: texts.renew, run: renew }}
          />
        )}
      </Group>
    </>
  )
}

const make = (): Promise<unknown> => mutate('test_company/make', {})

async function renew(): Promise<void> {
  if (await confirmAction({ title: texts.renewTitle, text: texts.renewText, label: texts.renew })) await make()
}

async function open(): Promise<void> {
  await call('session/open_test_company', {})
  reloadForAnother()
}
