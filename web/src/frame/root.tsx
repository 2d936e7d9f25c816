// What surrounds every screen, signed in or not: dialogs, notifications, and the pages for loading and errors.

import { Button, Stack, Text, Title } from '@mantine/core'
import { ModalsProvider } from '@mantine/modals'
import { Notifications } from '@mantine/notifications'
import { Link, Outlet, useRouteError } from 'react-router'
import { usePage } from '../kit/page.tsx'
import { messages } from '../messages.ts'

export function Root() {
  return (
    <ModalsProvider labels={{ confirm: messages.kit.card.save, cancel: messages.kit.card.cancel }}>
      <Outlet />
      <Notifications position="bottom-right" autoClose={6000} limit={4} transitionDuration={120} />
    </ModalsProvider>
  )
}

function ErrorPage({ title, text, children }: { title: string; text: string; children: React.ReactNode }) {
  return (
    <Stack align="flex-start" gap="xs" p="xl" maw={560}>
      <Title order={1}>{title}</Title>
      <Text c="dimmed">{text}</Text>
      {children}
    </Stack>
  )
}

export function NotFound() {
  usePage({ title: messages.frame.notFoundTitle })
  return (
    <ErrorPage title={messages.frame.notFoundTitle} text={messages.frame.notFound}>
      <Button component={Link} to="/">
        {messages.frame.home}
      </Button>
    </ErrorPage>
  )
}

/** Also occurs when a new version was deployed and the old files are gone: a reload fixes that. */
export function Broken() {
  const error = useRouteError()
  return (
    <ErrorPage title={messages.frame.brokenTitle} text={messages.frame.broken}>
      <Text size="sm" c="dimmed">
        {error instanceof Error ? error.message : null}
      </Text>
      <Button onClick={() => window.location.reload()}>{messages.frame.reload}</Button>
    </ErrorPage>
  )
}
