// Shown instead of every screen to a user who must set up a second factor first.

import { Button, Center, Paper, Stack, Text, Title } from '@mantine/core'
import { CompanyMenu } from '../frame/company-menu.tsx'
import { usePage } from '../kit/page.tsx'
import { messages } from '../messages.ts'
import { SecondFactor } from '../settings/second-factor.tsx'
import classes from './access.module.css'
import { ConfirmIdentity } from './confirm-identity.tsx'

const texts = messages.access.required

type Props = {
  /** The user has set it up, and has seen the recovery codes. */
  readonly onDone: () => void
  readonly signOut: () => void
}

export function SecondFactorRequired({ onDone, signOut }: Props) {
  usePage({ title: texts.title })
  return (
    <Center mih="100dvh" p="md" component="main" className={classes['page']}>
      <div>
        <CompanyMenu isCollapsed={false} />
      </div>
      <Paper withBorder p="xl" w="100%" maw={480} radius="md">
        <Stack gap="md">
          <Title order={1}>{texts.title}</Title>
          <Text>{texts.text}</Text>
          <SecondFactor onDone={onDone} />
          <Button variant="subtle" size="sm" onClick={signOut}>
            {messages.frame.signOut}
          </Button>
        </Stack>
      </Paper>
      <ConfirmIdentity />
    </Center>
  )
}
