// The day on which the company is deleted with everything it has stored: set by company/delete, removed by company/keep.

import { statement } from '../../kernel/statement.ts'
import { secondOf } from '../../platform/postgres/json-sql.ts'

type Company = { readonly company_id: number }

export type DeletionFacts = { readonly name: string; readonly delete_at: string | null }

export const findDeletion = statement<DeletionFacts, Company>(
  'company.deletion_facts',
  `select c.name, ${secondOf('c.delete_at')} as delete_at from companies c where c.company_id = :company_id`,
)

export const setDeletion = statement<never, Company & { readonly delete_at: string | null }>(
  'company.set_deletion',
  'update companies set delete_at = :delete_at where company_id = :company_id',
)
