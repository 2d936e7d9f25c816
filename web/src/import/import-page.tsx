// The page on which an import begins: what is in the file, the file, and what its columns mean.

import { Alert, Anchor, Button, FileButton, Group, Select, Stack, Text, Title } from '@mantine/core'
import { IconUpload } from '@tabler/icons-react'
import { type DragEvent, useState } from 'react'
import { Navigate, useSearchParams } from 'react-router'
import { notifyError } from '../kit/notify.tsx'
import { usePage } from '../kit/page.tsx'
import { messages } from '../messages.ts'
import { useMay } from '../session.tsx'
import { ColumnsStep } from './columns-step.tsx'
import { choices } from './fields.ts'
import classes from './import.module.css'
import { openFile } from './open-file.ts'
import { RecentImports } from './recent-imports.tsx'
import { fileRefusalText } from './refusal-text.ts'
import type { FileTable } from './table.ts'
import { downloadTemplate } from './template.ts'

const texts = messages.imports
type Opened = { readonly name: string; readonly table: FileTable }

export function Component() {
  usePage({ title: texts.title })
  const isManager = useMay('manager')
  const [params, setParams] = useSearchParams()
  const choice = choices.find((one) => one === params.get('of')) ?? 'products'
  const [opened, setOpened] = useState<Opened>()
  if (!isManager) return <Navigate to="/" replace />
  return (
    <Stack gap="md" maw={1000}>
      <Title order={1}>{texts.title}</Title>
      <Text c="dimmed">{texts.intro}</Text>
      <Group align="end" gap="md">
        <Select
          label={texts.kind}
          w={280}
          allowDeselect={false}
          value={choice}
          data={choices.map((value) => ({ value, label: texts.kinds[value] }))}
          onChange={(value) => setParams({ of: value ?? 'products' }, { replace: true })}
        />
        <Anchor component="button" type="button" size="sm" onClick={() => downloadTemplate(choice).catch(notifyError)}>
          {texts.template}
        </Anchor>
      </Group>
      {opened === undefined ? (
        <>
          <FileStep onOpen={setOpened} />
          <RecentImports />
        </>
      ) : (
        <ColumnsStep
          key={choice}
          choice={choice}
          name={opened.name}
          table={opened.table}
          close={() => setOpened(undefined)}
        />
      )}
    </Stack>
  )
}

function FileStep({ onOpen }: { onOpen: (opened: Opened) => void }) {
  const [problem, setProblem] = useState<string>()
  const [isReading, setReading] = useState(false)
  const [isOver, setOver] = useState(false)
  const open = async (file: File | null | undefined): Promise<void> => {
    if (!file) return
    setProblem(undefined)
    setReading(true)
    const read = await openFile(file)
    setReading(false)
    if ('table' in read) onOpen({ name: file.name, table: read.table })
    else setProblem(fileRefusalText(read.refusal))
  }
  const drop = (event: DragEvent): void => {
    event.preventDefault()
    setOver(false)
    void open(event.dataTransfer.files[0])
  }
  return (
    <>
      <section
        className={classes['drop']}
        aria-label={texts.choose}
        data-over={isOver || undefined}
        onDragOver={(event) => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
      >
        <FileButton
          accept=".csv,.tsv,.txt,.xlsx,text/csv,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
          inputProps={{ 'aria-label': texts.choose }}
          onChange={(file) => void open(file)}
        >
          {(props) => (
            <Button {...props} loading={isReading} leftSection={<IconUpload size={14} aria-hidden />}>
              {texts.choose}
            </Button>
          )}
        </FileButton>
        <Text c="dimmed" visibleFrom="sm">
          {isReading ? texts.reading : texts.drop}
        </Text>
      </section>
      {problem !== undefined && (
        <Alert color="red" role="alert">
          {problem}
        </Alert>
      )}
    </>
  )
}
