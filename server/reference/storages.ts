// Storage locations. One is the default for products and one for materials (possibly the same), used unless a document specifies another.

import { z } from 'zod'
import { type DefaultStorages, defaultStorageEvents } from '../access/default-storages.ts'
import type { TransactionContext } from '../kernel/clock.ts'
import { auditStatus, openProductions, openPurchases, openSales, openTransfers } from '../kernel/document-statuses.ts'
import { notesLength, flag as readFlag, text as readText, textRefusals } from '../kernel/field.ts'
import type { Raw } from '../kernel/json.ts'
import type { Method } from '../kernel/method.ts'
import { nameRefusals, optionalName, requiredName } from '../kernel/name.ts'
import { refuse } from '../kernel/refusal.ts'
import { type Statement, statement } from '../kernel/statement.ts'
import { flagField, integerField, textField, timeFields } from '../platform/lists/record-fields.ts'
import { type Entity, recordWrites, wholeList } from '../platform/lists/record-methods.ts'

const storage: Entity = {
  section: 'storages',
  noun: 'storage',
  entity: 'Storage',
  word: 'storage location',
  counter: 'storage_id',
}

type StorageInput = {
  readonly name: string | undefined
  readonly address: string | undefined
  readonly notes: string | undefined
  readonly default_products: boolean | undefined
  readonly default_materials: boolean | undefined
}
type Storage = {
  readonly name: string
  readonly address: string
  readonly notes: string
  readonly default_products: boolean
  readonly default_materials: boolean
}
type Facts = { readonly record: Storage | null; readonly in_use: boolean; readonly defaults: DefaultStorages }

/** Documents that need a storage location while they are open: table, condition, columns. */
const openDocuments: readonly (readonly [table: string, open: string, columns: readonly string[]])[] = [
  ['sales', `d.status in (${openSales})`, ['products_storage_id', 'materials_storage_id']],
  ['productions', `d.status in (${openProductions})`, ['products_storage_id', 'materials_storage_id']],
  ['purchases', `d.status in (${openPurchases})`, ['products_storage_id', 'materials_storage_id']],
  ['transfers', `d.status in (${openTransfers})`, ['storage_from_id', 'storage_to_id']],
  ['audits', `d.status = ${auditStatus.counting}`, ['storage_id']],
]

const inOpenDocument = openDocuments
  .map(([table, open, columns]) => {
    const named = columns.map((column) => `d.${column} = :storage_id::bigint`).join(' or ')
    return `exists (select from ${table} d where d.company_id = :company_id and ${open} and (${named}))`
  })
  .join(' or ')

const facts = statement<Facts, { company_id: number; storage_id: number | null }>(
  'storages.facts',
  `select
     (select json_build_object('name', t.name, 'address', t.address, 'notes', t.notes,
        'default_products', c.products_storage_id = t.id, 'default_materials', c.materials_storage_id = t.id)
      from storages t join companies c on c.company_id = :company_id
      where t.company_id = :company_id and t.id = :storage_id::bigint and t.deleted_at is null) as record,
     exists (select from stock_levels l where l.company_id = :company_id and l.storage_id = :storage_id::bigint and (l.on_hand <> 0 or l.reserved <> 0))
       or ${inOpenDocument} as in_use,
     (select json_build_object('products_storage_id', c.products_storage_id, 'materials_storage_id', c.materials_storage_id)
      from companies c where c.company_id = :company_id) as defaults`,
)
const insert = statement<
  never,
  { company_id: number; storage_id: number; name: string; address: string; notes: string; at: string }
>(
  'storages.insert',
  'insert into storages (company_id, id, name, address, notes, created_at, updated_at) values (:company_id, :storage_id, :name, :address, :notes, :at, :at)',
)
const update = statement<
  never,
  { company_id: number; storage_id: number; name: string; address: string; notes: string; at: string }
>(
  'storages.update',
  'update storages set name = :name, address = :address, notes = :notes, updated_at = :at where company_id = :company_id and id = :storage_id',
)
const remove = statement<never, { company_id: number; storage_id: number; at: string }>(
  'storages.delete',
  'update storages set deleted_at = :at, updated_at = :at where company_id = :company_id and id = :storage_id',
)
const setDefaults = statement<
  never,
  { company_id: number; storage_id: number; for_products: boolean; for_materials: boolean }
>(
  'storages.set_defaults',
  `update companies set products_storage_id = case when :for_products then :storage_id else products_storage_id end,
     materials_storage_id = case when :for_materials then :storage_id else materials_storage_id end where company_id = :company_id`,
)
const touchDefaults = statement<
  never,
  { company_id: number; storage_id: number; for_products: boolean; for_materials: boolean; at: string }
>(
  'storages.touch_defaults',
  `update storages set updated_at = :at where company_id = :company_id and id <> :storage_id and id in (
     select unnest(array[case when :for_products then c.products_storage_id end, case when :for_materials then c.materials_storage_id end])
     from companies c where c.company_id = :company_id)`,
)
const fields = {
  id: integerField('t.id', 'Id of the storage location.'),
  name: textField('t.name', 'Name.', 'Finished goods'),
  address: textField('t.address', 'Address.'),
  notes: textField('t.notes', 'Notes.'),
  default_products: flagField('(c.products_storage_id = t.id)', '1 when products are kept here by default.', 1),
  default_materials: flagField('(c.materials_storage_id = t.id)', '1 when materials are kept here by default.', 0),
  ...timeFields('t'),
}

const inUse = 'Storage is in use and cannot be deleted'
const flagRefusals = ['default_products', 'default_materials'].map(
  (field) => `Invalid ${field} value. Must be one of: 0, 1`,
)

const readFields = (raw: Raw) => ({
  address: readText(raw, 'address', { max: notesLength }),
  notes: readText(raw, 'notes', { max: notesLength }),
  default_products: readFlag(raw, 'default_products'),
  default_materials: readFlag(raw, 'default_materials'),
})

/** Only becoming the default is written; the previous default is replaced by it, which changes that one too. */
function defaults(
  { context: { companyId }, at }: TransactionContext,
  id: number,
  state: Storage,
  before: Storage | undefined,
): Statement[] {
  const products = state.default_products && before?.default_products !== true
  const materials = state.default_materials && before?.default_materials !== true
  const become = { company_id: companyId, storage_id: id, for_products: products, for_materials: materials }
  return products || materials ? [touchDefaults({ ...become, at }), setDefaults(become)] : []
}

const bit = z.union([z.literal(0), z.literal(1)])
const optional = {
  address: z.string().optional().describe('Address.'),
  notes: z.string().optional().describe('Notes.'),
  default_products: bit.optional().describe('1 makes it the default for products; 0 changes nothing.'),
  default_materials: bit.optional().describe('1 makes it the default for materials; 0 changes nothing.'),
}

const writes = recordWrites<StorageInput, Storage, Facts>({
  ...storage,
  addSchema: { name: z.string().describe('Name.'), ...optional },
  editSchema: { name: z.string().optional().describe('Name.'), ...optional },
  readAdd: (raw) => ({ name: requiredName(raw, storage.entity), ...readFields(raw) }),
  readEdit: (raw) => ({ name: optionalName(raw, storage.entity), ...readFields(raw) }),
  facts: ({ companyId }, id) => facts({ company_id: companyId, storage_id: id }),
  settle: (input, before) => ({
    name: input.name ?? before?.name ?? '',
    address: input.address ?? before?.address ?? '',
    notes: input.notes ?? before?.notes ?? '',
    // There is always a default: it is replaced only when another one becomes the default.
    default_products: input.default_products === true || before?.default_products === true,
    default_materials: input.default_materials === true || before?.default_materials === true,
  }),
  refuseDelete: ({ in_use, record: own }) => {
    if (in_use || own?.default_products === true || own?.default_materials === true) refuse(inUse, { code: 'in_use' })
  },
  related: (id, state, { defaults: before }) =>
    defaultStorageEvents(before, {
      products_storage_id: state.default_products ? id : before.products_storage_id,
      materials_storage_id: state.default_materials ? id : before.materials_storage_id,
    }).filter(({ recordId }) => recordId !== id),
  insert: (id, state, transaction) => [
    insert({ company_id: transaction.context.companyId, storage_id: id, ...state, at: transaction.at }),
    ...defaults(transaction, id, state, undefined),
  ],
  update: (id, state, before, transaction) => [
    update({ company_id: transaction.context.companyId, storage_id: id, ...state, at: transaction.at }),
    ...defaults(transaction, id, state, before),
  ],
  remove: (id, _before, { context, at }) => [remove({ company_id: context.companyId, storage_id: id, at })],
  refusals: {
    add: [...nameRefusals(storage.entity), ...textRefusals, ...flagRefusals],
    edit: [...nameRefusals(storage.entity).slice(1), ...textRefusals, ...flagRefusals],
    delete: [inUse],
  },
  notes: { delete: ['A storage location with stock or open documents, or a default one, cannot be deleted.'] },
  example: { add: { name: 'Showroom', address: '1 Oak Lane' }, edit: { default_products: 1 } },
})

export const storageMethods: readonly Method[] = [
  ...writes,
  wholeList(storage, {
    fields,
    alias: 't',
    from: 'storages t join companies c on c.company_id = :company_id',
    where: 't.company_id = :company_id and t.deleted_at is null',
    order: 't.id',
  }),
]
