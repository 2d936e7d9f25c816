// Imports of products, materials, customers and suppliers: each portion of rows is one call of the section's upsert, with all of its rules.

import { materialSection, productSection } from '../../catalog/methods.ts'
import { customerSection, supplierSection } from '../../contacts/methods.ts'
import { difference, type RecordState } from '../../kernel/patch.ts'
import { Refusal } from '../../kernel/refusal.ts'
import type { Statement } from '../../kernel/statement.ts'
import type { ReadRecord, Upsert, UpsertResult } from '../../platform/lists/upsert.ts'
import { lookUpRecord, Names, type NamesFacts } from './names.ts'
import type { ImportRow } from './row.ts'
import type { ImportSection, Outcome, PlannedRows, RowRefusal } from './section.ts'

type FoundItems = {
  readonly units?: readonly number[]
  readonly categories?: readonly number[]
  readonly suppliers?: readonly number[]
  readonly components?: readonly (readonly [id: number, kind: string])[]
  readonly component_codes?: readonly (readonly [space: string, code: string, itemId: number])[]
}

function upsertSection<Changes, State extends RecordState, Found extends object>(
  section: string,
  noun: string,
  upsert: Upsert<Changes, State, Found>,
  isCheck: boolean,
): ImportSection {
  const read = (records: readonly object[]): readonly ReadRecord<Changes>[] =>
    records.length === 0 ? [] : upsert.input.read({ [section]: records })
  return {
    facts: (rows, _options, context) =>
      upsert.facts(read(rows.map(({ fields }) => lookUpRecord(fields))), context) as Statement as Statement<object>,
    plan: (rows, _options, facts, transaction) => {
      const found = facts as Found & FoundItems & NamesFacts
      const names = new Names(found, found.component_codes ?? [])
      const records = rows.map((row) => recordOf(names, row, isCheck))
      const known = {
        ...found,
        units: [...(found.units ?? []), ...names.unitIds],
        categories: [...(found.categories ?? []), ...names.categoryIds],
        suppliers: [...(found.suppliers ?? []), ...names.supplierIds],
        components: [...(found.components ?? []), ...names.resourceIds.map((id) => [id, 'resource'] as const)],
      }
      const results = upsert.plan(
        read(records.flatMap((one) => (one instanceof RefusedRow ? [] : [one]))),
        known,
        transaction,
      )
      return plannedRows(noun, upsert, records, results)
    },
  }
}

class RefusedRow {
  readonly refusal: RowRefusal
  constructor(refusal: RowRefusal) {
    this.refusal = refusal
  }
}

function recordOf(names: Names, { fields }: ImportRow, isCheck: boolean): object | RefusedRow {
  try {
    return names.record(fields, isCheck)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const missing = names.missing(fields)
    return new RefusedRow({ error: error.message, ...error.detail, ...(missing.length === 0 ? {} : { missing }) })
  }
}

function plannedRows<Changes, State extends RecordState, Found>(
  noun: string,
  upsert: Upsert<Changes, State, Found>,
  records: readonly (object | RefusedRow)[],
  results: readonly UpsertResult<State>[],
): PlannedRows {
  let [result, event] = [0, 0]
  const outcomes = records.map((record): Outcome => {
    if (record instanceof RefusedRow) return { state: 'refused', refusal: record.refusal }
    const one = results[result++]
    if (one === undefined) throw new Error('a record has no result')
    if (one.result === 'refused') return { state: 'refused', refusal: { error: one.error, ...one.detail } }
    const about = { record: noun, recordId: one.planned.id }
    if (one.result === 'created') return { state: 'create', ...about, event: event++ }
    if (one.result === 'unchanged') return { state: 'unchanged' }
    const { before, state } = one.planned
    return { state: 'change', ...about, changes: difference(before, state), event: event++ }
  })
  return {
    outcomes,
    write: (transaction) => {
      const written = upsert.write(results, transaction)
      if (written === undefined) return { statements: [], events: [] }
      const action = results.findLast(({ result: one }) => one === 'created' || one === 'updated')?.result
      const last = { ...written.event, action: action === 'created' ? ('created' as const) : ('updated' as const) }
      return { statements: written.statements, events: [...(written.related ?? []), last] }
    },
  }
}

function present<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('the section has no upsert')
  return value
}

/** While rows are checked, they may refer to products that other rows create. */
export const recordSections = (isCheck: boolean) => ({
  products: upsertSection('products', 'product', present(productSection.upsert), isCheck),
  materials: upsertSection('materials', 'material', present(materialSection.upsert), isCheck),
  customers: upsertSection('customers', 'customer', customerSection.upsert, isCheck),
  suppliers: upsertSection('suppliers', 'supplier', supplierSection.upsert, isCheck),
})
