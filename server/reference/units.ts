// Units of measure.

import { z } from 'zod'
import { nameLength, text as textField, textRefusals } from '../kernel/field.ts'
import type { Method } from '../kernel/method.ts'
import { nameRefusals, optionalName, requiredName } from '../kernel/name.ts'
import { refuse } from '../kernel/refusal.ts'
import { statement } from '../kernel/statement.ts'
import { array, integer, object, text, time } from '../platform/json-sql.ts'
import { type Entity, exampleTimes, recordWrites, timesOnWire, wholeList } from '../platform/records.ts'

const unit: Entity = { section: 'units', noun: 'unit', entity: 'Unit', counter: 'unit_id' }

type Given = { readonly name?: string | undefined; readonly full_name?: string | undefined }
type Unit = { readonly name: string; readonly full_name: string }
type Facts = { readonly record: Unit | null; readonly in_use: boolean }

const facts = statement<Facts>(
  'units.facts',
  `select (select json_build_object('name', u.name, 'full_name', u.full_name) from units u where u.company_id = $1 and u.id = $2::bigint) as record,
     exists (select from items i where i.company_id = $1 and i.unit_id = $2::bigint) as in_use`,
)
const insert = statement(
  'units.insert',
  'insert into units (company_id, id, name, full_name, created_at, updated_at) values ($1, $2, $3, $4, $5, $5)',
)
const update = statement(
  'units.update',
  'update units set name = $3, full_name = $4, updated_at = $5 where company_id = $1 and id = $2',
)
const remove = statement('units.delete', 'delete from units where company_id = $1 and id = $2')
const list = statement<{ rows: string }>(
  'units.list',
  `select ${array(
    object([
      ['id', integer('u.id')],
      ['name', text('u.name')],
      ['full_name', text('u.full_name')],
      ['created_at', time('u.created_at')],
      ['updated_at', time('u.updated_at')],
    ]),
    'from units u where u.company_id = $1',
    'u.id',
  )} as rows`,
)

const fullName = z.string().optional().describe('The name written out.')
const inUse = 'Unit is in use and cannot be deleted'

const record = z.object({
  id: z.int().describe('Id of the unit.'),
  name: z.string().describe('Short name, such as pcs or kg.'),
  full_name: z.string().describe('The name written out.'),
  ...timesOnWire,
})

const writes = recordWrites<Given, Unit, Facts>({
  ...unit,
  addOnWire: { name: z.string().describe('Short name, such as pcs or kg.'), full_name: fullName },
  editOnWire: { name: z.string().optional().describe('Short name, such as pcs or kg.'), full_name: fullName },
  readAdd: (raw) => ({
    name: requiredName(raw, unit.entity),
    full_name: textField(raw, 'full_name', { max: nameLength }),
  }),
  readEdit: (raw) => ({
    name: optionalName(raw, unit.entity),
    full_name: textField(raw, 'full_name', { max: nameLength }),
  }),
  facts: (companyId, id) => facts(companyId, id),
  settle: (given, before) => ({
    name: given.name ?? before?.name ?? '',
    full_name: given.full_name ?? before?.full_name ?? '',
  }),
  refuseDelete: ({ in_use }) => {
    if (in_use) refuse(inUse)
  },
  insert: (id, state, { call, at }) => [insert(call.companyId, id, state.name, state.full_name, at)],
  update: (id, state, _before, { call, at }) => [update(call.companyId, id, state.name, state.full_name, at)],
  remove: (id, _before, { call }) => [remove(call.companyId, id)],
  refusals: {
    add: [...nameRefusals(unit.entity), ...textRefusals],
    edit: [...nameRefusals(unit.entity).slice(1), ...textRefusals],
    delete: [inUse],
  },
  notes: { delete: ['A unit that an item has, a deleted one included, stays.'] },
  example: { add: { name: 'kg', full_name: 'kilogram' }, edit: { full_name: 'kilograms' } },
})

export const unitMethods: readonly Method[] = [
  ...writes,
  wholeList(unit, list, record, { id: 1, name: 'pcs', full_name: 'pieces', ...exampleTimes }),
]
