// settings/edit: change the settings of a company. The command line changes the same settings, and those reserved for the operator.

import { z } from 'zod'
import { code, flag, integer, nameLength, passed, storageId, text, textRefusals } from '../../kernel/field.ts'
import type { Raw } from '../../kernel/json.ts'
import { write } from '../../kernel/method.ts'
import { naturalKey } from '../../kernel/natural.ts'
import { difference } from '../../kernel/patch.ts'
import { refuse } from '../../kernel/refusal.ts'
import { saleStatuses } from '../../kernel/settings.ts'
import { statement } from '../../kernel/statement.ts'
import { timezoneOf } from '../../kernel/timezone.ts'
import { defaultStorageEvents, touchStorages } from '../default-storages.ts'
import { hasSecondFactor } from '../second-factor/has-second-factor.ts'
import { type ShownSettings, settingsJson, settingsSchema, shownSettings } from '../settings.ts'

/** The number prefix is that of the general connection, which every company has. The last two are null where the installation decides. */
type Editable = ShownSettings & {
  readonly number_prefix: string
  readonly storage_limit_mib: number | null
  readonly request_log_days: number | null
}
type SettingsInput = Partial<Editable>

const generalConnection = 1

type Facts = {
  readonly before: Editable
  readonly storages: readonly number[]
  readonly known_timezone: boolean
  readonly has_second_factor: boolean
}
const facts = statement<Facts, { company_id: number; timezone: string | null; user_id: number | null }>(
  'settings.facts',
  `select (select ${settingsJson}::jsonb || jsonb_build_object('number_prefix', coalesce(
       (select n.number_prefix from api_connections n where n.company_id = :company_id and n.id = ${generalConnection}), ''),
       'request_log_days', c.request_log_days,
       'storage_limit_mib', (select k.storage_limit_mib from company_clock k where k.company_id = :company_id))
     from companies c where c.company_id = :company_id) as before,
     (select coalesce(json_agg(t.id), '[]'::json) from storages t where t.company_id = :company_id and t.deleted_at is null) as storages,
     :timezone::text is null or exists (select from pg_timezone_names z where z.name = :timezone) as known_timezone,
     ${hasSecondFactor(':user_id::bigint')} as has_second_factor`,
)

const update = statement<never, ShownSettings & { company_id: number; first_sale_number_key: string }>(
  'settings.update',
  `update companies set ${shownSettings.map((name) => `${name} = :${name}`).join(', ')}, first_sale_number_key = :first_sale_number_key
   where company_id = :company_id`,
)
const updateLogDays = statement<never, { company_id: number; request_log_days: number | null }>(
  'settings.update_log_days',
  'update companies set request_log_days = :request_log_days where company_id = :company_id',
)
const updateStorageLimit = statement<never, { company_id: number; storage_limit_mib: number | null }>(
  'settings.update_storage_limit',
  'update company_clock set storage_limit_mib = :storage_limit_mib where company_id = :company_id',
)
const updatePrefix = statement<never, { company_id: number; connection_id: number; number_prefix: string }>(
  'connections.update_prefix',
  'update api_connections set number_prefix = :number_prefix where company_id = :company_id and id = :connection_id',
)

const longestPrefix = 32
const longestNumber = 64
const invalidCurrency = 'Invalid currency value. Must be a three-letter code such as EUR'
const invalidNumber = 'Invalid first_sale_number value. Must end with a digit'
const invalidFulfillment = 'Invalid default_fulfillment value. Must be one of: stock, production'
const ownFactorFirst = 'Set up your own second factor first'
const invalidStatus = 'Invalid default_sale_status value. Must be one of: 0, 1, 3, 4'

function readTimezone(raw: Raw): string | undefined {
  const name = text(raw, 'timezone', { max: nameLength, trim: true })
  return name === undefined ? undefined : timezoneOf(name)
}

function readShown(raw: Raw): SettingsInput {
  const fulfillment = passed(raw, 'default_fulfillment')
  const status = passed(raw, 'default_sale_status')
  const name = text(raw, 'name', { max: nameLength, trim: true })
  if (name === '') refuse('No name in input', { code: 'required', field: 'name' })
  return {
    name,
    currency: currencyOf(text(raw, 'currency', { max: nameLength, trim: true })),
    first_sale_number: numberOf(text(raw, 'first_sale_number', { max: longestNumber, trim: true })),
    timezone: readTimezone(raw),
    default_sale_status:
      status === undefined ? undefined : code(status, saleStatuses, invalidStatus, 'default_sale_status'),
    materials_in_sales: flag(raw, 'materials_in_sales'),
    products_storage_id: storageId(raw, 'products_storage_id'),
    materials_storage_id: storageId(raw, 'materials_storage_id'),
    default_fulfillment:
      fulfillment === undefined || fulfillment === 'stock' || fulfillment === 'production'
        ? fulfillment
        : refuse(invalidFulfillment, { code: 'not_a_choice', field: 'default_fulfillment' }),
    show_payment_status: flag(raw, 'show_payment_status'),
    requires_second_factor: flag(raw, 'requires_second_factor'),
    prices_include_tax: flag(raw, 'prices_include_tax'),
  } as SettingsInput
}

function currencyOf(value: string | undefined): string | undefined {
  const currency = value?.toUpperCase()
  return currency === undefined || /^[A-Z]{3}$/.test(currency)
    ? currency
    : refuse(invalidCurrency, { code: 'not_a_choice', field: 'currency' })
}

function numberOf(value: string | undefined): string | undefined {
  return value === undefined || value === '' || /[0-9]$/.test(value)
    ? value
    : refuse(invalidNumber, { code: 'malformed', field: 'first_sale_number' })
}

function readAll(raw: Raw): SettingsInput {
  const prefix = text(raw, 'number_prefix', { max: longestPrefix })
  const limit = passed(raw, 'daily_limit')
  return {
    ...readShown(raw),
    number_prefix: prefix,
    daily_limit: limit === undefined ? undefined : limitOf(limit, 'daily_limit', 1_000_000_000),
    storage_limit_mib: ownLimit(raw, 'storage_limit_mib', 1_000_000_000),
    request_log_days: ownLimit(raw, 'request_log_days', 3650),
  } as SettingsInput
}

/** Null for `default`: the limit of the installation. */
function ownLimit(raw: Raw, field: string, max: number): number | null | undefined {
  const value = passed(raw, field)
  if (value === undefined) return undefined
  return value === 'default' ? null : limitOf(value, field, max)
}

function limitOf(value: unknown, field: string, max: number): number {
  const limit = integer(value)
  if (limit === undefined || limit < 0 || limit > max)
    refuse(`Invalid ${field} value. Must be between 0 and ${max}`, { code: 'out_of_range', field })
  return limit
}

function refuseImpossible(input: SettingsInput, found: Facts, userId: number | null): void {
  const { storages, known_timezone: isKnown, has_second_factor: hasFactor } = found
  // The owner would shut themselves out. The operator has no account.
  if (input.requires_second_factor === true && userId !== null && !hasFactor)
    refuse(ownFactorFirst, { code: 'own_second_factor_first', field: 'requires_second_factor' })
  if (!isKnown) refuse('Time zone not found', { code: 'timezone_not_found', field: 'timezone' })
  for (const field of ['products_storage_id', 'materials_storage_id'] as const) {
    const id = input[field]
    if (id !== undefined && !storages.includes(id)) refuse('Storage ID not found', { code: 'storage_not_found', field })
  }
}

const withoutUndefined = (fields: SettingsInput): SettingsInput =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))

const declare = (readFields: (raw: Raw) => SettingsInput) =>
  write({
    path: 'settings/edit',
    whenFull: 'in reserve',
    api: 'app',
    role: 'owner',
    summary: 'Change the settings of the company.',
    notes: [
      'Only the fields that are passed change. The daily limit is set by the operator of the service, the default tax rate with the rates.',
    ],
    input: {
      schema: settingsSchema.omit({ daily_limit: true, default_tax_rate_id: true }).partial(),
      read: (raw) => withoutUndefined(readFields(raw)),
    },
    needsFreshSignIn: ({ requires_second_factor: required }) => required !== undefined,
    output: z.object({}),
    refusals: [
      'No name in input',
      invalidCurrency,
      invalidNumber,
      invalidStatus,
      'Invalid <field> value. Must be one of: 0, 1',
      'Storage ID is not set',
      invalidFulfillment,
      'Time zone not found',
      'Storage ID not found',
      ownFactorFirst,
      ...textRefusals,
    ],
    example: { request: { timezone: 'Europe/Berlin' }, response: { success: true } },
    facts: (input: SettingsInput, context) =>
      facts({ company_id: context.companyId, timezone: input.timezone ?? null, user_id: context.userId }),
    plan: (input: SettingsInput, found: Facts, { context: { userId } }) => {
      refuseImpossible(input, found, userId)
      const { before } = found
      const after = { ...before, ...input }
      return { before, after, change: difference(before, after) }
    },
    write: ({ before, after, change }, transaction) => {
      if (Object.keys(change).length === 0) return undefined
      const { companyId } = transaction.context
      const related = defaultStorageEvents(before, after)
      return {
        statements: [
          update({ company_id: companyId, ...after, first_sale_number_key: naturalKey(after.first_sale_number) }),
          ...touchStorages(related, transaction),
          ...('request_log_days' in change
            ? [updateLogDays({ company_id: companyId, request_log_days: after.request_log_days })]
            : []),
          ...('storage_limit_mib' in change
            ? [updateStorageLimit({ company_id: companyId, storage_limit_mib: after.storage_limit_mib })]
            : []),
          ...('number_prefix' in change
            ? [
                updatePrefix({
                  company_id: companyId,
                  connection_id: generalConnection,
                  number_prefix: after.number_prefix,
                }),
              ]
            : []),
        ],
        event: { record: 'company', recordId: companyId, change },
        related,
      }
    },
    response: () => ({}),
  })

export const editSettings = declare(readShown)

/** For the command line: also the number prefix and what the operator decides. */
export const configureCompany = declare(readAll)
