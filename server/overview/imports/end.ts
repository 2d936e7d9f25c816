// The end of an import that could not be written to its end, or that was taken back. Not a method of the API: the runner calls it.

import { z } from 'zod'
import { write } from '../../kernel/method.ts'
import { internalInput } from './run.ts'
import type { RowRefusal } from './section.ts'
import { endImport, factsOfImport, type ImportFacts, noteCompany, refusalJson, refuseLeftRows } from './store.ts'

export type Ending = {
  readonly id: number
  readonly lease: string
  /** Why the rows that are left cannot be written. */
  readonly refusal?: RowRefusal
}

export const endOfImport = write({
  path: 'imports/end',
  whenFull: 'always',
  api: 'app',
  summary: 'End an import that cannot be continued, or that was taken back.',
  input: { ...internalInput, read: (): Ending => internalInput.read() },
  output: z.object({}),
  refusals: [],
  example: { request: {}, response: { success: true } },
  facts: factsOfImport,
  plan: (ending, { import: now, others_working: others }: ImportFacts) => ({
    ...ending,
    status: now?.lease === ending.lease ? now.status : undefined,
    isWorking: others > 0,
  }),
  write: ({ id, refusal, status, isWorking }, { context, at }) => {
    if (status !== 'running' && status !== 'undoing') return undefined
    const of = { company_id: context.companyId, import_id: id }
    const after = status === 'running' ? 'done' : 'undone'
    return {
      statements: [
        ...(refusal === undefined ? [] : [refuseLeftRows({ ...of, refusal: refusalJson(refusal) })]),
        endImport({ ...of, status: after, at }),
        noteCompany(context.companyId, { any: true, working: isWorking }),
      ],
      event: { record: 'import', recordId: id, action: 'updated', change: { status: [status, after] } },
    }
  },
  response: () => ({}),
})
