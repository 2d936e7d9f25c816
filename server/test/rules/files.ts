// Rules of pictures of items, and of files that are attached to items and documents.

import type { Rule } from './rule.ts'
import { under } from './under.ts'

export const fileRules: readonly Rule[] = under('files', {
  add: 'a file is attached to an item or a document, and listed with its name, type, size and address',
  picture: 'an item has one picture; a new one replaces it',
  content:
    'a file is served under its address to users of the company, with a strict content type, and may be kept by the browser',
  'content.thumbnail': 'a picture has a thumbnail under its own address',
  'content.download': 'a PDF is downloaded, never shown as a page of the service',
  'content.session': 'without a session, from another site, and with the tag of another content there is no file',
  name: 'the name of a file gets the ending of its type',
  delete: 'a deleted file is neither listed nor served',
  'record-deleted': 'the files of a deleted document are deleted with it',
  type: 'anything but a JPEG, PNG or WebP without metadata, or a PDF, is refused',
  size: 'a file of more than 5 MB, a picture of more than 1,600 pixels and a large thumbnail are refused',
  limit: 'a record has at most 20 files: `Too many files. Must be at most 20`',
  'not-found': '`Record not found` and `File not found`, also for those of other companies',
  refused: 'a missing or wrong record, name or content is refused',
  roles: 'workers neither see nor add files of sales and purchases, and add none to items; only managers delete files',
  storage: 'files count towards the storage limit, and deleting them is possible when it is reached',
  events: 'adding, replacing and deleting files are events of the files, which are not in the feed',
})
