// Dismissing skipped lines: nobody will add them. The notes of the documents keep the sentences about them. App API only.

import { z } from 'zod'
import { idSchema } from '../../documents/fields.ts'
import { isSameCode, type SkippedCode } from '../../documents/skipped-lines.ts'
import { flag, id, passed } from '../../kernel/field.ts'
import type { Raw } from '../../kernel/json.ts'
import { write } from '../../kernel/method.ts'
import { codeRefusals, codeSchema, readCode } from './code.ts'
import { recordName, sections } from './sections.ts'
import {
  factsOfStep,
  maxCounted,
  maxDocuments,
  noSkippedLine,
  planDocuments,
  refuseNoDocuments,
  type Step,
  type StepScope,
  writtenStep,
} from './step.ts'

type Input = { readonly code: SkippedCode; readonly scope: StepScope }

const idFields = sections.map((section) => ({ section, field: `${recordName(section)}_id` }))

/** The one document whose lines are dismissed. */
const readDocument = (raw: Raw): StepScope['document'] =>
  idFields
    .map(({ section, field }) => ({ record: section.record, sent: passed(raw, field) }))
    .flatMap(({ record, sent }) => (sent === undefined ? [] : [{ record, id: id(sent) }]))[0]

export const dismissSkipped = write({
  path: 'skipped_lines/dismiss',
  api: 'app',
  summary: 'Dismiss skipped lines.',
  notes: [
    'They are no longer listed. The documents do not change, and their notes keep the sentences about the lines.',
    `At most ${maxDocuments} documents at a time, the oldest first; \`remaining\` is the number of the others.`,
    'A later request that sends the lines of a document again lists what it skips again.',
  ],
  input: {
    schema: z.object({
      ...codeSchema,
      ...Object.fromEntries(
        idFields.map(({ section, field }) => [
          field,
          idSchema.optional().describe(`Only the lines of this ${section.record}.`),
        ]),
      ),
      closed: z
        .union([z.literal(0), z.literal(1)])
        .optional()
        .describe('1: those of shipped, received and canceled documents. Default: 0, those of all others.'),
    }),
    read: (raw): Input => {
      const code = readCode(raw)
      return { code, scope: { document: readDocument(raw), isClosed: flag(raw, 'closed') ?? false } }
    },
  },
  output: z.object({
    step: z.int().describe('Number of the step, for skipped_lines/undo.'),
    documents: z.int().describe('Number of documents whose lines were dismissed.'),
    remaining: z.int().describe(`Number of documents that are left; at most ${maxCounted} are counted.`),
  }),
  refusals: [...codeRefusals, 'Invalid closed value. Must be one of: 0, 1', noSkippedLine],
  example: {
    request: { type: 'product', sku: 'TABLE-OAK' },
    response: { success: true, step: 42, documents: 3, remaining: 0 },
  },
  facts: ({ code, scope }, context) => factsOfStep(context, code, scope),
  plan: ({ code }, facts, transaction): Step & { readonly remaining: number } => {
    refuseNoDocuments(facts)
    const plans = planDocuments(
      facts,
      () => (document) => ({ ...document, skipped: document.skipped.filter((line) => !isSameCode(line, code)) }),
      transaction,
    )
    return { step: transaction.seq, plans, item: undefined, remaining: facts.found - plans.length }
  },
  write: (plan, transaction) => writtenStep(plan, transaction),
  response: ({ step, plans, remaining }) => ({ step, documents: plans.length, remaining }),
})
