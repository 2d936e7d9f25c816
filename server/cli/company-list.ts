// kontor company list and show: which companies there are, and how much each of them uses.

import type pg from 'pg'
import { readConfig } from '../platform/process/config.ts'
import {
  type CompanyFigures,
  type CompanyName,
  type CompanyState,
  findCompany,
  listCompanies,
  readFigures,
  readState,
} from '../tenants/companies.ts'
import { measureCompany } from '../tenants/company-size.ts'
import { asOwner } from '../tenants/owner.ts'
import { type Command, companyArgument, options, printable, UsageError } from './command.ts'

const maxListed = 1_000

export const list: Command = {
  words: ['company', 'list'],
  usage: 'company list [--search TEXT] [--limit N] [--after ID] [--json]',
  summary: 'Show the companies with their size',
  help: `Prints id, name, day of creation, day of the last change, what was written, and how many sales, items and events were created.
  --search TEXT  only companies whose name contains the text
  --limit N      how many, up to ${maxListed}; default 100
  --after ID     continue after this company: the last one of the previous page
  --json         print one JSON line for each company`,
  run: async (rest) => {
    const { values } = options(rest, {
      search: { type: 'string' },
      limit: { type: 'string', default: '100' },
      after: { type: 'string', default: '0' },
      json: { type: 'boolean', default: false },
    })
    const limit = numberOption('--limit', values.limit, 1, maxListed)
    const after = numberOption('--after', values.after, 0, Number.MAX_SAFE_INTEGER)
    await asOwner(readConfig(process.env).DATABASE_URL, async (client) => {
      const companies = await listCompanies(client, { search: values.search, after, limit: limit + 1 })
      for (const company of companies.slice(0, limit)) {
        const figures = await readFigures(client, company.company_id)
        console.log(values.json ? JSON.stringify({ ...company, ...figures }) : lineOf(company, figures))
      }
      if (companies.length > limit)
        console.error(`kontor: there are more companies: --after ${companies[limit - 1]?.company_id}`)
    })
    return 0
  },
}

const lineOf = (company: CompanyName, figures: CompanyFigures | undefined): string => {
  const { company_id: id, created_at: createdAt } = company
  const name = printable(company.name)
  if (figures === undefined) return `${id}  "${name}"  ${halfDeleted}`
  const { created, events, last_change_at: changedAt } = figures
  return `${id}  "${name}"  created ${dayOf(createdAt)}, last change ${dayOf(changedAt)}, ${mibOf(figures)} MiB, ${created['sale']} sales, ${created['item']} items, ${events} events`
}

export const halfDeleted = 'its deletion was interrupted: run "company delete" again'

const mibOf = ({ written_bytes: bytes }: CompanyFigures): number => Math.ceil(bytes / 1024 / 1024)

function storedOf(figures: CompanyFigures): string {
  const own = figures.storage_limit_mib
  return `${mibOf(figures)} of ${own ?? readConfig(process.env).STORAGE_LIMIT_MIB} MiB${own === null ? ' (STORAGE_LIMIT_MIB)' : ''}`
}

const dayOf = (time: string): string => time.slice(0, 10)

function numberOption(name: string, text: string, min: number, max: number): number {
  const number = /^\d+$/.test(text) ? Number(text) : Number.NaN
  if (!(number >= min && number <= max)) throw new UsageError(`${name} must be a number from ${min} to ${max}`)
  return number
}

export const show: Command = {
  words: ['company', 'show'],
  usage: 'company show ID [--json]',
  summary: 'Show the settings and the use of a company',
  help: `Prints the settings, the users, sessions and keys, the requests of the day, and how many records were created, including deleted ones.
  --json  print one JSON line`,
  run: async (rest) => {
    const { values, positionals } = options(rest, { json: { type: 'boolean', default: false } }, true)
    const companyId = companyArgument(positionals)
    return await asOwner(readConfig(process.env).DATABASE_URL, async (client) => {
      const company = await loadCompany(client, companyId)
      const [figures, state] = [await readFigures(client, companyId), await readState(client, companyId)]
      if (figures === undefined) throw new UsageError(`company ${companyId}: ${halfDeleted}`)
      if (values.json) console.log(JSON.stringify({ ...company, ...figures, ...state }))
      else console.log(pageOf(company, figures, state))
      return 0
    })
  },
}

export const measure: Command = {
  words: ['company', 'measure'],
  usage: 'company measure ID [--json]',
  summary: 'Measure what a company has stored',
  help: `Reads all rows of the company, prints their number and size by table, and corrects what "company show" prints as stored. The storage limit counts what was written:
measure a company that has deleted much, or that existed before storage was counted. The request log is not included.
  --json  print one JSON line for each table`,
  run: async (rest) => {
    const { values, positionals } = options(rest, { json: { type: 'boolean', default: false } }, true)
    const companyId = companyArgument(positionals)
    await asOwner(readConfig(process.env).DATABASE_URL, async (client) => {
      await loadCompany(client, companyId)
      for (const size of await measureCompany(client, companyId))
        console.log(values.json ? JSON.stringify(size) : `${size.table}: ${size.rows} rows, ${size.bytes} bytes`)
    })
    return 0
  },
}

export async function loadCompany(client: pg.Client, companyId: number): Promise<CompanyName> {
  const company = await findCompany(client, companyId)
  if (company === undefined) throw new UsageError(`there is no company ${companyId}`)
  return company
}

function pageOf(company: CompanyName, figures: CompanyFigures, state: CompanyState): string {
  const lines: readonly (readonly [string, unknown])[] = [
    ['created', company.created_at],
    ['last change', figures.last_change_at],
    ['users', `${state.users}, sessions ${state.sessions}`],
    ['live API keys', state.live_keys],
    [
      'requests today',
      `${state.requests_today} of ${state.settings['daily_limit']}, screens ${state.session_requests_today}`,
    ],
    ['request log today', `${state.log_bytes_today} bytes`],
    ['stored', storedOf(figures)],
    ['events', figures.events],
    ...Object.entries(figures.created).map(([noun, count]) => [`${noun}s created`, count] as const),
    ...Object.entries(state.settings).map(([name, value]) => [name, value] as const),
  ]
  const width = Math.max(...lines.map(([name]) => name.length))
  return [
    `Company ${company.company_id} "${printable(company.name)}"`,
    ...lines.map(([name, value]) => `  ${name.padEnd(width)}  ${value}`),
  ].join('\n')
}
