// kontor audit: checks every invariant, for all companies or one.

import { auditCompany, auditSchema, auditWarning, type Broken, companyIds, invariantNames } from '../audit.ts'
import { readConfig } from '../platform/process/config.ts'
import { checkMetricsFolder, writeAuditMetrics } from './audit-metrics.ts'
import { type Command, companyOption, explain, options, UsageError } from './command.ts'

/** All invariants hold; at least one is broken; the audit did not reach its end. */
const exitCodes = { sound: 0, broken: 1, incomplete: 2 } as const

export const audit: Command = {
  words: ['audit'],
  usage: 'audit [--company ID] [--json] [--metrics FILE]',
  summary: 'Check every invariant; prints broken rows and exits with 1 if there are any',
  help: `Checks that stock levels are the sum of the ledger, that every document has exactly the effect of its status, that
totals, lists and events are complete, that row level security separates companies, and that the role of the server has its privileges.
  --company ID    only this company
  --json          one JSON line for each broken row, and one for the result
  --metrics FILE  write the result to FILE, such as /var/lib/prometheus/node-exporter/kontor-audit.prom, for the
                  textfile collector of Prometheus's node exporter

Exits with 0 if all invariants hold, with 1 if one is broken, and with 2 if the audit did not reach its end.`,
  run: async (rest) => {
    const { values } = options(rest, {
      company: { type: 'string' },
      json: { type: 'boolean', default: false },
      metrics: { type: 'string' },
    })
    const { metrics, json } = values
    if (metrics !== undefined && values.company !== undefined) {
      throw new UsageError('--metrics is the result for all companies: leave out --company')
    }
    const only = values.company === undefined ? undefined : companyOption(values.company)
    if (metrics !== undefined) await checkMetricsFolder(metrics)
    try {
      return (await auditAndReport(only, json, metrics)) ? exitCodes.sound : exitCodes.broken
    } catch (error) {
      console.error(`kontor: ${explain(error)}`)
      return exitCodes.incomplete
    }
  },
}

/** Returns whether all invariants hold. */
async function auditAndReport(only: number | undefined, json: boolean, metrics: string | undefined): Promise<boolean> {
  const startedAt = new Date()
  const seconds = () => (Date.now() - startedAt.getTime()) / 1000
  const url = readConfig(process.env).DATABASE_URL
  const { companies, violations } = await auditAll(url, only, json ? printJson : print)
  if (metrics !== undefined) await writeAuditMetrics(metrics, { startedAt, seconds: seconds(), violations })
  const broken = [...violations.values()].reduce((sum, rows) => sum + rows, 0)
  if (json) console.log(JSON.stringify({ companies, broken_rows: broken, seconds: seconds() }))
  else console.log(broken === 0 ? `All invariants hold (companies: ${companies}).` : `Broken rows: ${broken}.`)
  return broken === 0
}

type Report = (companyId: number | null, broken: Broken) => void

const printJson: Report = (companyId, { invariant, row }) =>
  console.log(JSON.stringify({ company_id: companyId, invariant, row }))

const print: Report = (companyId, { invariant, row }) =>
  console.log(
    `BROKEN  ${companyId === null ? '' : `company ${companyId}  `}${invariant}\n        ${JSON.stringify(row)}`,
  )

/** Reports every broken row when it is found, and counts them by invariant. */
async function auditAll(url: string, only: number | undefined, report: Report) {
  const violations = new Map(invariantNames.map((name) => [name, 0]))
  const add = (companyId: number | null, found: readonly Broken[]) => {
    for (const broken of found) {
      report(companyId, broken)
      violations.set(broken.invariant, (violations.get(broken.invariant) ?? 0) + 1)
    }
  }
  const companies = only === undefined ? await companyIds(url) : [only]
  const warning = await auditWarning(url)
  if (warning !== undefined) console.error(`WARNING ${warning}`)
  add(null, await auditSchema(url))
  for (const companyId of companies) add(companyId, await auditCompany(url, companyId))
  return { companies: companies.length, violations }
}
