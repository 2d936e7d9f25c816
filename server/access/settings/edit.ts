// settings/edit: changing the settings of a company. The command line changes the same ones, and what is the operator's to decide.

import { z } from 'zod'
import { code, flag, integer, nameLength, passed, storageId, text, textRefusals } from '../../kernel/field.ts'
import type { Raw } from '../../kernel/json.ts'
import { write } from '../../kernel/method.ts'
import { difference } from '../../kernel/patch.ts'
import { refuse } from '../../kernel/refusal.ts'
import { saleStatuses } from '../../kernel/settings.ts'
import { statement } from '../../kernel/statement.ts'
import { type ShownSettings, settingsJson, settingsWire, shownSettings } from '../settings.ts'

/** The number prefix is that of the general connection, which every company has. */
type Editable = ShownSettings & { readonly number_prefix: string }
type Given = Partial<Editable>

const generalConnection = 1

type Facts = { readonly before: Editable; readonly storages: readonly number[]; readonly known_timezone: boolean }
const facts = statement<Facts>(
  'settings.facts',
  `select (select ${settingsJson}::jsonb || jsonb_build_object('number_prefix', coalesce(
       (select n.number_prefix from api_connections n where n.company_id = $1 and n.id = ${generalConnection}), ''))
     from companies c where c.company_id = $1) as before,
     (select coalesce(json_agg(t.id), '[]'::json) from storages t where t.company_id = $1 and t.deleted_at is null) as storages,
     $2::text is null or exists (select from pg_timezone_names z where z.name = $2) as known_timezone`,
)

const update = statement(
  'settings.update',
  `update companies set ${shownSettings.map((name, at) => `${name} = $${at + 2}`).join(', ')} where company_id = $1`,
)
const updatePrefix = statement(
  'connections.update_prefix',
  'update api_connections set number_prefix = $3 where company_id = $1 and id = $2',
)

const longestPrefix = 32
const invalidCurrency = 'Invalid currency value. Must be a three-letter code such as EUR'
const invalidFulfillment = 'Invalid default_fulfillment value. Must be one of: stock, production'
const invalidStatus = 'Invalid default_sale_status value. Must be one of: 0, 1, 3, 4'

function readShown(raw: Raw): Given {
  const fulfillment = passed(raw, 'default_fulfillment')
  const status = passed(raw, 'default_sale_status')
  const name = text(raw, 'name', { max: nameLength, trim: true })
  if (name === '') refuse('No name in input')
  return {
    name,
    currency: currencyOf(text(raw, 'currency', { max: nameLength, trim: true })),
    timezone: text(raw, 'timezone', { max: nameLength, trim: true }),
    default_sale_status: status === undefined ? undefined : code(status, saleStatuses, invalidStatus),
    materials_in_sales: flag(raw, 'materials_in_sales'),
    products_storage_id: storageId(raw, 'products_storage_id'),
    materials_storage_id: storageId(raw, 'materials_storage_id'),
    default_fulfillment:
      fulfillment === undefined || fulfillment === 'stock' || fulfillment === 'production'
        ? fulfillment
        : refuse(invalidFulfillment),
    show_payment_status: flag(raw, 'show_payment_status'),
  } as Given
}

function currencyOf(given: string | undefined): string | undefined {
  const currency = given?.toUpperCase()
  return currency === undefined || /^[A-Z]{3}$/.test(currency) ? currency : refuse(invalidCurrency)
}

function readAll(raw: Raw): Given {
  const prefix = text(raw, 'number_prefix', { max: longestPrefix })
  const limit = passed(raw, 'daily_limit')
  return {
    ...readShown(raw),
    number_prefix: prefix,
    daily_limit: limit === undefined ? undefined : limitOf(limit),
  } as Given
}

function limitOf(value: unknown): number {
  const limit = integer(value)
  if (limit === undefined || limit < 0 || limit > 1_000_000_000)
    refuse('Invalid daily_limit value. Must be between 0 and 1000000000')
  return limit
}

const given = (fields: Given): Given =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))

const declare = (readFields: (raw: Raw) => Given) =>
  write({
    path: 'settings/edit',
    door: 'screens',
    role: 'owner',
    summary: 'Change the settings of the company.',
    notes: ['Only the fields that are passed change. The daily limit is set by whoever runs the service.'],
    input: {
      wire: settingsWire.omit({ daily_limit: true }).partial(),
      read: (raw) => given(readFields(raw)),
    },
    output: z.object({}),
    refusals: [
      'No name in input',
      invalidCurrency,
      invalidStatus,
      'Invalid <field> value. Must be one of: 0, 1',
      'Storage ID is not set',
      invalidFulfillment,
      'Time zone not found',
      'Storage ID not found',
      ...textRefusals,
    ],
    example: { request: { timezone: 'Europe/Berlin' }, response: { success: true } },
    facts: (input: Given, call) => facts(call.companyId, input.timezone ?? null),
    plan: (input: Given, { before, storages, known_timezone: isKnown }: Facts) => {
      if (!isKnown) refuse('Time zone not found')
      for (const id of [input.products_storage_id, input.materials_storage_id]) {
        if (id !== undefined && !storages.includes(id)) refuse('Storage ID not found')
      }
      const after = { ...before, ...input }
      return { after, change: difference(before, after) }
    },
    write: ({ after, change }, { call: { companyId } }) => {
      if (Object.keys(change).length === 0) return undefined
      return {
        statements: [
          update(companyId, ...shownSettings.map((name) => after[name])),
          ...('number_prefix' in change ? [updatePrefix(companyId, generalConnection, after.number_prefix)] : []),
        ],
        event: { record: 'company', recordId: companyId, change },
      }
    },
    answer: () => ({}),
  })

export const editSettings = declare(readShown)

/** For the command line: the daily limit and the number prefix too. */
export const configureCompany = declare(readAll)
