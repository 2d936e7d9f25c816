// kontor audit: every invariant, on every company or one.

import { auditCompany, auditSchema, companyIds } from '../audit.ts'
import { readConfig } from '../platform/config.ts'
import { type Command, companyOption, options } from './command.ts'

export const audit: Command = {
  words: ['audit'],
  usage: 'audit [--company ID] [--json]',
  summary: 'Check every invariant; exit 1 and the rows when one is broken',
  help: `Checks that levels are the sum of the ledger, that every document has exactly the effect its state demands, that
totals, lists and events are whole, and that the walls between companies stand.
  --company ID  only this company
  --json        one JSON line for each broken row`,
  run: async (rest) => {
    const { values } = options(rest, { company: { type: 'string' }, json: { type: 'boolean', default: false } })
    const url = readConfig(process.env).DATABASE_URL
    const companies = values.company === undefined ? await companyIds(url) : [companyOption(values.company)]
    let broken = 0
    const tell = (companyId: number | null, found: readonly { invariant: string; row: object }[]) => {
      broken += found.length
      for (const { invariant, row } of found) {
        if (values.json) console.log(JSON.stringify({ company_id: companyId, invariant, row }))
        else
          console.log(
            `BROKEN  ${companyId === null ? '' : `company ${companyId}  `}${invariant}\n        ${JSON.stringify(row)}`,
          )
      }
    }
    tell(null, await auditSchema(url))
    for (const companyId of companies) tell(companyId, await auditCompany(url, companyId))
    if (!values.json) {
      console.log(broken === 0 ? `All invariants hold (companies: ${companies.length}).` : `Broken rows: ${broken}.`)
    }
    return broken === 0 ? 0 : 1
  },
}
