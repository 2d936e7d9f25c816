// The records that rows name: units, categories, suppliers and resources by name, other components by SKU. A name that is not found refuses its row.

import type { ItemKind } from '../../catalog/item.ts'
import { foldedSql, foldedText } from '../../kernel/folded-text.ts'
import type { Raw } from '../../kernel/json.ts'
import { refuse } from '../../kernel/refusal.ts'
import { jsonRows } from '../../platform/postgres/json-sql.ts'
import type { ComponentRow, ImportKind, ImportRow, RowFields } from './row.ts'

type NamedId = readonly [id: number, name: string]

export type NamesFacts = {
  readonly named_units: readonly (readonly [id: number, name: string, fullName: string])[]
  readonly named_categories: readonly NamedId[]
  readonly named_suppliers: readonly NamedId[]
  readonly named_resources: readonly NamedId[]
  /** The keys of rows of the same import that are not refused. */
  readonly imported: readonly string[]
}

/**
 * SQL: whether the row `r` of an import has one of the keys. `coalesce` keeps the subquery as it is, so that the keys are hashed once: PostgreSQL compares each
 * row with an array parameter element by element, and a join may read all rows for each key.
 */
export const hasKey = (keys: string): string => `coalesce(r.key in (select unnest(${keys}::text[])), false)`

/** SQL: the columns of `NamesFacts`. The oldest of several records of a name comes first. */
export const namesFacts = `${jsonRows('json_build_array(u.id, u.name, u.full_name) order by u.id')} from units u where u.company_id = :company_id
     and (${foldedSql('u.name')} = any(:unit_names::text[]) or ${foldedSql('u.full_name')} = any(:unit_names::text[]))) as named_units,
   ${jsonRows('json_build_array(c.id, c.name) order by c.id')} from categories c where c.company_id = :company_id
     and c.type = :category_type and ${foldedSql('c.name')} = any(:category_names::text[])) as named_categories,
   ${jsonRows('json_build_array(s.id, s.name) order by s.id')} from suppliers s where s.company_id = :company_id
     and s.folded_name = any(:supplier_names::text[]) and s.deleted_at is null) as named_suppliers,
   ${jsonRows('json_build_array(i.id, i.name) order by i.id')} from items i where i.company_id = :company_id and i.kind = 'resource'
     and i.search_key = any(:resource_names::text[]) and i.deleted_at is null) as named_resources,
   ${jsonRows('distinct r.key')} from import_rows r where r.company_id = :company_id and r.import_id = :import_id
     and ${hasKey(':component_keys')} and r.state <> 'refused') as imported`

export type NamesValues = {
  readonly unit_names: readonly string[]
  readonly category_type: string
  readonly category_names: readonly string[]
  readonly supplier_names: readonly string[]
  readonly resource_names: readonly string[]
  readonly component_keys: readonly string[]
}

/** Resources have no SKU: their name is in its place. */
const isResource = ({ type }: ComponentRow): boolean => type === 'resource'

const unique = (texts: readonly string[]): string[] => [...new Set(texts.map(foldedText))]

export function namesValues(kind: ImportKind, rows: readonly ImportRow[]): NamesValues {
  const fields = rows.map((row) => row.fields)
  return {
    unit_names: unique(fields.flatMap(({ unit }) => (unit === undefined ? [] : [unit]))),
    category_type: kind,
    category_names: unique(fields.flatMap(({ categories = [] }) => categories)),
    supplier_names: unique(fields.flatMap(({ suppliers = [] }) => suppliers.map(({ name }) => name))),
    resource_names: unique(
      fields.flatMap(({ components = [] }) => components.filter(isResource).map(({ sku }) => sku)),
    ),
    component_keys: unique(fields.flatMap(({ components = [] }) => components.map(({ sku }) => sku))),
  }
}

export type MissingName = {
  readonly code: 'unit_not_found' | 'category_not_found' | 'supplier_not_found'
  readonly value: string
}

/** The ids that rows name, looked up once for all rows. */
export class Names {
  readonly #units: ReadonlyMap<string, number>
  readonly #categories: ReadonlyMap<string, number>
  readonly #suppliers: ReadonlyMap<string, number>
  readonly #resources: ReadonlyMap<string, number>
  readonly #codes: ReadonlySet<string>
  readonly #imported: ReadonlySet<string>

  constructor(facts: NamesFacts, codes: readonly (readonly [space: string, code: string, itemId: number])[]) {
    const byName = (named: readonly NamedId[]) =>
      new Map(named.toReversed().map(([id, name]) => [foldedText(name), id]))
    const fullNames = facts.named_units.map(([id, , fullName]): NamedId => [id, fullName])
    const shortNames = facts.named_units.map(([id, name]): NamedId => [id, name])
    this.#units = new Map([...byName(fullNames), ...byName(shortNames)])
    this.#categories = byName(facts.named_categories)
    this.#suppliers = byName(facts.named_suppliers)
    this.#resources = byName(facts.named_resources)
    this.#codes = new Set(codes.map(([space, code]) => `${space} ${foldedText(code)}`))
    this.#imported = new Set(facts.imported)
  }

  get unitIds(): number[] {
    return [...this.#units.values()]
  }
  get categoryIds(): number[] {
    return [...this.#categories.values()]
  }
  get resourceIds(): number[] {
    return [...this.#resources.values()]
  }
  get supplierIds(): number[] {
    return [...this.#suppliers.values()]
  }

  /** The units, categories and suppliers of the row that do not exist, each once. */
  missing({ unit, categories = [], suppliers = [] }: RowFields): MissingName[] {
    const named: readonly (readonly [MissingName['code'], ReadonlyMap<string, number>, readonly string[]])[] = [
      ['unit_not_found', this.#units, unit === undefined ? [] : [unit]],
      ['category_not_found', this.#categories, categories],
      ['supplier_not_found', this.#suppliers, suppliers.map(({ name }) => name)],
    ]
    return named.flatMap(([code, known, names]) =>
      [...new Set(names)].filter((name) => !known.has(foldedText(name))).map((value) => ({ code, value })),
    )
  }

  /** The record that the row stands for, as the methods of its section read it. */
  record({ unit, categories, suppliers, components, ...fields }: RowFields, isCheck: boolean): Raw {
    return {
      ...fields,
      ...(unit === undefined ? {} : { unit_id: this.#unit(unit) }),
      ...(categories === undefined ? {} : { categories: categories.map((name) => this.#category(name)) }),
      ...(suppliers === undefined
        ? {}
        : { suppliers: suppliers.map(({ name, ...rest }) => ({ supplier_id: this.#supplier(name), ...rest })) }),
      ...(components === undefined
        ? {}
        : { components: components.flatMap((component) => this.#component(component, isCheck)) }),
    }
  }

  #unit(name: string): number {
    return (
      this.#units.get(foldedText(name)) ??
      refuse(`Unit "${name}" not found`, { code: 'unit_not_found', field: 'unit', value: name })
    )
  }

  #category(name: string): number {
    return (
      this.#categories.get(foldedText(name)) ??
      refuse(`Category "${name}" not found`, { code: 'category_not_found', field: 'categories', value: name })
    )
  }

  #supplier(name: string): number {
    return (
      this.#suppliers.get(foldedText(name)) ??
      refuse(`Supplier "${name}" not found`, { code: 'supplier_not_found', field: 'suppliers', value: name })
    )
  }

  /**
   * A component without a type is the material or product that has the SKU. While rows are checked, one that another row of the import creates is left out:
   * it exists when this row is written.
   */
  #component(component: ComponentRow, isCheck: boolean): Raw[] {
    const { sku, amount } = component
    if (isResource(component)) return [{ type: 'resource', id: this.#resource(sku), amount }]
    const type = component.type ?? this.#typeOf(sku)
    const key = foldedText(sku)
    if (isCheck && !this.#codes.has(`${type} ${key}`) && this.#imported.has(key)) return []
    return [{ type, sku, amount }]
  }

  #resource(name: string): number {
    return (
      this.#resources.get(foldedText(name)) ??
      refuse(`Resource "${name}" not found`, { code: 'item_not_found', field: 'components', value: name })
    )
  }

  #typeOf(sku: string): ItemKind {
    const [isMaterial, isProduct] = ['material', 'product'].map((kind) => this.#codes.has(`${kind} ${foldedText(sku)}`))
    if (isMaterial === true && isProduct === true)
      refuse(`SKU "${sku}" is that of a material and of a product`, {
        code: 'malformed',
        field: 'components',
        value: sku,
      })
    return isMaterial === true ? 'material' : 'product'
  }
}

/** The record whose facts are read before names are known: components without a type may be of either kind. */
export const lookUpRecord = ({ components, unit, categories, suppliers, ...fields }: RowFields): Raw => ({
  ...fields,
  ...(components === undefined
    ? {}
    : {
        components: components
          .filter((one) => !isResource(one))
          .flatMap(({ type, sku, amount }) =>
            type === undefined
              ? ['material', 'product'].map((one) => ({ type: one, sku, amount }))
              : [{ type, sku, amount }],
          ),
      }),
})
