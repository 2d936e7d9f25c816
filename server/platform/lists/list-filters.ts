// What every list of records takes: `search`, `updated_after`, `ids`, `include`, and `external_ids` where the records have them.
// Statements are planned once for all companies, so each filter with an index of its own gets a statement that is certain to use it.

import { z } from 'zod'
import { array, nameLength, textRefusals, textValue } from '../../kernel/field.ts'
import { filtersSchema, indexedFilterRefusals, readIds, readUpdatedAfter, searchPattern } from '../../kernel/filters.ts'
import { declareInclude, type Included } from '../../kernel/include.ts'
import type { Raw } from '../../kernel/json.ts'
import { externalIdOf, hasExternalIds, versionOf } from './external-ids.ts'
import { type Fields, integerField, jsonOf, membersOf, nullableText, schemaOf } from './record-fields.ts'

/** The filters as parameters of statements; one that is not passed is null. */
export type ListFilterValues = {
  readonly search: string | null
  readonly updated_after: string | null
  readonly ids: readonly number[] | null
  /** Always null for records without external ids. */
  readonly external_ids: readonly string[] | null
}

const maxExternalIds = 1000
const tooManyExternalIds = `Invalid external_ids value. Must be at most ${maxExternalIds} ids`
const externalIdsRefusals: readonly string[] = ['External_ids is not an array', tooManyExternalIds]
const externalIdsSchema = {
  external_ids: z
    .array(z.string())
    .max(maxExternalIds)
    .optional()
    .describe('Only the records with these external ids of your API connection.'),
}

const readExternalIds = (raw: Raw): readonly string[] | null =>
  array(raw, 'external_ids', maxExternalIds, tooManyExternalIds)?.map((one) =>
    textValue(one, 'external_ids', { max: nameLength, trim: true }),
  ) ?? null

/** A part that `include` adds: what it is, and its fields. */
export type Part = { readonly meaning: string; readonly fields: Fields }
export type Parts = Readonly<Record<string, Part>>

/** The part that every record has. `id` is the SQL of its id. */
export const metaPart = (record: string, id: string): { readonly meta: Part } => ({
  meta: {
    meaning: `${hasExternalIds(record) ? 'external id and version' : 'version'}.`,
    fields: {
      ...(hasExternalIds(record)
        ? {
            external_id: nullableText(
              externalIdOf(record, id),
              'The id that your API connection gave to the record, else null.',
            ),
          }
        : {}),
      version: integerField(
        `coalesce(${versionOf(record, id)}, 0)`,
        'Changes with every change of the record: the `seq` of its latest event, 0 without one.',
        17,
      ),
    },
  },
})

/** SQL: members of the JSON text of a record for a part, if it is included. */
export const ifIncluded = (part: string, members: string): string =>
  `case when :with_${part}::boolean then concat(${members}) end`

/** SQL of the JSON text of a record with the parts that are included. */
export const jsonWithParts = (fields: Fields, parts: Parts): string =>
  Object.keys(parts).length === 0
    ? jsonOf(fields)
    : `concat('{', ${[
        membersOf(fields),
        ...Object.entries(parts).map(([name, part]) => ifIncluded(name, `',', ${membersOf(part.fields)}`)),
      ].join(', ')}, '}')`

/** A record in a list: the fields of its parts may be absent. */
export const schemaWithParts = (fields: Fields, parts: Parts): z.ZodObject =>
  Object.values(parts).reduce((schema, part) => schema.extend(schemaOf(part.fields).partial().shape), schemaOf(fields))

export const meaningsOf = (parts: Parts): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(parts).map(([name, { meaning }]) => [name, meaning]))

/** Declares what the list of a kind of record takes. `meanings` are those of the parts of `include`. */
export function listInput<Name extends string>(
  record: string,
  meanings: Readonly<Record<Name, string>>,
  { hasSearch }: { readonly hasSearch: boolean } = { hasSearch: true },
) {
  const include = declareInclude(meanings)
  const hasExternal = hasExternalIds(record)
  const { search: searchSchema, ...others } = filtersSchema
  return {
    schema: {
      ...(hasSearch ? { search: searchSchema } : {}),
      ...others,
      ...(hasExternal ? externalIdsSchema : {}),
      ...include.schema,
    },
    refusals: [
      ...(hasSearch || hasExternal ? textRefusals : []),
      ...indexedFilterRefusals,
      ...(hasExternal ? externalIdsRefusals : []),
      ...include.refusals,
    ],
    read: (raw: Raw): ListFilterValues & Included<Name> => ({
      search: hasSearch ? searchPattern(raw) : null,
      updated_after: readUpdatedAfter(raw),
      ids: readIds(raw),
      external_ids: hasExternal ? readExternalIds(raw) : null,
      ...include.read(raw),
    }),
  }
}

const types = { ids: 'bigint[]', external_ids: 'text[]', updated_after: 'timestamptz' } as const

/** A filter with an index of its own. */
export type IndexedFilter = keyof typeof types

/** Those of a kind of record, the most selective first. */
export const indexedFilters = (record: string): readonly IndexedFilter[] =>
  hasExternalIds(record) ? ['ids', 'external_ids', 'updated_after'] : ['ids', 'updated_after']

/** SQL of each of them on a record with the alias. */
export const indexedConditions = (record: string, alias: string): Readonly<Record<IndexedFilter, string>> => ({
  ids: `${alias}.id = any(:ids::bigint[])`,
  external_ids: `${alias}.id in (select x.record_id from external_ids x where x.company_id = :company_id
      and x.connection_id = :connection_id::bigint and x.record = '${record}' and x.external_id = any(:external_ids::text[]))`,
  updated_after: `${alias}.updated_at > :updated_after::timestamptz`,
})

/** SQL: a filter is not passed, or the condition is met. */
export const ifPassed = (filter: string, type: string, condition: string): string =>
  `(:${filter}::${type} is null or ${condition})`

/** SQL: the record matches those of them that are passed, and `certain`, which is passed for certain. */
export function matchesIndexed(record: string, alias: string, certain?: IndexedFilter): string {
  const conditions = indexedConditions(record, alias)
  return indexedFilters(record)
    .map((filter) => (filter === certain ? conditions[filter] : ifPassed(filter, types[filter], conditions[filter])))
    .join(' and ')
}

/** The filter to find the records by; `undefined` when none of them is passed. */
export const filterToFindBy = (record: string, values: Readonly<Record<string, unknown>>): IndexedFilter | undefined =>
  indexedFilters(record).find((filter) => (values[filter] ?? null) !== null)
