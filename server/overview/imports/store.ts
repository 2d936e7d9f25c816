// The SQL of imports and their rows. Long because the methods and the runner read and change the same two tables.

import type { RequestContext } from '../../kernel/clock.ts'
import { declareInsert } from '../../kernel/insert-rows.ts'
import { refuse } from '../../kernel/refusal.ts'
import { type Statement, statement } from '../../kernel/statement.ts'
import { hasKey, type NamesFacts, namesFacts, namesValues } from './names.ts'
import { type ImportKind, type ImportRow, keyOf, type RowFields } from './row.ts'
import type { RowRefusal } from './section.ts'

export type ImportStatus = 'draft' | 'running' | 'done' | 'undoing' | 'undone'
/** draft: create, change, unchanged, refused. Written: created, changed. Taken back: undone, left. */
export const rowStates = ['create', 'change', 'unchanged', 'refused', 'created', 'changed', 'undone', 'left'] as const
export type RowState = (typeof rowStates)[number]

export type Import = {
  readonly kind: ImportKind
  readonly status: ImportStatus
  readonly storage_id: number | null
  readonly counted_on: string | null
  readonly rows: number
  readonly next_position: number
  readonly lease: string | null
}

export const noImport = 'Import not found'

type Company = { readonly company_id: number }
type OfImport = Company & { readonly import_id: number }

/** SQL: the import, as JSON; null when there is none. */
const importFacts = `(
     select json_build_object('kind', i.kind, 'status', i.status, 'storage_id', i.storage_id, 'counted_on', i.counted_on, 'rows', i.rows,
       'next_position', i.next_position, 'lease', i.lease)
     from imports i where i.company_id = :company_id and i.id = :import_id) as import`

export type ImportFacts = {
  readonly import: Import | null
  /** The imports of the company, and those among them that are written or taken back. */
  readonly imports: number
  readonly others_working: number
  readonly left: Readonly<Record<'writable' | 'written', number>>
}

const findImport = statement<ImportFacts, OfImport>(
  'imports.facts',
  `select ${importFacts},
     (select count(*) from imports i where i.company_id = :company_id) as imports,
     (select count(*) from imports i where i.company_id = :company_id and i.id <> :import_id and i.status in ('running', 'undoing')) as others_working,
     (select json_build_object('writable', count(*) filter (where r.state in ('create', 'change')),
        'written', count(*) filter (where r.state in ('created', 'changed')))
      from import_rows r where r.company_id = :company_id and r.import_id = :import_id) as left`,
)

export const factsOfImport = ({ id }: { readonly id: number }, { companyId }: RequestContext): Statement<ImportFacts> =>
  findImport({ company_id: companyId, import_id: id })

export const loadImport = ({ import: one }: { readonly import: Import | null }): Import =>
  one ?? refuse(noImport, { code: 'record_not_found', field: 'import_id' })

export type CheckFacts = NamesFacts & {
  readonly import: Import | null
  /** The first line of the rows before those sent that have the same key. */
  readonly same_keys: readonly (readonly [key: string, line: number])[]
}

const findForRows = statement<CheckFacts, OfImport & Readonly<Record<string, unknown>>>(
  'imports.rows_facts',
  `select ${importFacts},
     (select coalesce(json_agg(json_build_array(r.key, r.line) order by r.position desc), '[]'::json) from import_rows r
      where r.company_id = :company_id and r.import_id = :import_id and ${hasKey(':keys')} and r.position < :from_position) as same_keys,
     ${namesFacts}`,
)

export function factsOfRows(
  importId: number,
  kind: ImportKind,
  rows: readonly ImportRow[],
  { companyId }: RequestContext,
): Statement<CheckFacts> {
  return findForRows({
    company_id: companyId,
    import_id: importId,
    keys: [...new Set(rows.map(({ fields }) => keyOf(kind, fields)))].filter((key) => key !== ''),
    from_position: rows[0]?.position ?? 0,
    ...namesValues(kind, rows),
  })
}

export type StoredRow = {
  readonly position: number
  readonly line: number
  readonly key: string
  readonly fields: string
  readonly state: RowState
  readonly changes: string | null
  readonly refusal: string | null
}

export const insertImportRows = declareInsert<{ readonly import_id: number }, StoredRow>({
  name: 'imports.insert_rows',
  table: 'import_rows',
  shared: ['import_id'],
  columns: {
    position: 'integer',
    line: 'integer',
    key: 'text',
    fields: 'jsonb',
    state: 'text',
    changes: 'jsonb',
    refusal: 'jsonb',
  },
  onConflict: `on conflict (company_id, import_id, position) do update set line = excluded.line, key = excluded.key, fields = excluded.fields,
    state = excluded.state, changes = excluded.changes, refusal = excluded.refusal`,
})

type Written = {
  readonly positions: readonly number[]
  readonly states: readonly RowState[]
  readonly changes: readonly (string | null)[]
  readonly refusals: readonly (string | null)[]
  readonly records: readonly (string | null)[]
  readonly record_ids: readonly (number | null)[]
  readonly seqs: readonly (number | null)[]
}

/** What became of rows when they were written. */
export const updateWrittenRows = statement<never, OfImport & Written>(
  'imports.update_written',
  `update import_rows r set state = x.state, changes = x.changes, refusal = x.refusal, record = x.record, record_id = x.record_id, seq = x.seq
   from unnest(:positions::integer[], :states::text[], :changes::jsonb[], :refusals::jsonb[], :records::text[], :record_ids::bigint[], :seqs::bigint[])
     as x (position, state, changes, refusal, record, record_id, seq)
   where r.company_id = :company_id and r.import_id = :import_id and r.position = x.position`,
)

/** Rows of one record that was taken back, or left as it is. */
export const updateUndoneRows = statement<
  never,
  OfImport & { record: string; record_id: number; state: RowState; refusal: string | null }
>(
  'imports.update_undone',
  `update import_rows set state = :state, refusal = :refusal::jsonb
   where company_id = :company_id and import_id = :import_id and record = :record and record_id = :record_id and state in ('created', 'changed')`,
)

/** The rows that can no longer be written. */
export const refuseLeftRows = statement<never, OfImport & { refusal: string }>(
  'imports.refuse_left',
  `update import_rows set state = 'refused', refusal = :refusal::jsonb
   where company_id = :company_id and import_id = :import_id and state in ('create', 'change')`,
)

export type NewImport = OfImport & {
  readonly kind: ImportKind
  readonly name: string
  readonly user_id: number | null
  readonly at: string
  readonly storage_id: number | null
  readonly counted_on: string | null
  readonly headings: string
}

export const insertImport = statement<never, NewImport>(
  'imports.insert',
  `insert into imports (company_id, id, kind, name, status, user_id, created_at, storage_id, counted_on, headings)
   values (:company_id, :import_id, :kind, :name, 'draft', :user_id, :at, :storage_id, :counted_on, :headings::jsonb)`,
)

export const setRowCount = statement<never, OfImport & { rows: number }>(
  'imports.set_rows',
  'update imports set rows = greatest(rows, :rows::integer) where company_id = :company_id and id = :import_id',
)

export const beginRun = statement<never, OfImport & { at: string }>(
  'imports.begin_run',
  `update imports set status = 'running', started_at = :at, next_position = 0, lease = null, leased_until = null
   where company_id = :company_id and id = :import_id`,
)

export const beginUndo = statement<never, OfImport>(
  'imports.begin_undo',
  `update imports set status = 'undoing', next_position = rows - 1, lease = null, leased_until = null
   where company_id = :company_id and id = :import_id`,
)

export const advanceImport = statement<never, OfImport & { next_position: number; lease_ms: number }>(
  'imports.advance',
  `update imports set next_position = :next_position, leased_until = now() + :lease_ms::integer * interval '1 millisecond'
   where company_id = :company_id and id = :import_id`,
)

export const endImport = statement<never, OfImport & { status: ImportStatus; at: string }>(
  'imports.end',
  `update imports set status = :status, ended_at = :at, lease = null, leased_until = null
   where company_id = :company_id and id = :import_id`,
)

export const deleteImport = statement<never, OfImport>(
  'imports.delete',
  'delete from imports where company_id = :company_id and id = :import_id',
)

const keepCompany = statement<never, Company & { is_working: boolean }>(
  'imports.keep_company',
  `insert into import_companies (company_id, is_working) values (:company_id, :is_working)
   on conflict (company_id) do update set is_working = excluded.is_working`,
)
const dropCompany = statement<never, Company>(
  'imports.drop_company',
  'delete from import_companies where company_id = :company_id',
)

/** Records whether the company has imports, and whether one of them is worked on. */
export const noteCompany = (companyId: number, has: { readonly any: boolean; readonly working: boolean }): Statement =>
  has.any ? keepCompany({ company_id: companyId, is_working: has.working }) : dropCompany({ company_id: companyId })

/** Companies with imports that are worked on. It contains nothing but ids. */
export const workingCompanies = statement<{ company_id: number }, { after: number; limit: number }>(
  'imports.companies',
  'select company_id from import_companies where is_working and company_id > :after order by company_id limit :limit',
)

export const leaseMs = 10_000

// A lease that ends far in the future is of a time before the clock was set back: it does not count.
const isFree = `(leased_until is null or leased_until <= now() or leased_until > now() + interval '1 minute')`

export type LeasedImport = Omit<Import, 'lease'> & { readonly id: number; readonly user_id: number | null }

export const takeImport = statement<LeasedImport, Company & { lease: string; lease_ms: number }>(
  'imports.lease',
  `update imports set lease = :lease, leased_until = now() + :lease_ms::integer * interval '1 millisecond'
   where company_id = :company_id and status in ('running', 'undoing') and ${isFree}
     and id = (select min(p.id) from imports p where p.company_id = :company_id and p.status in ('running', 'undoing'))
   returning id, kind, status, storage_id, counted_on, rows, next_position, user_id`,
)

export const renewImport = statement<{ next_position: number }, OfImport & { lease: string; lease_ms: number }>(
  'imports.renew',
  `update imports set leased_until = now() + :lease_ms::integer * interval '1 millisecond'
   where company_id = :company_id and id = :import_id and lease = :lease and status in ('running', 'undoing') returning next_position`,
)

export type RowToWrite = { readonly position: number; readonly line: number; readonly fields: RowFields }

export const nextRows = statement<RowToWrite, OfImport & { from_position: number; limit: number }>(
  'imports.next_rows',
  `select position, line, fields from import_rows
   where company_id = :company_id and import_id = :import_id and position >= :from_position and state in ('create', 'change')
   order by position limit :limit`,
)

export type RowToUndo = {
  readonly position: number
  readonly record: string
  readonly record_id: number
  readonly seq: number
  readonly created: boolean
  /** The change in the event that changed it; empty if it created it. */
  readonly change: Readonly<Record<string, unknown>>
}

/** The last of the rows that are left, with what they did. */
export const rowsToUndo = statement<RowToUndo, OfImport & { from_position: number; limit: number }>(
  'imports.rows_to_undo',
  `select r.position, r.record, r.record_id, r.seq, e.action is not distinct from 'created' as created,
     case when e.action is not distinct from 'created' then '{}'::jsonb else e.change end as change
   from import_rows r join events e on e.company_id = :company_id and e.seq = r.seq
   where r.company_id = :company_id and r.import_id = :import_id and r.position <= :from_position and r.state in ('created', 'changed')
   order by r.position desc limit :limit`,
)

export const refusalJson = (refusal: RowRefusal): string => JSON.stringify(refusal)
