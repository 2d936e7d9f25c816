// Documents in responses: the common fields, and the lines.

import { z } from 'zod'
import { statement } from '../kernel/statement.ts'
import {
  dateField,
  exampleOf,
  type Field,
  type Fields,
  integerField,
  jsonOf,
  membersOf,
  nullableNumber,
  numberField,
  schemaOf,
  textField,
  timeFields,
} from '../platform/lists/record-fields.ts'
import { wordFor } from '../platform/lists/record-methods.ts'
import { array } from '../platform/postgres/json-sql.ts'
import { joinAmount } from './amount.ts'
import type { DocumentKind } from './document.ts'

export const idAndNumber: Fields = {
  id: integerField('d.id', 'Id.'),
  num: textField('d.num', 'Number.', 'X-1'),
}

export const storageField = (column: string, alias: string, meaning: string): Fields => ({
  [`${column}_id`]: integerField(`d.${column}_id`, meaning),
  [`${column}_name`]: textField(`${alias}.name`, 'Its name.', 'Finished goods'),
})

export const bothStorages: Fields = {
  ...storageField('products_storage', 'ps', 'Storage location of the products.'),
  ...storageField('materials_storage', 'ms', 'Storage location of the materials.'),
}

export const joinStorages = (columns: readonly (readonly [column: string, alias: string])[]): string =>
  columns
    .map(
      ([column, alias]) => `join storages ${alias} on ${alias}.company_id = :company_id and ${alias}.id = d.${column}`,
    )
    .join(' ')

export const bothStorageJoins = joinStorages([
  ['products_storage_id', 'ps'],
  ['materials_storage_id', 'ms'],
])

/** The total quantity of a document; see `joinAmount`. */
export const amountField: Field = nullableNumber(
  'shared.amount',
  'Total quantity when all lines share one unit of measure, else null.',
  2,
)

export const commonFields: Fields = {
  amount: amountField,
  lines: integerField('d.lines', 'Number of lines.'),
  cost: numberField('d.cost', 'Cost.', 37),
  source: textField('d.source', 'Source: `manual` or `api`.', 'api'),
  notes: textField('d.notes', 'Notes.'),
  ...timeFields('d'),
}

export const money = (column: string, meaning: string, example = 37): Field =>
  numberField(`d.${column}`, meaning, example)
export const dayField = (column: string, meaning: string, example = '2026-03-12'): Field =>
  dateField(`d.${column}`, `${meaning} \`YYYY-MM-DD\`; empty when unset.`, example)
export const codeField = (column: string, meaning: string, example = 0): Field =>
  integerField(`d.${column}`, meaning, example)

export const lineFields: Fields = {
  id: integerField('l.item_id', 'Id of the item.'),
  sku: textField('i.sku', 'SKU.', 'TABLE-1'),
  name: textField('i.name', 'Name.', 'Oak table'),
  amount: numberField('l.amount', 'Quantity.', 2),
  unit: textField('n.name', 'Unit of measure.', 'pcs'),
}
export const lineEnd: Fields = {
  cost: numberField('l.cost', 'Cost of the line.', 37),
  position: integerField('l.position', 'Position in the document, from 0, counted over products and materials.', 0),
}
export const lineMoney: Fields = {
  total: numberField('l.total', 'Total of the line.', 37),
  price: numberField('round(l.total / l.amount, 2)', 'total / amount.', 18.5),
}

/** One array of lines: its name, its source rows, their order and their fields. */
export type LineArray = {
  readonly name: string
  readonly from: string
  readonly order: string
  readonly fields: Fields
}

/** The lines with one kind of item, with its unit. */
export const linesOfKind = (
  { linesTable, key }: DocumentKind,
  kind: 'product' | 'material',
  fields: Fields,
): LineArray => ({
  name: `${kind}s`,
  from: `from ${linesTable} l join items i on i.company_id = :company_id and i.id = l.item_id
    join units n on n.company_id = :company_id and n.id = i.unit_id
    where l.company_id = :company_id and l.${key} = d.id and i.kind = '${kind}'`,
  order: 'l.position',
  fields,
})

export function documentView(kind: DocumentKind, fields: Fields, joins: string, arrays: readonly LineArray[]) {
  const lines = arrays.map(
    ({ name, from, order, fields: own }) => ` || ',"${name}":' || ${array(jsonOf(own), from, order)}`,
  )
  const whole = schemaOf(fields).extend(
    Object.fromEntries(
      arrays.map(({ name, fields: own }) => [name, z.array(schemaOf(own)).describe(`Lines: ${name}.`)]),
    ),
  )
  const wholeJson = `'{' || ${membersOf(fields)}${lines.join('')} || '}'`
  return {
    fields,
    json: jsonOf(fields),
    wholeJson,
    joins,
    schema: schemaOf(fields),
    example: exampleOf(fields),
    wholeSchema: whole.describe(`The ${wordFor(kind)} with its lines.`),
    wholeExample: {
      ...exampleOf(fields),
      ...Object.fromEntries(arrays.map(({ name, fields: own }) => [name, [exampleOf(own)]])),
    },
    find: statement<{ record: string }, { readonly company_id: number; readonly id: number }>(
      `${kind.table}.find`,
      `select ${wholeJson} as record from ${kind.table} d ${joins} ${joinAmount(kind)} where d.company_id = :company_id and d.id = :id`,
    ),
  }
}
