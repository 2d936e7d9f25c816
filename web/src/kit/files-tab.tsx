// The files of a record: pictures and PDFs, each to open or delete, and a place to add more.

import { ActionIcon, Anchor, Button, FileButton, Group, Stack, Text } from '@mantine/core'
import { IconFileTypePdf, IconPaperclip, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { count, time } from '../format.ts'
import { messages } from '../messages.ts'
import type { Output } from '../server/call.ts'
import { mutate, useMethod } from '../server/query.ts'
import { useMay } from '../session.tsx'
import { addFiles, type FileOwner } from './add-files.ts'
import { confirmAction } from './confirm-action.tsx'
import { fileAddress, thumbnailAddress } from './file-address.ts'
import classes from './files.module.css'
import { notify, notifyError } from './notify.tsx'
import { attachedTypes } from './prepare-file.ts'
import { Waiting } from './waiting.tsx'

const texts = messages.files
type StoredFile = Output<'files/get_list'>['files'][number]

/** Files of an item are added by managers, those of a document by everyone who sees them. */
export function FilesTab({ owner }: { readonly owner: FileOwner }) {
  const isManager = useMay('manager')
  const mayAdd = isManager || owner.record !== 'item'
  const list = useMethod('files/get_list', owner)
  const [isAdding, setAdding] = useState(false)
  const [isOver, setOver] = useState(false)
  if (list.data === undefined) return <Waiting query={list} rows={3} />
  const files = list.data.files.filter(({ is_picture }) => !is_picture)
  const isFull = list.data.files.length >= list.data.limit
  const add = async (chosen: readonly File[]): Promise<void> => {
    if (chosen.length === 0) return
    setAdding(true)
    await addFiles(owner, chosen)
    setAdding(false)
  }
  const canDrop = mayAdd && !isFull && !isAdding
  return (
    <Stack
      gap="md"
      maw={720}
      className={classes['drop'] ?? ''}
      data-over={(canDrop && isOver) || undefined}
      onDragOver={(event) => {
        if (!canDrop || !event.dataTransfer.types.includes('Files')) return
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        if (!canDrop) return
        event.preventDefault()
        setOver(false)
        void add([...event.dataTransfer.files])
      }}
    >
      {files.length === 0 && <Text c="dimmed">{mayAdd ? texts.emptyAdd : texts.empty}</Text>}
      {files.length > 0 && (
        <ul className={classes['list']} aria-label={texts.title}>
          {files.map((file) => (
            <FileRow key={file.id} file={file} />
          ))}
        </ul>
      )}
      {mayAdd && (
        <Group gap="sm">
          <FileButton multiple accept={attachedTypes} onChange={(chosen) => void add(chosen)} disabled={isFull}>
            {(props) => (
              <Button
                {...props}
                variant="default"
                loading={isAdding}
                disabled={isFull}
                leftSection={<IconPaperclip size={16} stroke={1.6} aria-hidden />}
              >
                {texts.add}
              </Button>
            )}
          </FileButton>
          <Text size="sm" c="dimmed">
            {isFull ? texts.full(list.data.limit) : texts.hint}
          </Text>
        </Group>
      )}
    </Stack>
  )
}

function FileRow({ file }: { readonly file: StoredFile }) {
  const isManager = useMay('manager')
  const remove = async (): Promise<void> => {
    const question = { title: texts.deleteTitle, text: texts.deleteText(file.name), label: texts.delete }
    if (!(await confirmAction(question))) return
    await mutate('files/delete', { file_id: file.id }).then(() => notify(texts.deleted(file.name)), notifyError)
  }
  const isPdf = file.type === 'application/pdf'
  return (
    <li className={classes['file']}>
      <span className={classes['preview']}>
        {isPdf ? (
          <IconFileTypePdf size={28} stroke={1.4} aria-hidden />
        ) : (
          <img src={thumbnailAddress(file)} alt="" loading="lazy" />
        )}
      </span>
      <span className={classes['about']}>
        <Anchor
          href={fileAddress(file)}
          {...(isPdf ? {} : { target: '_blank' })}
          size="sm"
          className={classes['name'] ?? ''}
        >
          {file.name}
        </Anchor>
        <Text size="xs" c="dimmed">
          {`${sizeText(file.size)} · ${time(file.created_at)}`}
        </Text>
      </span>
      {isManager && (
        <ActionIcon
          variant="subtle"
          color="gray"
          size="lg"
          aria-label={texts.deleteNamed(file.name)}
          onClick={() => void remove()}
        >
          <IconTrash size={18} stroke={1.6} />
        </ActionIcon>
      )}
    </li>
  )
}

const kib = 1024

/** In the units that the systems of users show. */
function sizeText(bytes: number): string {
  if (bytes < kib * kib) return texts.kilobytes(count(Math.max(1, Math.round(bytes / kib))))
  return texts.megabytes(count(Math.round((bytes / kib / kib) * 10) / 10))
}
