// Changing a company's settings and its keys. Declared like every method, for screens and the command line; not for the public door.

import { z } from 'zod'
import type { Call } from '../kernel/clock.ts'
import { code, flag, integer, nameLength, passed, storageId, text } from '../kernel/field.ts'
import type { Raw } from '../kernel/json.ts'
import { write } from '../kernel/method.ts'
import { difference } from '../kernel/patch.ts'
import { refuse } from '../kernel/refusal.ts'
import { type CompanyFacts, type Settings, saleStatuses } from '../kernel/settings.ts'
import { statement } from '../kernel/statement.ts'
import { insertConnection, insertKey } from './companies.ts'
import { companyFacts, settingColumns } from './settings.ts'

type SettingsFacts = {
  readonly company: CompanyFacts
  readonly storages: readonly number[]
  readonly known_timezone: boolean
}

const settingsFacts = statement<SettingsFacts>(
  'settings.facts',
  `select ${companyFacts} as company,
     (select coalesce(json_agg(t.id), '[]'::json) from storages t where t.company_id = $1 and t.deleted_at is null) as storages,
     $3::text is null or exists (select from pg_timezone_names z where z.name = $3) as known_timezone`,
)

const updateSettings = statement(
  'settings.update',
  `update companies set ${settingColumns.map((name, at) => `${name} = $${at + 2}`).join(', ')} where company_id = $1`,
)
const updatePrefix = statement(
  'connections.update_prefix',
  'update api_connections set number_prefix = $3 where company_id = $1 and id = $2',
)

const longestPrefix = 32

function readSettings(raw: Raw): Partial<Settings & { number_prefix: string }> {
  const dailyLimit = passed(raw, 'daily_limit')
  const fulfillment = passed(raw, 'default_fulfillment')
  const status = passed(raw, 'default_sale_status')
  const given = {
    number_prefix: text(raw, 'number_prefix', { max: longestPrefix }),
    timezone: text(raw, 'timezone', { max: nameLength, trim: true }),
    default_sale_status:
      status === undefined
        ? undefined
        : code(status, saleStatuses, 'Invalid default_sale_status value. Must be one of: 0, 1, 3, 4'),
    materials_in_sales: flag(raw, 'materials_in_sales'),
    products_storage_id: storageId(raw, 'products_storage_id'),
    materials_storage_id: storageId(raw, 'materials_storage_id'),
    default_fulfillment:
      fulfillment === undefined || fulfillment === 'stock' || fulfillment === 'production'
        ? fulfillment
        : refuse('Invalid default_fulfillment value. Must be one of: stock, production'),
    show_payment_status: flag(raw, 'show_payment_status'),
    daily_limit: dailyLimit === undefined ? undefined : limitOf(dailyLimit),
  }
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
}

function limitOf(value: unknown): number {
  const limit = integer(value)
  if (limit === undefined || limit < 0 || limit > 1_000_000_000)
    refuse('Invalid daily_limit value. Must be between 0 and 1000000000')
  return limit
}

/** The connection whose prefix is meant: the one that calls, else the company's first. */
const prefixOwner = (call: Call): number => call.connectionId ?? 1

export const editSettings = write({
  path: 'settings/edit',
  door: 'screens',
  summary: 'Change the settings of the company.',
  input: {
    wire: z.object({
      number_prefix: z
        .string()
        .optional()
        .describe('What stands before the numbers of sales made through the API connection.'),
      timezone: z.string().optional().describe('Time zone of the company, such as Europe/Berlin.'),
      default_sale_status: z.int().optional().describe('Status of new sales: 0, 1, 3 or 4.'),
      materials_in_sales: z.boolean().optional().describe('Whether materials may be sold.'),
      products_storage_id: z.int().optional().describe('Default storage location of products.'),
      materials_storage_id: z.int().optional().describe('Default storage location of materials.'),
      default_fulfillment: z.enum(['stock', 'production']).optional().describe('How the screens fulfil new sales.'),
      show_payment_status: z.boolean().optional().describe('Whether the screens show the payment status.'),
      daily_limit: z.int().optional().describe('Requests a day.'),
    }),
    read: readSettings,
  },
  output: z.object({}),
  refusals: ['Time zone not found', 'Storage ID not found'],
  example: { request: { timezone: 'Europe/Berlin' }, response: { success: true } },
  facts: (input, call) => settingsFacts(call.companyId, prefixOwner(call), input.timezone ?? null),
  plan: (input, facts: SettingsFacts) => {
    if (!facts.known_timezone) refuse('Time zone not found')
    for (const id of [input.products_storage_id, input.materials_storage_id]) {
      if (id !== undefined && !facts.storages.includes(id)) refuse('Storage ID not found')
    }
    const { today: _today, ...before } = facts.company
    const after = { ...before, ...input }
    return { after, change: difference(before, after) }
  },
  write: ({ after, change }, { call }) => {
    if (Object.keys(change).length === 0) return undefined
    const { companyId } = call
    return {
      statements: [
        updateSettings(companyId, ...settingColumns.map((name) => after[name])),
        ...('number_prefix' in change ? [updatePrefix(companyId, prefixOwner(call), after.number_prefix)] : []),
      ],
      event: { record: 'company', recordId: companyId, change },
    }
  },
  answer: () => ({}),
})

export type KeyInput = {
  readonly hash: Buffer
  readonly hint: string
  /** Absent: a new connection is made for the key. */
  readonly connectionId: number | undefined
  readonly name: string
  readonly prefix: string
}

type ConnectionFacts = { readonly exists: boolean }
const connectionFacts = statement<ConnectionFacts>(
  'connections.facts',
  'select exists (select from api_connections where company_id = $1 and id = $2) as exists',
)

/** The key itself is made by the caller, who shows it once: a plan draws nothing at random and a key is never kept. */
export const addKey = write({
  path: 'keys/add',
  door: 'screens',
  summary: 'Issue an API key.',
  input: { wire: z.object({}), read: (): KeyInput => refuse('Keys are issued in the settings') },
  output: z.object({ connection_id: z.int() }),
  refusals: ['Connection not found'],
  example: { request: {}, response: { success: true, connection_id: 2 } },
  facts: (input, call) => connectionFacts(call.companyId, input.connectionId ?? null),
  plan: (input: KeyInput, facts: ConnectionFacts, moment) => {
    if (input.connectionId !== undefined && !facts.exists) refuse('Connection not found')
    return { ...input, id: input.connectionId ?? moment.ids.next('connection_id') }
  },
  write: (plan, { call: { companyId } }) => ({
    statements: [
      ...(plan.connectionId === undefined ? [insertConnection(companyId, plan.id, plan.name, plan.prefix)] : []),
      insertKey(companyId, plan.hash, plan.id, plan.hint),
    ],
    event: {
      record: 'connection',
      recordId: plan.id,
      change: { key: plan.hint, name: plan.name, number_prefix: plan.prefix },
    },
  }),
  answer: (plan) => ({ connection_id: plan.id }),
})

export type ConnectionKey = {
  readonly connection_id: number
  readonly name: string
  readonly number_prefix: string
  readonly key_id: string
  readonly hint: string
  readonly created_at: string
  readonly expires_at: string | null
  readonly revoked_at: string | null
}

const keyId = `left(encode(k.key_hash, 'hex'), 8)`

export const listKeys = statement<ConnectionKey>(
  'keys.list',
  `select k.connection_id, n.name, n.number_prefix, ${keyId} as key_id, k.hint, k.created_at, k.expires_at, k.revoked_at
   from api_keys k join api_connections n on n.company_id = $1 and n.id = k.connection_id
   where k.company_id = $1 order by k.connection_id, k.created_at`,
)

type RevokeFacts = { readonly connection_id: number | null }
const revokeFacts = statement<RevokeFacts>(
  'keys.revoke_facts',
  `select (select k.connection_id from api_keys k where k.company_id = $1 and ${keyId} = $2 and k.revoked_at is null) as connection_id`,
)
const revoke = statement(
  'keys.revoke',
  `update api_keys k set revoked_at = now() where k.company_id = $1 and ${keyId} = $2 and k.revoked_at is null`,
)

export const revokeKey = write({
  path: 'keys/revoke',
  door: 'screens',
  summary: 'End an API key at once.',
  input: {
    wire: z.object({
      key_id: z.string().describe('The first eight digits of the hash, as the list of keys shows them.'),
    }),
    read: (raw) => ({ keyId: text(raw, 'key_id', { max: 8, trim: true }) ?? refuse('No key_id in input') }),
  },
  output: z.object({}),
  refusals: ['No key_id in input', 'Key not found'],
  example: { request: { key_id: '9f86d081' }, response: { success: true } },
  facts: (input, call) => revokeFacts(call.companyId, input.keyId),
  plan: (input, facts: RevokeFacts) => ({ ...input, connectionId: facts.connection_id ?? refuse('Key not found') }),
  write: (plan, { call }) => ({
    statements: [revoke(call.companyId, plan.keyId)],
    event: { record: 'connection', recordId: plan.connectionId, change: { revoked: plan.keyId } },
  }),
  answer: () => ({}),
})
