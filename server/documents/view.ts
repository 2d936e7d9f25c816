// Documents in responses: the common fields, and the lines.

import { z } from 'zod'
import { capitalized } from '../kernel/field.ts'
import { named } from '../kernel/method.ts'
import type { StatusTable } from '../kernel/status.ts'
import { ifIncluded, metaPart } from '../platform/lists/list-filters.ts'
import { declareFinder } from '../platform/lists/record-entry.ts'
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
  shownOf,
  statusField,
  textField,
  timeFields,
} from '../platform/lists/record-fields.ts'
import { wordFor } from '../platform/lists/record-methods.ts'
import { joinAmount } from './amount.ts'
import type { DocumentKind } from './document.ts'

export const idAndNumber: Fields = {
  id: integerField('d.id', 'Id.'),
  num: textField('d.num', 'Number.', 'X-1'),
}

export const storageField = (column: string, alias: string, meaning: string): Fields => ({
  [`${column}_id`]: integerField(`d.${column}_id`, meaning),
  [`${column}_name`]: shownOf(['storage'], textField(`${alias}.name`, 'Its name.', 'Finished goods')),
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

/** The records whose data lines show. */
const itemsOfLines = ['product', 'material']

/** What a line shows of its item. */
export const shownItemFields = (items: readonly string[]) => ({
  sku: shownOf(items, textField('i.sku', 'SKU.', 'TABLE-1')),
  name: shownOf(items, textField('i.name', 'Name.', 'Oak table')),
  unit: shownOf([...items, 'unit'], textField('n.name', 'Unit of measure.', 'pcs')),
})
const { sku, name, unit } = shownItemFields(itemsOfLines)

/** The total quantity of a document; see `joinAmount`. */
export const amountField: Field = shownOf(
  itemsOfLines,
  nullableNumber('shared.amount', 'Total quantity when all lines share one unit of measure, else null.', 2),
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
export const codeField = (column: string, table: StatusTable, example = 0): Field =>
  statusField(`d.${column}`, table, example)

export const lineFields = {
  id: integerField('l.item_id', 'Id of the item.'),
  sku,
  name,
  amount: numberField('l.amount', 'Quantity.', 2),
  unit,
} satisfies Fields
export const lineEnd: Fields = {
  cost: numberField('l.cost', 'Cost of the line.', 37),
  position: integerField('l.position', 'Position in the document, from 0, counted over products and materials.', 0),
}
export const lineMoney: Fields = {
  total: numberField('l.total', 'Total of the line.', 37),
  price: numberField('round(l.total / l.amount, 2)', 'total / amount.', 18.5),
}

/** Rows of a document in responses, divided into arrays by conditions. All arrays are built in one pass over the rows. */
export type LineArrays = {
  /** The alias of the join that provides the arrays. */
  readonly alias: string
  /** SQL: the rows `l` of the document `d`, joined to what the fields and conditions use. They are ordered by `l.position`. */
  readonly from: string
  readonly arrays: Readonly<Record<string, { readonly condition: string; readonly fields: Fields }>>
}

const linesAlias = 'own_lines'

/** The lines with their items and units: products, and materials unless the document has none. */
export const linesByKind = (
  { linesTable, key }: DocumentKind,
  fields: Fields,
  kinds: readonly ('product' | 'material')[] = ['product', 'material'],
): LineArrays => ({
  alias: linesAlias,
  from: `${linesTable} l join items i on i.company_id = :company_id and i.id = l.item_id
    join units n on n.company_id = :company_id and n.id = i.unit_id
    where l.company_id = :company_id and l.${key} = d.id`,
  arrays: Object.fromEntries(kinds.map((kind) => [`${kind}s`, { condition: `i.kind = '${kind}'`, fields }])),
})

/** SQL that joins the arrays as JSON text, without their brackets. */
export function joinLineArrays({ alias, from, arrays }: LineArrays): string {
  const columns = Object.entries(arrays).map(
    ([name, { condition, fields }]) =>
      `string_agg(${jsonOf(fields)}, ',' order by l.position) filter (where ${condition}) as ${name}`,
  )
  return `cross join lateral (select ${columns.join(', ')} from ${from}) ${alias}`
}

/** SQL of the JSON text of a document with its arrays. An array without rows is null in SQL, which concat() writes as nothing. */
export function jsonWithLines(fields: Fields, lines: readonly LineArrays[]): string {
  return `concat('{', ${[membersOf(fields), ...lines.map(arrayMembers)].join(', ')}, '}')`
}

/** SQL of the arrays as members of an object, each after a comma. */
export const arrayMembers = ({ alias, arrays }: LineArrays): string =>
  Object.keys(arrays)
    .map((name) => `',"${name}":[', ${alias}.${name}, ']'`)
    .join(', ')

/** The lines, read only if a request includes them. */
export const ifLinesIncluded = (lines: LineArrays): LineArrays => ({
  ...lines,
  from: `${lines.from} and :with_lines::boolean`,
})

/** A document in a list, with the parts that a request includes. */
function listedDocument(kind: DocumentKind, fields: Fields, joins: string, lines: readonly LineArrays[]) {
  const { meta } = metaPart(kind.noun, 'd.id')
  const arrays = lines.map(arrayMembers).join(', ')
  return {
    json: `concat('{', ${membersOf(fields)}, ${ifIncluded('lines', arrays)}, ${ifIncluded('meta', `',', ${membersOf(meta.fields)}`)}, '}')`,
    joins: [joins, ...lines.map((one) => joinLineArrays(ifLinesIncluded(one)))].join(' '),
    metaSchema: schemaOf(meta.fields).partial().shape,
    meanings: { lines: 'the lines (get_entry always has them).', meta: meta.meaning },
  }
}

export type DocumentView = ReturnType<typeof documentView>

export function documentView(kind: DocumentKind, fields: Fields, joins: string, lines: readonly LineArrays[]) {
  const arrays = lines.flatMap((one) => Object.entries(one.arrays))
  // The first array has the lines of the document; what others contain is named after them, unless it has the same fields.
  const lineName = (name: string, own: Fields): string =>
    `${capitalized(kind.noun)}${own === arrays[0]?.[1].fields ? 'Line' : capitalized(name.slice(0, -1))}`
  const lineSchemas = Object.fromEntries(
    arrays.map(([name, { fields: own }]) => [
      name,
      z.array(named(lineName(name, own), schemaOf(own))).describe(`Lines: ${name}.`),
    ]),
  )
  const whole = schemaOf(fields).extend(lineSchemas)
  const listed = listedDocument(kind, fields, joins, lines)
  const wholeJson = jsonWithLines(fields, lines)
  const wholeJoins = [joins, ...lines.map(joinLineArrays)].join(' ')
  return {
    fields,
    listed,
    listedSchema: named(
      `Listed${capitalized(kind.noun)}`,
      schemaOf(fields).extend(z.object(lineSchemas).partial().shape).extend(listed.metaSchema),
    ),
    json: jsonOf(fields),
    wholeJson,
    wholeJoins,
    joins,
    schema: schemaOf(fields),
    example: exampleOf(fields),
    wholeSchema: named(`Shown${capitalized(kind.noun)}`, whole.describe(`The ${wordFor(kind)} with its lines.`)),
    wholeExample: {
      ...exampleOf(fields),
      ...Object.fromEntries(arrays.map(([name, { fields: own }]) => [name, [exampleOf(own)]])),
    },
    find: declareFinder(
      `${kind.table}.find`,
      kind.noun,
      `select ${wholeJson} as record from ${kind.table} d ${wholeJoins} ${joinAmount(kind)} where d.company_id = :company_id and d.id =`,
    ),
  }
}
