// Assigning skipped lines to an item: it gets their code, and every waiting document gets the lines. App API only.

import { z } from 'zod'
import { factsOfCode, planAddedCode } from '../../catalog/added-code.ts'
import type { ItemFacts } from '../../catalog/facts.ts'
import { kinds, maxOf } from '../../catalog/item.ts'
import { idSchema } from '../../documents/fields.ts'
import { tooLargeRefusal } from '../../documents/limits.ts'
import { allLines, maxLines } from '../../documents/lines.ts'
import { isSameCode, labelOfSkipped, notesWithout, type SkippedCode } from '../../documents/skipped-lines.ts'
import type { SkippingChange } from '../../documents/skipping.ts'
import { requiredId, tooMany } from '../../kernel/field.ts'
import { write } from '../../kernel/method.ts'
import { missing } from '../../platform/lists/record-methods.ts'
import { codeRefusals, codeSchema, readCode } from './code.ts'
import type { AnySection } from './sections.ts'
import {
  factsOfStep,
  maxCounted,
  maxDocuments,
  noSkippedLine,
  planDocuments,
  refuseNoDocuments,
  type Step,
  type StepFacts,
  writtenStep,
} from './step.ts'

type Input = { readonly code: SkippedCode; readonly itemId: number }

export const assignSkipped = write({
  path: 'skipped_lines/assign',
  api: 'app',
  summary: 'Assign skipped lines to an item.',
  notes: [
    'A product gets the SKU as an alternative SKU; a material gets it as its SKU, unless it has another. Later requests with it then find the item.',
    `Every document that is not shipped, received or canceled gets the lines with their quantity and total, and loses the sentences about them in its notes. At most ${maxDocuments} documents at a time, the oldest first; \`remaining\` is the number of the others, for which the method is called again.`,
    'Shipped, received and canceled documents keep their skipped lines.',
  ],
  input: {
    schema: z.object({
      ...codeSchema,
      item_id: idSchema.describe('Id of the product or material, of the same kind as the lines.'),
    }),
    read: (raw): Input => ({ code: readCode(raw), itemId: requiredId(raw, 'item_id') }),
  },
  output: z.object({
    step: z.int().describe('Number of the step, for skipped_lines/undo.'),
    documents: z.int().describe('Number of documents that got the lines.'),
    remaining: z.int().describe(`Number of waiting documents that are left; at most ${maxCounted} are counted.`),
    code_added: z.boolean().describe('Whether the item got the SKU with this request.'),
  }),
  refusals: [
    ...codeRefusals,
    'No item_id in input',
    noSkippedLine,
    tooMany('lines', maxLines),
    missing(kinds.product),
    missing(kinds.material),
    'SKU "<sku>" is already used',
    tooMany('alt_skus', maxOf.alt_skus),
    'Materials in orders are disabled in company settings',
    tooLargeRefusal,
  ],
  example: {
    request: { type: 'product', sku: 'TABLE-OAK', item_id: 1 },
    response: { success: true, step: 42, documents: 3, remaining: 0, code_added: true },
  },
  facts: ({ code, itemId }, context) => factsOfCode(context.companyId, code.kind, itemId, skuOf(code)),
  moreFacts: ({ code, itemId }, context) => factsOfStep(context, code, { itemId }),
  plan: ({ code, itemId }, facts: ItemFacts, transaction): Step & { readonly remaining: number } => {
    const documents = facts as ItemFacts & StepFacts
    const item = planAddedCode(code.kind, itemId, skuOf(code), facts)
    refuseNoDocuments(documents)
    const plans = planDocuments(documents, (section) => withLines(section, code, itemId), transaction)
    return { step: transaction.seq, plans, item, remaining: documents.fitting - plans.length }
  },
  write: (plan, transaction) => writtenStep(plan, transaction),
  response: ({ step, plans, item, remaining }) => ({
    step,
    documents: plans.length,
    remaining,
    code_added: item !== undefined,
  }),
})

/** Ids are no codes that an item could have. */
const skuOf = ({ namedBy, code }: SkippedCode): string | undefined => (namedBy === 'sku' ? code : undefined)

/** The document with the lines that have this code. Product lines come before material lines. */
const withLines =
  (section: AnySection, code: SkippedCode, itemId: number): SkippingChange =>
  ({ lines, skipped, notes }, items, company) => {
    const assigned = skipped.filter((line) => isSameCode(line, code))
    const left = skipped.filter((line) => !isSameCode(line, code))
    if (code.kind === 'material') section.refuseMaterials?.(assigned.length, company)
    const named = assigned.map((line) => ({
      kind: code.kind,
      named: { id: itemId },
      label: labelOfSkipped(line),
      amount: line.amount,
      total: line.total,
    }))
    const added = allLines(named, items, new Set())
    const after = code.kind === 'product' ? lines.filter(({ kind }) => kind !== 'product') : []
    const before = lines.slice(0, lines.length - after.length)
    return { lines: [...before, ...added, ...after], skipped: left, notes: notesWithout(notes, assigned, left) }
  }
