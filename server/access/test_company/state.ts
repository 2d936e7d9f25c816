// The test company of a company: a copy in which everything can be tried, with keys of its own. An owner asks for it, and the server makes it in the background
// (tenants/test-companies.ts).

import { statement } from '../../kernel/statement.ts'
import { secondOf } from '../../platform/postgres/json-sql.ts'

type Company = { readonly company_id: number }

export type TestState = {
  /** This company is a test company itself. */
  readonly is_test: boolean
  readonly made_at: string | null
  readonly took_ms: number | null
  readonly requested_at: string | null
  readonly failed_at: string | null
  readonly written_bytes: number
}

export const findTestState = statement<TestState, Company>(
  'test_companies.state',
  `select c.test_of is not null as is_test, ${secondOf('t.made_at')} as made_at, t.took_ms, ${secondOf('t.requested_at')} as requested_at, ${secondOf('t.failed_at')} as failed_at,
     k.written_bytes::float8 as written_bytes
   from companies c
   join company_clock k on k.company_id = :company_id
   left join test_companies t on t.company_id = :company_id
   where c.company_id = :company_id`,
)

export const requestTest = statement<never, Company & { readonly at: string }>(
  'test_companies.request',
  `insert into test_companies (company_id, requested_at) values (:company_id, :at)
   on conflict (company_id) do update set requested_at = excluded.requested_at`,
)

/** SQL: the id of the test company, or null. */
export const testIdOf = `(select t.test_company_id from test_companies t where t.company_id = :company_id)`
