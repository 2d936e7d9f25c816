// Adds files to a record, one after the other; those that cannot be added are reported, and the others go on.

import { messages } from '../messages.ts'
import type { Input } from '../server/call.ts'
import { mutate } from '../server/query.ts'
import { notify, notifyError } from './notify.tsx'
import { prepareFile } from './prepare-file.ts'

export type FileOwner = Pick<Input<'files/add'>, 'record' | 'record_id'>

export async function addFiles(owner: FileOwner, files: readonly File[], isPicture = false): Promise<void> {
  let added = 0
  for (const file of files) {
    try {
      await mutate('files/add', { ...owner, ...(await prepareFile(file)), ...(isPicture ? { picture: 1 } : {}) })
      added++
    } catch (error) {
      notifyError(error)
    }
  }
  if (added > 0) notify(isPicture ? messages.files.pictureSaved : messages.files.added(added))
}
