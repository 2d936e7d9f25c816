// The fields of responses that show other records, from the declarations: which of each section, and which events tell of their changes.

import { type Method, shownOfKey } from '../kernel/method.ts'
import { bySection, type JsonSchema, type NamedSchemas, resolve, type Shapes } from './json-schema.ts'

export type ShownField = {
  /** Within the record: `customer_name`, `products[].sku`. */
  readonly field: string
  readonly of: readonly string[]
}

/** Of the records that the method returns. */
export function shownFields(method: Method, { answers, named }: Shapes): ShownField[] {
  const found: ShownField[] = []
  for (const schema of Object.values(answers.get(method.path)?.fields ?? {})) collect(schema, named, '', found)
  return found
}

function collect(schema: JsonSchema, named: NamedSchemas, path: string, found: ShownField[]): void {
  const seen = resolve(schema, named)
  const of = schema[shownOfKey] ?? seen[shownOfKey]
  if (of !== undefined) found.push({ field: path, of })
  for (const choice of seen.anyOf ?? seen.oneOf ?? []) collect(choice, named, path, found)
  // The list of the records themselves has no name within a record.
  if (seen.items !== undefined) collect(seen.items, named, path === '' ? '' : `${path}[]`, found)
  for (const [name, field] of Object.entries(seen.properties ?? {}))
    collect(field, named, path === '' ? name : `${path}.${name}`, found)
}

const isReading = ({ path }: Method): boolean => /\/get_(?:entry|list)$/.test(path)

const eventText = (record: string): string => (record === 'stock' ? '`stock/get_changes`' : `\`${record}.updated\``)

/** A table: the section, its fields, and what to follow for them. */
export function shownFieldsTable(methods: readonly Method[], shapes: Shapes): string {
  const rows = [...bySection(methods)].flatMap(([section, declared]) => {
    const byRecords = new Map<string, Set<string>>()
    for (const { field, of } of declared.filter(isReading).flatMap((method) => shownFields(method, shapes))) {
      const key = of.map(eventText).join(', ')
      byRecords.set(key, (byRecords.get(key) ?? new Set()).add(field))
    }
    return [...byRecords].map(
      ([events, fields]) => `| ${section} | ${[...fields].map((field) => `\`${field}\``).join(', ')} | ${events} |`,
    )
  })
  return ['| section | fields | follow |', '|---|---|---|', ...rows].join('\n')
}
