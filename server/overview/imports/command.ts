// The methods that take nothing but an import: begin it, take it back, delete it.

import { z } from 'zod'
import type { TransactionContext } from '../../kernel/clock.ts'
import { requiredId } from '../../kernel/field.ts'
import { type WriteMethod, write } from '../../kernel/method.ts'
import { refuse } from '../../kernel/refusal.ts'
import type { Statement } from '../../kernel/statement.ts'
import { factsOfImport, type Import, type ImportFacts, loadImport, noImport } from './store.ts'

type Command = Pick<WriteMethod, 'path' | 'summary' | 'refusals' | 'startsWork' | 'whenFull'> & {
  readonly notes: readonly string[]
  /** Refuses what the status of the import does not allow. */
  readonly allow: (found: Import, facts: ImportFacts) => void
  readonly write: (
    of: { readonly company_id: number; readonly import_id: number },
    transaction: TransactionContext,
    facts: ImportFacts,
  ) => readonly Statement[]
  readonly change: object
}

export const importIdSchema = z.union([z.int(), z.string()]).describe('Id of the import.')

export function refuseUnless(isAllowed: boolean, text: string): void {
  if (!isAllowed) refuse(text, { code: 'document_done', field: 'import_id' })
}

export const importCommand = ({ allow, write: written, change, refusals, ...declared }: Command) =>
  write({
    ...declared,
    api: 'app',
    input: {
      schema: z.object({ import_id: importIdSchema }),
      read: (raw) => ({ id: requiredId(raw, 'import_id') }),
    },
    output: z.object({}),
    refusals: ['No import_id in input', noImport, ...refusals],
    example: { request: { import_id: 1 }, response: { success: true } },
    facts: factsOfImport,
    plan: ({ id }, facts: ImportFacts) => {
      allow(loadImport(facts), facts)
      return { id, facts }
    },
    write: ({ id, facts }, transaction) => ({
      statements: written({ company_id: transaction.context.companyId, import_id: id }, transaction, facts),
      event: { record: 'import', recordId: id, change },
    }),
    response: () => ({}),
  })
