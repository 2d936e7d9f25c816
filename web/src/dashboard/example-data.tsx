// Trying Kontor with example data, and removing it again.

import { Anchor, Button, List, Stack, Text } from '@mantine/core'
import { modals } from '@mantine/modals'
import { useState } from 'react'
import { Link } from 'react-router'
import { confirmAction } from '../kit/confirm-action.tsx'
import { notify, notifyError } from '../kit/notify.tsx'
import { language } from '../language.ts'
import { messages } from '../messages.ts'
import { call, type Output } from '../server/call.ts'
import { queryClient } from '../server/query.ts'
import classes from './first-steps.module.css'

const texts = messages.dashboard.exampleData

type Left = Output<'example_data/delete'>['left']

const addresses: Readonly<Record<string, string>> = {
  sale: '/sales',
  purchase: '/purchases',
  production: '/productions',
  audit: '/audits',
  product: '/products',
  material: '/materials',
  resource: '/resources',
  customer: '/customers',
  supplier: '/suppliers',
}

async function add(): Promise<void> {
  await call('example_data/add', { language })
  notify(texts.added)
}

async function remove(): Promise<void> {
  if (!(await confirmAction({ title: texts.remove, text: texts.removing, label: texts.remove }))) return
  const { left } = await call('example_data/delete', {})
  if (left.length === 0) notify(texts.removed)
  else showLeft(left)
}

/** Runs once at a time; everything on the screens may have changed afterwards. */
function useRun(run: () => Promise<void>) {
  const [isRunning, setRunning] = useState(false)
  const start = (): void => {
    setRunning(true)
    run()
      .catch(notifyError)
      .finally(() => {
        setRunning(false)
        void queryClient.invalidateQueries()
      })
  }
  return { loading: isRunning, onClick: start }
}

export function TryExampleData() {
  const button = useRun(add)
  return (
    <div className={classes['foot']}>
      <Text size="sm" c="dimmed">
        {texts.offer}
      </Text>
      <Button variant="default" {...button}>
        {texts.add}
      </Button>
    </div>
  )
}

export function RemoveExampleData() {
  const button = useRun(remove)
  return (
    <div className={classes['foot']}>
      <Text size="sm" c="dimmed">
        {texts.present}
      </Text>
      <Button variant="default" {...button}>
        {texts.remove}
      </Button>
    </div>
  )
}

function showLeft(left: Left): void {
  modals.open({
    title: texts.leftTitle,
    children: (
      <Stack gap="sm">
        <Text size="sm">{texts.left(left.length)}</Text>
        <List size="sm">
          {left.map(({ type, id, name }) => (
            <List.Item key={`${type} ${id}`}>
              <Anchor component={Link} to={`${addresses[type]}/${id}`} size="sm" onClick={() => modals.closeAll()}>
                {name}
              </Anchor>
            </List.Item>
          ))}
        </List>
      </Stack>
    ),
  })
}
