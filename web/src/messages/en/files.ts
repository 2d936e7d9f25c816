// Texts about files: pictures of items, and what is attached to items and documents.

import { plural } from './plural.ts'

export const files = {
  title: 'Files',
  add: 'Add files',
  hint: 'Pictures and PDF, at most 5 MB each',
  full: (limit: number) => `A record can have ${limit} files. Delete one first.`,
  empty: 'No files yet.',
  emptyAdd: 'No files yet. Add drawings, delivery notes or photos, or drop them here.',
  added: (n: number) => `${plural(n, 'file')} added`,
  delete: 'Delete',
  deleteNamed: (name: string) => `Delete ${name}`,
  deleteTitle: 'Delete file',
  deleteText: (name: string) => `${name} is deleted for good.`,
  deleted: (name: string) => `${name} deleted`,
  kilobytes: (amount: string) => `${amount} kB`,
  megabytes: (amount: string) => `${amount} MB`,
  addPicture: 'Add a picture',
  openPicture: (name: string) => `Picture of ${name}`,
  replacePicture: 'Replace',
  removePicture: 'Remove picture',
  pictureSaved: 'Picture saved',
  pictureRemoved: 'Picture removed',
  tooLarge: (name: string) => `${name} is too large. A PDF may have up to 5 MB, a picture up to 40 MB.`,
  wrongType: (name: string) => `${name} is neither a picture nor a PDF.`,
  unreadable: (name: string) => (name === '' ? 'The picture cannot be read.' : `${name} cannot be read as a picture.`),
}
