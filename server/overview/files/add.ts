// files/add: a picture of an item, or a file that is attached to a record. App API only. The content is checked here; it is shown by content.ts.

import { z } from 'zod'
import { flag, required, text, textRefusals } from '../../kernel/field.ts'
import type { Raw } from '../../kernel/json.ts'
import { write } from '../../kernel/method.ts'
import { refuse } from '../../kernel/refusal.ts'
import { statement } from '../../kernel/statement.ts'
import { notBase64, readBytes, tagOf } from './bytes.ts'
import { deleteFile } from './delete.ts'
import { type FileType, isPdf, readPicture } from './file-type.ts'
import {
  addedFrom,
  columnOf,
  fileRecords,
  noSuchRecord,
  type Owner,
  ownerFacts,
  ownerRefusals,
  ownerSchema,
  readOwner,
} from './record.ts'

export const maxFiles = 20
const mib = 1024 * 1024
const maxBytes = 5 * mib
const maxPixels = 1_600
const maxThumbnailBytes = 32 * 1024
const maxThumbnailPixels = 240
const maxName = 255

/** A file as it is stored. */
type Content = {
  readonly name: string
  readonly type: FileType
  readonly size: number
  readonly tag: string
  readonly content: string
  readonly thumbnail: string | null
}
type Input = Owner & { readonly isPicture: boolean; readonly file: Content }

const tooLarge = 'File is too large. Must be at most 5 MB'
const unknownType = 'File is not a picture without metadata (JPEG, PNG or WebP) or a PDF'
const notPicture = 'Picture is not a JPEG, PNG or WebP without metadata'
const tooWide = `Picture is too large. Must be at most ${maxPixels} pixels wide and high`
const badThumbnail = `Thumbnail must be a picture of at most ${maxThumbnailPixels} pixels and 32 kB`
const pictureOfItem = 'Only items have a picture'
const tooMany = `Too many files. Must be at most ${maxFiles}`

function typeOf(bytes: Buffer, isPicture: boolean): FileType {
  const picture = readPicture(bytes)
  if (picture !== undefined) {
    if (Math.max(picture.width, picture.height) > maxPixels || Math.min(picture.width, picture.height) < 1)
      refuse(tooWide, { code: 'out_of_range', field: 'content' })
    return picture.type
  }
  if (isPicture) refuse(notPicture, { code: 'malformed', field: 'content' })
  if (isPdf(bytes)) return 'application/pdf'
  return refuse(unknownType, { code: 'malformed', field: 'content' })
}

function readThumbnail(raw: Raw): string {
  const { bytes, base64 } = readBytes(raw, 'thumbnail', maxThumbnailBytes, badThumbnail)
  const picture = readPicture(bytes)
  const isSmall = picture !== undefined && Math.max(picture.width, picture.height) <= maxThumbnailPixels
  if (!isSmall || Math.min(picture.width, picture.height) < 1)
    refuse(badThumbnail, { code: 'malformed', field: 'thumbnail' })
  return base64
}

const endings: Readonly<Record<FileType, readonly string[]>> = {
  'image/jpeg': ['.jpg', '.jpeg'],
  'image/png': ['.png'],
  'image/webp': ['.webp'],
  'application/pdf': ['.pdf'],
}

/** The name with the ending of the type, so that no browser saves it as something else. */
function namedAs(name: string, type: FileType): string {
  const allowed = endings[type]
  if (allowed.some((ending) => name.toLowerCase().endsWith(ending))) return name
  const ending = allowed[0] ?? ''
  return `${[...name].slice(0, maxName - ending.length).join('')}${ending}`
}

function readFile(raw: Raw): Input {
  const owner = readOwner(raw)
  const isPicture = flag(raw, 'picture') ?? false
  if (isPicture && owner.record !== 'item') refuse(pictureOfItem, { code: 'not_a_choice', field: 'picture' })
  required(raw, 'name')
  const name = text(raw, 'name', { max: maxName, trim: true }) ?? ''
  const { bytes, base64 } = readBytes(raw, 'content', maxBytes, tooLarge)
  const type = typeOf(bytes, isPicture)
  const thumbnail = type === 'application/pdf' ? null : readThumbnail(raw)
  const tag = tagOf(bytes)
  return {
    ...owner,
    isPicture,
    file: { name: namedAs(name, type), type, size: bytes.length, tag, content: base64, thumbnail },
  }
}

type Values = Content & {
  company_id: number
  file_id: number
  record: string
  record_id: number
  is_picture: boolean
  at: string
}
const insert = statement<never, Values>(
  'files.insert',
  `insert into files (company_id, id, ${fileRecords.map(columnOf).join(', ')}, is_picture, name, type, size, tag, content, thumbnail, created_at)
   values (:company_id, :file_id, ${fileRecords.map((record) => `case when :record::text = '${record}' then :record_id::bigint end`).join(', ')},
     :is_picture, :name, :type, :size, :tag, decode(:content, 'base64'), decode(:thumbnail, 'base64'), :at)`,
)

export const addFile = write({
  path: 'files/add',
  api: 'app',
  role: 'worker',
  roleFor: ({ record }) => addedFrom(record),
  summary: 'Add a file to an item or a document, or the picture of an item.',
  notes: [
    'Pictures are JPEG, PNG or WebP without metadata, at most 1,600 pixels wide and high. Other files are PDF. At most 5 MB each.',
    'A new picture of an item replaces its former one.',
    'Files of sales and purchases are shown to managers and owners only.',
  ],
  input: {
    schema: z.object({
      ...ownerSchema,
      picture: z
        .union([z.literal(0), z.literal(1), z.boolean()])
        .optional()
        .describe('1: the picture of the item. Default: 0, an attached file.'),
      name: z.string().describe('Name of the file. It gets the ending of its type.'),
      content: z.string().describe('The file as base64.'),
      thumbnail: z
        .string()
        .optional()
        .describe('A small picture as base64, at most 240 pixels wide and high and 32 kB. Required for pictures.'),
    }),
    read: readFile,
  },
  output: z.object({ file_id: z.int().describe('Id of the file.') }),
  refusals: [
    ...ownerRefusals,
    'Invalid picture value. Must be one of: 0, 1',
    pictureOfItem,
    'No name in input',
    'No content in input',
    'No thumbnail in input',
    notBase64,
    tooLarge,
    notPicture,
    unknownType,
    tooWide,
    badThumbnail,
    noSuchRecord,
    tooMany,
    ...textRefusals,
  ],
  example: {
    request: { record: 'item', record_id: 1, name: 'drawing.pdf', content: 'JVBERi0xLjQKJSVFT0YK' },
    response: { success: true, file_id: 1 },
  },
  facts: ownerFacts,
  plan: (input, facts, transaction) => {
    if (!facts.exists) refuse(noSuchRecord, { code: 'record_not_found', field: 'record_id' })
    const replaced = input.isPicture ? facts.picture_id : null
    if (facts.files - (replaced === null ? 0 : 1) >= maxFiles) refuse(tooMany, { code: 'too_many', value: maxFiles })
    return { ...input, id: transaction.ids.next('file_id'), replaced }
  },
  write: ({ id, record, recordId, isPicture, file, replaced }, { context: { companyId }, at }) => {
    const { content: _content, thumbnail: _thumbnail, ...change } = file
    const values = { record, record_id: recordId, is_picture: isPicture }
    return {
      statements: [
        ...(replaced === null ? [] : [deleteFile({ company_id: companyId, file_id: replaced })]),
        insert({ company_id: companyId, file_id: id, ...values, ...file, at }),
      ],
      event: { record: 'file', recordId: id, change: { ...values, ...change } },
      related:
        replaced === null ? [] : [{ record: 'file', recordId: replaced, action: 'deleted' as const, change: values }],
    }
  },
  response: ({ id }) => ({ file_id: id }),
})
