// Units of measure.

import { z } from 'zod'
import { nameLength, text as readText, textRefusals } from '../kernel/field.ts'
import type { Method } from '../kernel/method.ts'
import { nameRefusals, optionalName, requiredName } from '../kernel/name.ts'
import { refuse } from '../kernel/refusal.ts'
import { statement } from '../kernel/statement.ts'
import { integerField, textField, timeFields } from '../platform/lists/record-fields.ts'
import { type Entity, recordWrites, wholeList } from '../platform/lists/record-methods.ts'

const unit: Entity = { section: 'units', noun: 'unit', entity: 'Unit', counter: 'unit_id' }

type UnitInput = { readonly name?: string | undefined; readonly full_name?: string | undefined }
type Unit = { readonly name: string; readonly full_name: string }
type Facts = { readonly record: Unit | null; readonly in_use: boolean }

const facts = statement<Facts, { company_id: number; unit_id: number | null }>(
  'units.facts',
  `select (select json_build_object('name', u.name, 'full_name', u.full_name) from units u where u.company_id = :company_id and u.id = :unit_id::bigint) as record,
     exists (select from items i where i.company_id = :company_id and i.unit_id = :unit_id::bigint) as in_use`,
)
const insert = statement<never, { company_id: number; unit_id: number; name: string; full_name: string; at: string }>(
  'units.insert',
  'insert into units (company_id, id, name, full_name, created_at, updated_at) values (:company_id, :unit_id, :name, :full_name, :at, :at)',
)
const update = statement<never, { company_id: number; unit_id: number; name: string; full_name: string; at: string }>(
  'units.update',
  'update units set name = :name, full_name = :full_name, updated_at = :at where company_id = :company_id and id = :unit_id',
)
const remove = statement<never, { company_id: number; unit_id: number }>(
  'units.delete',
  'delete from units where company_id = :company_id and id = :unit_id',
)
const fields = {
  id: integerField('u.id', 'Id of the unit.'),
  name: textField('u.name', 'Short name, such as pcs or kg.', 'pcs'),
  full_name: textField('u.full_name', 'Full name.', 'pieces'),
  ...timeFields('u'),
}

const fullName = z.string().optional().describe('Full name.')
const inUse = 'Unit is in use and cannot be deleted'

const writes = recordWrites<UnitInput, Unit, Facts>({
  ...unit,
  addSchema: { name: z.string().describe('Short name, such as pcs or kg.'), full_name: fullName },
  editSchema: { name: z.string().optional().describe('Short name, such as pcs or kg.'), full_name: fullName },
  readAdd: (raw) => ({
    name: requiredName(raw, unit.entity),
    full_name: readText(raw, 'full_name', { max: nameLength }),
  }),
  readEdit: (raw) => ({
    name: optionalName(raw, unit.entity),
    full_name: readText(raw, 'full_name', { max: nameLength }),
  }),
  facts: ({ companyId }, id) => facts({ company_id: companyId, unit_id: id }),
  settle: (input, before) => ({
    name: input.name ?? before?.name ?? '',
    full_name: input.full_name ?? before?.full_name ?? '',
  }),
  refuseDelete: ({ in_use }) => {
    if (in_use) refuse(inUse, { code: 'in_use' })
  },
  insert: (id, state, { context, at }) => [insert({ company_id: context.companyId, unit_id: id, ...state, at })],
  update: (id, state, _before, { context, at }) => [
    update({ company_id: context.companyId, unit_id: id, ...state, at }),
  ],
  remove: (id, _before, { context }) => [remove({ company_id: context.companyId, unit_id: id })],
  refusals: {
    add: [...nameRefusals(unit.entity), ...textRefusals],
    edit: [...nameRefusals(unit.entity).slice(1), ...textRefusals],
    delete: [inUse],
  },
  notes: { delete: ['A unit used by an item, even a deleted one, cannot be deleted.'] },
  example: { add: { name: 'kg', full_name: 'kilogram' }, edit: { full_name: 'kilograms' } },
})

export const unitMethods: readonly Method[] = [
  ...writes,
  wholeList(unit, { fields, alias: 'u', from: 'units u', where: 'u.company_id = :company_id', order: 'u.id' }),
]
