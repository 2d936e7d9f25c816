// The content of a file, or of the logo of the company, for its address below /screens/files/.

import { statement } from '../../kernel/statement.ts'
import type { FindFile, StoredFile } from '../../platform/requests/request.ts'
import { isSeenByWorkers } from './record.ts'

type Values = {
  readonly company_id: number
  readonly file_id: number
  readonly tag: string
  readonly is_worker: boolean
}

const sqlOf = (column: string): string =>
  `select f.name, f.type, f.${column} as content from files f
   where f.company_id = :company_id and f.id = :file_id and f.tag = :tag and f.${column} is not null and (not :is_worker or ${isSeenByWorkers})`

const whole = statement<StoredFile, Values>('files.content', sqlOf('content'))
const small = statement<StoredFile, Values>('files.thumbnail', sqlOf('thumbnail'))

/** It has no thumbnail. */
const logo = statement<StoredFile, { readonly company_id: number; readonly tag: string }>(
  'company.logo',
  `select 'logo' as name, c.logo_type as type, c.logo as content from companies c
   where c.company_id = :company_id and c.logo_tag = :tag`,
)

export const fileContent: FindFile = ({ fileId, tag, isSmall }, { companyId, role }) =>
  fileId === 'logo'
    ? logo({ company_id: companyId, tag })
    : (isSmall ? small : whole)({ company_id: companyId, file_id: fileId, tag, is_worker: role === 'worker' })
