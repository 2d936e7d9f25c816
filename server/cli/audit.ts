// kontor audit: checks every invariant, for all companies or one.

import {
  auditCompany,
  auditSchema,
  type Broken,
  fillingIn,
  invariantNames,
  type OpenBackfill,
  prepareAudit,
} from '../audit.ts'
import { findingText } from '../platform/postgres/finding.ts'
import { readConfig } from '../platform/process/config.ts'
import { checkMetricsTarget, writeAuditMetrics } from './audit-metrics.ts'
import { type Command, companyOption, explain, options, UsageError } from './command.ts'

/** All invariants hold; at least one is broken; the audit did not reach its end. */
const exitCodes = { sound: 0, broken: 1, incomplete: 2 } as const

export const audit: Command = {
  words: ['audit'],
  usage: 'audit [--company ID] [--json] [--metrics FILE|URL]',
  summary: 'Check every invariant; prints broken rows and exits with 1 if there are any',
  help: `Checks that stock levels are the sum of the ledger, that every document has exactly the effect of its status, that
totals, lists and events are complete, that row level security separates companies, and that the role of the server has its privileges.
  --company ID    only this company
  --json          one JSON line for each broken row, and one for the result
  --metrics FILE  write the result to FILE, such as /var/lib/prometheus/node-exporter/kontor-audit.prom, for the
                  textfile collector of Prometheus's node exporter
  --metrics URL   send the result to a Pushgateway, such as http://pushgateway:9091/metrics/job/kontor_audit

Run it as the owner of the tables, who sees all companies. Rows that a backfill has still to fill in are not broken; they are counted separately.
Exits with 0 if all invariants hold, with 1 if one is broken, and with 2 if the audit did not reach its end or could see nothing.`,
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
    if (metrics !== undefined) await checkMetricsTarget(metrics)
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
  const { companies, violations, filling } = await auditAll(url, only, json ? printJson : print)
  if (metrics !== undefined) await writeAuditMetrics(metrics, { startedAt, seconds: seconds(), violations })
  const broken = [...violations.values()].reduce((sum, rows) => sum + rows, 0)
  if (json) console.log(JSON.stringify({ companies, broken_rows: broken, filling_in: filling, seconds: seconds() }))
  else for (const line of resultLines(companies, broken, filling)) console.log(line)
  return broken === 0
}

type Report = (companyId: number | null, broken: Broken) => void

const printJson: Report = (companyId, { invariant, row }) =>
  console.log(JSON.stringify({ company_id: companyId, invariant, row }))

const print: Report = (companyId, { invariant, row }) =>
  console.log(
    `BROKEN  ${companyId === null ? '' : `company ${companyId}  `}${invariant}\n        ${JSON.stringify(row)}`,
  )

/** A backfill that has not reached its end, and the rows that it has still to fill in: at most 100 for each invariant and company. */
type Filling = { readonly backfill: string; readonly companies_left: number; readonly rows: number }

function* resultLines(companies: number, broken: number, filling: readonly Filling[]): Iterable<string> {
  for (const { backfill, companies_left: left, rows } of filling)
    yield `Still being filled in: ${backfill} (companies left: ${left}; rows not counted as broken: ${rows}).`
  if (broken > 0) yield `Broken rows: ${broken}.`
  else if (companies === 0) yield 'There are no companies: only the schema was checked, and it is sound.'
  else yield `All ${filling.some(({ rows }) => rows > 0) ? 'other ' : ''}invariants hold (companies: ${companies}).`
}

/** Reports every broken row when it is found, and counts them by invariant. */
async function auditAll(url: string, only: number | undefined, report: Report) {
  const violations = new Map(invariantNames.map((name) => [name, 0]))
  const unfilled = new Map<string, number>()
  const count = (counts: Map<string, number>, name: string) => counts.set(name, (counts.get(name) ?? 0) + 1)
  const { companies, open, login } = await prepareAudit(url, only)
  const add = (companyId: number | null, found: readonly Broken[]) => {
    for (const broken of found) {
      const backfill = companyId === null ? undefined : fillingIn(broken, companyId, open)
      if (backfill !== undefined) {
        count(unfilled, backfill.name)
        continue
      }
      report(companyId, broken)
      count(violations, broken.invariant)
    }
  }
  if (login.level !== 'ok') console.error(`WARNING ${findingText(login)}`)
  add(null, await auditSchema(url))
  for (const companyId of companies) add(companyId, await auditCompany(url, companyId))
  return { companies: companies.length, violations, filling: fillingOf(open, unfilled) }
}

const fillingOf = (open: readonly OpenBackfill[], unfilled: ReadonlyMap<string, number>): Filling[] =>
  open
    .map(({ name, companies_left }) => ({ backfill: name, companies_left, rows: unfilled.get(name) ?? 0 }))
    .filter(({ companies_left, rows }) => companies_left > 0 || rows > 0)
