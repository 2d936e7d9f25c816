// imports/add_rows: rows of a draft are stored and checked by the rules of their section, without being written. App API only.

import { z } from 'zod'
import { Ids } from '../../kernel/clock.ts'
import { array, id, integer, passed, required, requiredId, textRefusals, tooMany } from '../../kernel/field.ts'
import { write } from '../../kernel/method.ts'
import { refuse } from '../../kernel/refusal.ts'
import { kindRefusals, kindSchema, readKind, readStorage, storageRefusals, storageSchema } from './add.ts'
import { amongImported, planRows, sections } from './check.ts'
import { fieldsSchema, type ImportRow, keyOf, maxRows, maxRowsAtOnce, readRows, rowRefusals } from './row.ts'
import type { CountOptions, Outcome } from './section.ts'
import {
  type CheckFacts,
  factsOfRows,
  insertImportRows,
  loadImport,
  noImport,
  type RowState,
  refusalJson,
  setRowCount,
} from './store.ts'

const noDraft = 'The import has begun'
const beyond = `Invalid position value. Must be between 0 and ${maxRows - 1}`

export const addImportRows = write({
  path: 'imports/add_rows',
  api: 'app',
  summary: `Store up to ${maxRowsAtOnce} rows of an import that has not begun, and say what each would do.`,
  notes: [
    'The fields of a row are those of products/upsert, materials/upsert, customers/upsert and suppliers/upsert as texts, with `unit`, `categories` and the `name` of `suppliers` in place of ids; those of stock are `sku`, `counted`, `unit_cost` and `type`.',
    'A component without a `type` is the material or product that has the SKU; it may be created by a row before. A resource has its name in place of the SKU.',
    'Rows at positions that have rows replace them.',
    `An import has at most ${maxRows} rows.`,
  ],
  input: {
    schema: z.object({
      import_id: z.union([z.int(), z.string()]).describe('Id of the import.'),
      kind: kindSchema,
      storage_id: storageSchema,
      position: z.int().describe('Place of the first row in the import, from 0. Rows are written in this order.'),
      rows: z
        .array(
          z.object({
            line: z.int().describe('Line of the file, from 1.'),
            fields: fieldsSchema.describe('The fields of the record, as texts.'),
          }),
        )
        .max(maxRowsAtOnce)
        .describe('The rows.'),
    }),
    read: (raw) => {
      const importId = requiredId(raw, 'import_id')
      const kind = readKind(raw)
      const storageId = readStorage(raw, kind)
      const position = integer(required(raw, 'position')) ?? -1
      if (passed(raw, 'rows') === undefined) refuse('No rows in input', { code: 'required', field: 'rows' })
      const sent = array(raw, 'rows', maxRowsAtOnce, tooMany('rows', maxRowsAtOnce)) ?? []
      if (position < 0 || position + sent.length > maxRows)
        refuse(beyond, { code: 'out_of_range', field: 'position', value: maxRows - 1 })
      return { id: id(importId), kind, storageId, rows: readRows(kind, sent, position) }
    },
  },
  output: z.object({
    states: z.array(z.enum(['create', 'change', 'unchanged', 'refused'])).describe('What each row would do.'),
  }),
  refusals: [
    'No import_id in input',
    ...kindRefusals,
    ...storageRefusals,
    'No position in input',
    beyond,
    ...rowRefusals,
    ...textRefusals,
    noImport,
    noDraft,
  ],
  example: {
    request: {
      import_id: 1,
      kind: 'stock',
      storage_id: 1,
      position: 0,
      rows: [{ line: 2, fields: { sku: 'TABLE-1', counted: '4', unit_cost: '120' } }],
    },
    response: { success: true, states: ['change'] },
  },
  facts: ({ kind, storageId, rows }, context) =>
    sections(true)[kind].facts(rows, { storageId, countedOn: null }, context),
  moreFacts: ({ id: importId, kind, rows }, context) => factsOfRows(importId, kind, rows, context),
  plan: (input, facts, transaction) => {
    const found = facts as object & CheckFacts
    const { kind, status, storage_id: storageId, counted_on: countedOn } = loadImport(found)
    if (kind !== input.kind || storageId !== input.storageId)
      refuse(noImport, { code: 'record_not_found', field: 'import_id' })
    if (status !== 'draft') refuse(noDraft, { code: 'document_done', field: 'import_id' })
    const options: CountOptions = { storageId, countedOn }
    // Ids that are only planned are not used up.
    const trial = { ...transaction, ids: new Ids(transaction.ids.all) }
    const outcomes = checked(
      input.rows,
      input.kind,
      found,
      (rows) => planRows(sections(true)[kind], rows, options, found, trial).outcomes,
    )
    return { id: input.id, kind, rows: input.rows, outcomes }
  },
  write: ({ id: importId, kind, rows, outcomes }, { context }) => {
    const of = { company_id: context.companyId, import_id: importId }
    const first = rows[0]
    if (first === undefined) return undefined
    const stored = rows.map((row, at) => storedRow(kind, row, outcomes[at]))
    return {
      statements: [...insertImportRows(of, stored), setRowCount({ ...of, rows: first.position + rows.length })],
      event: { record: 'import', recordId: importId, action: 'updated', change: { checked: rows.length } },
    }
  },
  response: ({ outcomes }) => ({ states: outcomes.map(({ state }) => state) }),
})

/** Rows of one record are refused, except for the first. */
function checked(
  rows: readonly ImportRow[],
  kind: Parameters<typeof keyOf>[0],
  { same_keys: sameKeys }: CheckFacts,
  plan: (rows: readonly ImportRow[]) => readonly Outcome[],
): Outcome[] {
  const lines = new Map(sameKeys)
  const refused = new Map<number, Outcome>()
  for (const { position, line, fields } of rows) {
    const key = keyOf(kind, fields)
    const earlier = key === '' ? undefined : lines.get(key)
    if (earlier !== undefined) refused.set(position, amongImported(kind, earlier))
    else if (key !== '') lines.set(key, line)
  }
  const outcomes = plan(rows.filter(({ position }) => !refused.has(position))).values()
  return rows.map(({ position }) => refused.get(position) ?? (outcomes.next().value as Outcome))
}

function storedRow(kind: Parameters<typeof keyOf>[0], { position, line, fields }: ImportRow, outcome?: Outcome) {
  const state: RowState = outcome?.state ?? 'refused'
  return {
    position,
    line,
    key: keyOf(kind, fields),
    fields: JSON.stringify(fields),
    state,
    changes: outcome?.state === 'change' && outcome.changes !== undefined ? JSON.stringify(outcome.changes) : null,
    refusal: outcome?.state === 'refused' ? refusalJson(outcome.refusal) : null,
  }
}
