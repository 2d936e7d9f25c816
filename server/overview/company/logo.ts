// The logo that a company has, as the facts of its methods.

import { statement } from '../../kernel/statement.ts'

export type LogoFacts = { readonly tag: string | null }

export const logoFacts = statement<LogoFacts, { readonly company_id: number }>(
  'company.logo_facts',
  'select c.logo_tag as tag from companies c where c.company_id = :company_id',
)
