// Whether a company has example data, and the events that created it: from the first to the last one.

import { z } from 'zod'
import { write } from '../../kernel/method.ts'
import { refuse } from '../../kernel/refusal.ts'
import { statement } from '../../kernel/statement.ts'

/** `to_seq` is null while the example data is being added. */
export type Range = { readonly from_seq: number | null; readonly to_seq: number | null }
type Facts = Range & {
  readonly storage_id: number
  /** The day on which the example data was asked for; today before that. */
  readonly day: string
  readonly has_items: boolean
}
/** What the steps of the example data start from. */
export type Begun = Omit<Facts, 'has_items'> & { readonly from_seq: number }

export const hasItems = 'Example data can only be added while the company has no items'

const find = statement<Facts, { readonly company_id: number }>(
  'example_data.facts',
  `select c.example_from_seq as from_seq, c.example_to_seq as to_seq, c.products_storage_id as storage_id,
     to_char(coalesce((select e.at from events e where e.company_id = :company_id and e.seq = c.example_from_seq), now()) at time zone c.timezone, 'YYYY-MM-DD') as day,
     exists (select from items i where i.company_id = :company_id and i.deleted_at is null) as has_items
   from companies c where c.company_id = :company_id`,
)
const update = statement<never, Range & { readonly company_id: number }>(
  'example_data.update',
  'update companies set example_from_seq = :from_seq, example_to_seq = :to_seq where company_id = :company_id',
)

const stateOf = ({ from_seq, to_seq }: Range): string =>
  from_seq === null ? 'none' : to_seq === null ? 'being added' : 'added'

/** Writes of the state; they run inside the session methods of the example data. */
const declare = (path: string, planned: (facts: Facts, seq: number) => Range) =>
  write({
    path,
    api: 'app',
    summary: 'Change what is recorded of the example data.',
    input: { schema: z.object({}), read: () => ({}) },
    output: z.object({}),
    refusals: [],
    example: { request: {}, response: { success: true } },
    facts: (_input, { companyId }) => find({ company_id: companyId }),
    plan: (_input, facts: Facts, { seq }) => {
      const { storage_id, day } = facts
      const after = planned(facts, seq)
      return { ...after, from_seq: after.from_seq ?? 0, storage_id, day, before: facts, after }
    },
    write: ({ before, after }, { context: { companyId } }) => {
      const change = [stateOf(before), stateOf(after)]
      return change[0] === change[1]
        ? undefined
        : {
            statements: [update({ company_id: companyId, from_seq: after.from_seq, to_seq: after.to_seq })],
            event: { record: 'company', recordId: companyId, change: { example_data: change }, action: 'updated' },
          }
    },
    response: ({ from_seq, to_seq, storage_id, day }) => ({ from_seq, to_seq, storage_id, day }),
  })

export const beginExamples = declare('example_data/add', (facts, seq) => {
  if (facts.from_seq !== null) return facts
  if (facts.has_items) refuse(hasItems, { code: 'has_items' })
  return { from_seq: seq, to_seq: null }
})

export const endExamples = declare('example_data/add', (facts, seq) =>
  facts.from_seq === null || facts.to_seq !== null ? facts : { from_seq: facts.from_seq, to_seq: seq },
)

export const forgetExamples = declare('example_data/delete', () => ({ from_seq: null, to_seq: null }))
