// What the company has stored, for its owners: download everything as an archive, or have it deleted.

import { Alert, Button, Stack, Text, TextInput, Title } from '@mantine/core'
import { useState } from 'react'
import { day } from '../format.ts'
import { ActionButton } from '../kit/action.tsx'
import { FormDialog } from '../kit/form-dialog.tsx'
import { notify } from '../kit/notify.tsx'
import { usePage } from '../kit/page.tsx'
import { messages } from '../messages.ts'
import { call, companyOfPage } from '../server/call.ts'
import { mutate } from '../server/query.ts'
import { useSession } from '../session.tsx'

const texts = messages.accounts.ownData
/** As company/delete decides. */
const daysUntilDeletion = 14

export function Component() {
  const title = messages.settings.places.data
  usePage({ title, crumbs: [{ label: messages.settings.title, to: '/settings' }] })
  return (
    <Stack gap="lg" maw={720}>
      <Title order={1}>{title}</Title>
      <section>
        <Title order={2} mb="xs">
          {texts.archive}
        </Title>
        <Text mb="sm">{texts.archiveText}</Text>
        <ActionButton action={{ label: texts.download, run: download }} />
      </section>
      <Deletion />
    </Stack>
  )
}

/** The browser saves what the address answers with; only a call can ask for the password before. */
async function download(): Promise<void> {
  await call('company/prepare_archive', {})
  const link = document.createElement('a')
  // Another tab may switch to another company.
  link.href = `/screens/archive?company=${companyOfPage()}`
  link.download = ''
  link.click()
  notify(texts.started)
}

function Deletion() {
  const { company } = useSession()
  const [isOpen, setOpen] = useState(false)
  return (
    <section>
      <Title order={2} mb="xs">
        {texts.deletion}
      </Title>
      <Text mb="sm">{texts.deletionText(daysUntilDeletion)}</Text>
      {company.delete_at === null ? (
        <Button variant="outline" color="red" onClick={() => setOpen(true)}>
          {texts.delete}
        </Button>
      ) : (
        <Alert color="red" variant="outline" title={texts.requested(day(company.delete_at))}>
          <ActionButton action={{ label: texts.keep, run: keep }} />
        </Alert>
      )}
      {isOpen && <DeleteDialog name={company.name} onClose={() => setOpen(false)} />}
    </section>
  )
}

const DeleteDialog = ({ name, onClose }: { name: string; onClose: () => void }) => (
  <FormDialog
    title={texts.deleteTitle(name)}
    label={texts.delete}
    start={{ name: '' }}
    save={async (values) => {
      const { delete_at: at } = await mutate('company/delete', values)
      notify(texts.requested(day(at)))
    }}
    fields={(form) => (
      <>
        <Text>{texts.deleteHint(name)}</Text>
        <TextInput label={texts.name} data-autofocus autoComplete="off" {...form.getInputProps('name')} />
      </>
    )}
    onClose={onClose}
  />
)

async function keep(): Promise<void> {
  await mutate('company/keep', {})
  notify(texts.kept)
}
