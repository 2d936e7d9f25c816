// What stands around every screen, signed in or not: questions, notifications, the marks of a page that is loading or broken.

import { Button, Stack, Text, Title } from '@mantine/core'
import { ModalsProvider } from '@mantine/modals'
import { Notifications } from '@mantine/notifications'
import { Link, Outlet, useRouteError } from 'react-router'
import { words } from '../words.ts'
import { usePage } from './page.tsx'

export function Root() {
  return (
    <ModalsProvider labels={{ confirm: words.kit.card.save, cancel: words.kit.card.cancel }}>
      <Outlet />
      <Notifications position="bottom-right" autoClose={6000} limit={4} />
    </ModalsProvider>
  )
}

function Said({ title, text, children }: { title: string; text: string; children: React.ReactNode }) {
  return (
    <Stack align="flex-start" gap="xs" p="xl" maw={560}>
      <Title order={1}>{title}</Title>
      <Text c="dimmed">{text}</Text>
      {children}
    </Stack>
  )
}

export function NotFound() {
  usePage({ title: words.frame.notFoundTitle })
  return (
    <Said title={words.frame.notFoundTitle} text={words.frame.notFound}>
      <Button component={Link} to="/">
        {words.frame.home}
      </Button>
    </Said>
  )
}

/** Also met when a new version was installed and the old one's files are gone: a reload mends that. */
export function Broken() {
  const error = useRouteError()
  return (
    <Said title={words.frame.brokenTitle} text={words.frame.broken}>
      <Text size="sm" c="dimmed">
        {error instanceof Error ? error.message : null}
      </Text>
      <Button onClick={() => window.location.reload()}>{words.frame.reload}</Button>
    </Said>
  )
}
