// The records that files belong to, and how a request names one.

import { z } from 'zod'
import type { RequestContext } from '../../kernel/clock.ts'
import { id, required } from '../../kernel/field.ts'
import type { Raw } from '../../kernel/json.ts'
import type { Role } from '../../kernel/method.ts'
import { refuse } from '../../kernel/refusal.ts'
import { type Statement, statement } from '../../kernel/statement.ts'

/** Each with its table, its column in `files`, and the lowest role that may see and add its files: those of sales and purchases show money. */
const records = {
  item: { table: 'items', column: 'item_id', seen: 'worker', added: 'manager' },
  sale: { table: 'sales', column: 'sale_id', seen: 'manager', added: 'manager' },
  purchase: { table: 'purchases', column: 'purchase_id', seen: 'manager', added: 'manager' },
  production: { table: 'productions', column: 'production_id', seen: 'worker', added: 'worker' },
  writeoff: { table: 'writeoffs', column: 'writeoff_id', seen: 'worker', added: 'worker' },
  transfer: { table: 'transfers', column: 'transfer_id', seen: 'worker', added: 'worker' },
  audit: { table: 'audits', column: 'audit_id', seen: 'worker', added: 'worker' },
} as const satisfies Record<string, { table: string; column: string; seen: Role; added: Role }>

export type FileRecord = keyof typeof records
export const fileRecords = Object.keys(records) as readonly FileRecord[]

export const columnOf = (record: FileRecord): string => records[record].column
export const seenFrom = (record: FileRecord): Role => records[record].seen
export const addedFrom = (record: FileRecord): Role => records[record].added

/** SQL: whether workers see the file f. */
export const isSeenByWorkers = fileRecords
  .filter((record) => seenFrom(record) === 'worker')
  .map((record) => `f.${columnOf(record)} is not null`)
  .join(' or ')

export type Owner = { readonly record: FileRecord; readonly recordId: number }

const invalidRecord = `Invalid record value. Must be one of: ${fileRecords.join(', ')}`
export const noSuchRecord = 'Record not found'
export const ownerRefusals: readonly string[] = ['No record in input', invalidRecord, 'No record_id in input']

export const ownerSchema = {
  record: z.enum(fileRecords).describe('The type of the record that the file belongs to.'),
  record_id: z.union([z.int(), z.string()]).describe('Its id.'),
}

export function readOwner(raw: Raw): Owner {
  const sent = required(raw, 'record')
  const record = fileRecords.find((one) => one === sent)
  if (record === undefined) refuse(invalidRecord, { code: 'not_a_choice', field: 'record' })
  return { record, recordId: id(required(raw, 'record_id')) }
}

export type OwnerFacts = {
  readonly exists: boolean
  readonly files: number
  /** The picture that the item has. */
  readonly picture_id: number | null
}

const factsOf = Object.fromEntries(
  fileRecords.map((record) => {
    const { table, column } = records[record]
    const isLiving = record === 'item' ? ' and r.deleted_at is null' : ''
    const text = `select
       exists (select from ${table} r where r.company_id = :company_id and r.id = :record_id${isLiving}) as exists,
       (select count(*) from files f where f.company_id = :company_id and f.${column} = :record_id) as files,
       (select f.id from files f where f.company_id = :company_id and f.${column} = :record_id and f.is_picture) as picture_id`
    return [record, statement<OwnerFacts, { company_id: number; record_id: number }>(`files.facts_of_${record}`, text)]
  }),
)

export function ownerFacts({ record, recordId }: Owner, { companyId }: RequestContext): Statement<OwnerFacts> {
  const facts = factsOf[record]
  if (facts === undefined) throw new Error(`${record} has no files`)
  return facts({ company_id: companyId, record_id: recordId })
}
