// kontor company: creates a company and changes its settings. Its other commands have their own files.

import { createCompany, isTimezone } from '../access/companies.ts'
import { type CompanyLanguage, companyLanguages } from '../access/first-records.ts'
import { configureCompany } from '../access/settings/edit.ts'
import { addExamples } from '../catalog/examples.ts'
import { trimmed } from '../kernel/field.ts'
import { timezoneOf } from '../kernel/timezone.ts'
import { type Command, companyOption, options, UsageError, withDatabase, writeAsOperator } from './command.ts'
import { remove } from './company-delete.ts'
import { exportCommand } from './company-export.ts'
import { importCommand } from './company-import.ts'
import { list, measure, show } from './company-list.ts'

const settings = [
  'name',
  'currency',
  'number_prefix',
  'first_sale_number',
  'default_sale_status',
  'materials_in_sales',
  'products_storage_id',
  'materials_storage_id',
  'default_fulfillment',
  'show_payment_status',
  'requires_second_factor',
  'timezone',
  'daily_limit',
  'storage_limit_mib',
  'request_log_days',
]

const create: Command = {
  words: ['company', 'create'],
  usage: 'company create --name N [--timezone Z] [--language L] [--examples] [--json]',
  summary: 'Create a company and its first API key',
  help: `  --name N      name of the company
  --timezone Z  its time zone, such as Europe/Berlin; default UTC
  --language L  en, de or ru: add the usual units of measure and name the storage locations in this language
  --examples    add a few products, materials and a customer to try things out
  --json        print one JSON line: company_id, api_key, products_storage_id, materials_storage_id
The API key is shown only once: only its hash is stored.`,
  run: async (rest) => {
    const { values } = options(rest, {
      name: { type: 'string' },
      timezone: { type: 'string', default: 'UTC' },
      language: { type: 'string' },
      examples: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
    })
    const name = trimmed(values.name ?? '')
    if (name === '') throw new UsageError('--name is missing: what is the company called?')
    const language = languageOption(values.language)
    const company = await withDatabase(async (database) => {
      const timezone = timezoneOf(values.timezone)
      if (!(await isTimezone(database.pool, timezone))) {
        throw new UsageError(`there is no time zone "${values.timezone}": use a name such as Europe/Berlin`)
      }
      const made = await createCompany(database.pool, name, timezone, { language, showsFirstSteps: true })
      if (values.examples) {
        await writeAsOperator(database.pool, addExamples, {}, made.company_id)
      }
      return made
    })
    if (values.json) console.log(JSON.stringify(company))
    else {
      console.log(`Company ${company.company_id} created.
API key (shown this once): ${company.api_key}
Storage locations: products ${company.products_storage_id}, materials ${company.materials_storage_id}`)
    }
    return 0
  },
}

function languageOption(value: string | undefined): CompanyLanguage | undefined {
  const language = companyLanguages.find((one) => one === value)
  if (value !== undefined && language === undefined)
    throw new UsageError(`--language must be one of ${companyLanguages.join(', ')}`)
  return language
}

const set: Command = {
  words: ['company', 'set'],
  usage: 'company set --company ID key=value …',
  summary: 'Change settings of a company',
  help: `Settings:
  number_prefix          prefix of sale numbers of the general API connection (default A-)
  first_sale_number      first number that the screens propose for sales, such as 2026-0001; empty to continue the latest
  default_sale_status    status of new sales: 0 New, 1 Packed, 3 Shipped, 4 Canceled
  materials_in_sales     whether materials may be sold: true or false
  products_storage_id    default storage location of products
  materials_storage_id   default storage location of materials
  default_fulfillment    stock or production (screens only)
  show_payment_status    true or false (screens only)
  requires_second_factor true or false: users must sign in with a second factor
  timezone               such as Europe/Berlin
  daily_limit            requests a day
  storage_limit_mib      what the company may store in total, or default for STORAGE_LIMIT_MIB
  request_log_days       days its requests are kept, if fewer than REQUEST_LOG_DAYS, or default
  name, currency         name of the company; three letters such as EUR`,
  run: async (rest) => {
    const { values, positionals } = options(rest, { company: { type: 'string' } }, true)
    const companyId = companyOption(values.company)
    if (positionals.length === 0) throw new UsageError('nothing to set: give key=value')
    const changes = Object.fromEntries(positionals.map(splitPair))
    const input = configureCompany.input.read(changes)
    await withDatabase(({ pool }) => writeAsOperator(pool, configureCompany, input, companyId))
    console.log(`Company ${companyId}: ${positionals.join(', ')}`)
    return 0
  },
}

function splitPair(pair: string): [string, string] {
  const at = pair.indexOf('=')
  const name = pair.slice(0, at)
  if (at < 1) throw new UsageError(`"${pair}" is not key=value`)
  if (!settings.includes(name))
    throw new UsageError(`there is no setting "${name}": it must be one of ${settings.join(', ')}`)
  return [name, pair.slice(at + 1)]
}

export const company: readonly Command[] = [create, set, list, show, measure, exportCommand, importCommand, remove]
