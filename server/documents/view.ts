// Documents in responses: the common fields, and the lines.

import { z } from 'zod'
import { statement } from '../kernel/statement.ts'
import { exampleTimes, timesSchema, wordFor } from '../platform/lists/record-methods.ts'
import {
  array,
  integer,
  members,
  nullable,
  number,
  object,
  type Shape,
  text,
  time,
} from '../platform/postgres/json-sql.ts'
import { joinAmount } from './amount.ts'
import type { DocumentKind } from './document.ts'

/** A field of a document: its SQL, its schema and an example. */
export type Field = { readonly sql: string; readonly schema: z.ZodType; readonly example: unknown }
export type Fields = Readonly<Record<string, Field>>

const field = (sql: string, schema: z.ZodType, example: unknown): Field => ({ sql, schema, example })

export const idAndNumber: Fields = {
  id: field(integer('d.id'), z.int().describe('Id.'), 1),
  num: field(text('d.num'), z.string().describe('Number.'), 'X-1'),
}

export const storageField = (column: string, alias: string, meaning: string): Fields => ({
  [`${column}_id`]: field(integer(`d.${column}_id`), z.int().describe(meaning), 1),
  [`${column}_name`]: field(text(`${alias}.name`), z.string().describe('Its name.'), 'Finished goods'),
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

export const commonFields: Fields = {
  amount: field(
    nullable(number('shared.amount')),
    z.number().nullable().describe('Total quantity when all lines share one unit of measure, else null.'),
    2,
  ),
  lines: field(integer('d.lines'), z.int().describe('Number of lines.'), 1),
  cost: field(number('d.cost'), z.number().describe('Cost.'), 37),
  source: field(text('d.source'), z.string().describe('Source: `manual` or `api`.'), 'api'),
  notes: field(text('d.notes'), z.string().describe('Notes.'), ''),
  created_at: field(time('d.created_at'), timesSchema.created_at, exampleTimes.created_at),
  updated_at: field(time('d.updated_at'), timesSchema.updated_at, exampleTimes.updated_at),
}

export const money = (column: string, meaning: string, example = 37): Field =>
  field(number(`d.${column}`), z.number().describe(meaning), example)
export const dayField = (column: string, meaning: string, example = '2026-03-12'): Field =>
  field(
    `coalesce('"' || d.${column}::text || '"', '""')`,
    z.string().describe(`${meaning} \`YYYY-MM-DD\`; empty when unset.`),
    example,
  )
export const codeField = (column: string, meaning: string, example = 0): Field =>
  field(integer(`d.${column}`), z.int().describe(meaning), example)

export const lineFields: Fields = {
  id: field(integer('l.item_id'), z.int().describe('Id of the item.'), 1),
  sku: field(text('i.sku'), z.string().describe('SKU.'), 'TABLE-1'),
  name: field(text('i.name'), z.string().describe('Name.'), 'Oak table'),
  amount: field(number('l.amount'), z.number().describe('Quantity.'), 2),
  unit: field(text('n.name'), z.string().describe('Unit of measure.'), 'pcs'),
}
export const lineEnd: Fields = {
  cost: field(number('l.cost'), z.number().describe('Cost of the line.'), 37),
  position: field(
    integer('l.position'),
    z.int().describe('Position in the document, from 0, counted over products and materials.'),
    0,
  ),
}
export const lineMoney: Fields = {
  total: field(number('l.total'), z.number().describe('Total of the line.'), 37),
  price: field(number('round(l.total / l.amount, 2)'), z.number().describe('total / amount.'), 18.5),
}

const shapeOf = (fields: Fields): Shape => Object.entries(fields).map(([name, { sql }]) => [name, sql])
const wireOf = (fields: Fields): z.ZodObject =>
  z.object(Object.fromEntries(Object.entries(fields).map(([name, { schema }]) => [name, schema])))
const exampleOf = (fields: Fields): object =>
  Object.fromEntries(Object.entries(fields).map(([name, { example }]) => [name, example]))

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
  const lines = arrays.map(({ name, from, order, fields: own }): readonly [string, string] => [
    name,
    array(object(shapeOf(own)), from, order),
  ])
  const whole = wireOf(fields).extend(
    Object.fromEntries(arrays.map(({ name, fields: own }) => [name, z.array(wireOf(own)).describe(`Lines: ${name}.`)])),
  )
  const wholeJson = `'{' || ${members([...shapeOf(fields), ...lines])} || '}'`
  return {
    fields,
    json: object(shapeOf(fields)),
    wholeJson,
    joins,
    schema: wireOf(fields),
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
