// The picture of an item in the head of its page. A manager adds, replaces and removes it; everyone else opens it.

import { Button, FileButton, Group, Modal } from '@mantine/core'
import { IconPhotoPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { addFiles } from '../kit/add-files.ts'
import { fileAddress, thumbnailAddress } from '../kit/file-address.ts'
import classes from '../kit/files.module.css'
import { notify, notifyError } from '../kit/notify.tsx'
import { pictureTypes } from '../kit/prepare-file.ts'
import { messages } from '../messages.ts'
import { mutate, useMethod } from '../server/query.ts'
import { useMay } from '../session.tsx'

const texts = messages.files

export function ItemPicture({ itemId, name }: { readonly itemId: number; readonly name: string }) {
  const owner = { record: 'item', record_id: itemId } as const
  const isManager = useMay('manager')
  const [isOpen, setOpen] = useState(false)
  const list = useMethod('files/get_list', owner)
  const picture = list.data?.files.find(({ is_picture }) => is_picture)
  const choose = (file: File | null): void => {
    if (file !== null) void addFiles(owner, [file], true)
  }
  if (picture === undefined) {
    // The place of the picture is kept while it is not known whether there is one.
    if (!isManager || list.data === undefined) return <span className={classes['picture']} data-empty />
    return (
      <FileButton accept={pictureTypes} onChange={choose}>
        {(props) => (
          <button
            {...props}
            type="button"
            className={classes['picture']}
            aria-label={texts.addPicture}
            title={texts.addPicture}
          >
            <IconPhotoPlus size={24} stroke={1.4} aria-hidden />
          </button>
        )}
      </FileButton>
    )
  }
  const remove = (): void => {
    setOpen(false)
    void mutate('files/delete', { file_id: picture.id }).then(() => notify(texts.pictureRemoved), notifyError)
  }
  return (
    <>
      <button
        type="button"
        className={classes['picture']}
        aria-label={texts.openPicture(name)}
        onClick={() => setOpen(true)}
      >
        <img src={thumbnailAddress(picture)} alt="" width={64} height={64} />
      </button>
      <Modal opened={isOpen} onClose={() => setOpen(false)} title={name} size="xl" centered>
        <img src={fileAddress(picture)} alt={name} className={classes['large']} />
        {isManager && (
          <Group justify="flex-end" gap="xs" mt="md">
            <Button variant="subtle" color="red" c="var(--mantine-color-error)" onClick={remove}>
              {texts.removePicture}
            </Button>
            <FileButton accept={pictureTypes} onChange={choose}>
              {(props) => (
                <Button {...props} variant="default">
                  {texts.replacePicture}
                </Button>
              )}
            </FileButton>
          </Group>
        )}
      </Modal>
    </>
  )
}
