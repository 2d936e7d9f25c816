// kontor audit: checks every invariant, for all companies or one.

import { auditCompany, auditSchema, auditWarning, companyIds } from '../audit.ts'
import { readConfig } from '../platform/process/config.ts'
import { type Command, companyOption, options } from './command.ts'

export const audit: Command = {
  words: ['audit'],
  usage: 'audit [--company ID] [--json]',
  summary: 'Check every invariant; prints broken rows and exits with 1 if there are any',
  help: `Checks that stock levels are the sum of the ledger, that every document has exactly the effect of its status, that
totals, lists and events are complete, that row level security separates companies, and that the role of the server has its privileges.
  --company ID  only this company
  --json        one JSON line for each broken row`,
  run: async (rest) => {
    const { values } = options(rest, { company: { type: 'string' }, json: { type: 'boolean', default: false } })
    const url = readConfig(process.env).DATABASE_URL
    const companies = values.company === undefined ? await companyIds(url) : [companyOption(values.company)]
    let broken = 0
    const report = (companyId: number | null, found: readonly { invariant: string; row: object }[]) => {
      broken += found.length
      for (const { invariant, row } of found) {
        if (values.json) console.log(JSON.stringify({ company_id: companyId, invariant, row }))
        else
          console.log(
            `BROKEN  ${companyId === null ? '' : `company ${companyId}  `}${invariant}\n        ${JSON.stringify(row)}`,
          )
      }
    }
    const warning = await auditWarning(url)
    if (warning !== undefined) console.error(`WARNING ${warning}`)
    report(null, await auditSchema(url))
    for (const companyId of companies) report(companyId, await auditCompany(url, companyId))
    if (!values.json) {
      console.log(broken === 0 ? `All invariants hold (companies: ${companies.length}).` : `Broken rows: ${broken}.`)
    }
    return broken === 0 ? 0 : 1
  },
}
