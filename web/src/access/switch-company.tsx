// Switching to another company of the person. A page of its own, so that leaving unsaved changes is asked about first; which company is not in the address, so that a link of somebody
// else cannot switch.

import { Alert, Button, Center, Paper, Stack } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { Link, Navigate, useLocation } from 'react-router'
import { usePage } from '../kit/page.tsx'
import { Skeletons } from '../kit/skeletons.tsx'
import { messages } from '../messages.ts'
import { call, textOf } from '../server/call.ts'
import { reloadForAnother } from '../session.tsx'
import classes from './access.module.css'

const texts = messages.frame.companies

export function Component() {
  usePage({ title: texts.switching })
  const { state } = useLocation()
  const companyId: unknown = (state as { companyId?: unknown } | null)?.companyId
  const [error, setError] = useState<string>()
  const isSent = useRef(false)
  useEffect(() => {
    if (isSent.current || typeof companyId !== 'number') return
    isSent.current = true
    call('session/switch_company', { company_id: companyId }, { isSessionCheck: true }).then(
      reloadForAnother,
      (reason: unknown) => setError(textOf(reason)),
    )
  }, [companyId])
  if (typeof companyId !== 'number') return <Navigate to="/" replace />
  if (error === undefined) return <Skeletons rows={12} />
  return (
    <Center mih="100dvh" p="md" component="main" className={classes['page']}>
      <Paper withBorder p="xl" w="100%" maw={380} radius="md">
        <Stack gap="sm">
          <Alert color="red" variant="outline" role="alert" title={error} />
          <Button component={Link} to="/sign-in" size="sm">
            {messages.access.signIn}
          </Button>
          <Button component={Link} to="/" variant="subtle" size="sm">
            {texts.stay}
          </Button>
        </Stack>
      </Paper>
    </Center>
  )
}
