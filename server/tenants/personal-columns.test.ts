// Every column that holds text is either searched by an erasure or known to hold no personal data: a new one must be added to one of the two.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contactFields } from '../contacts/contact.ts'
import { databaseUrl } from '../test/harness/database.ts'
import { readCompanyTables } from './company-tables.ts'
import { asOwner } from './owner.ts'

/** Overwritten or searched by erasure.ts and erasure-copies.ts. */
const searched = [
  ...['customers', 'suppliers'].flatMap((table) =>
    ['name', 'name_key', 'folded_name', ...contactFields, 'country', 'vat_number'].map(
      (column) => `${table}.${column}`,
    ),
  ),
  'customers.tax_reason',
  ...['sales.billing_address', 'sales.delivery_address'],
  ...['decided_by', 'decided_from', 'first_opened_from', 'last_opened_from'].map((column) => `quote_links.${column}`),
  // Deleted with the user.
  ...['address', 'browser', 'system'].map((column) => `sessions.${column}`),
  'provider_identities.subject',
  ...['users.name', 'users.email', 'users.password_hash', 'invitations.email'],
  ...['events.change', 'external_ids.external_id', 'idempotency_keys.key', 'idempotency_keys.answer'],
  'webhook_deliveries.response',
  ...['recipient', 'response'].map((column) => `mails.${column}`),
  ...['detail', 'address', 'browser', 'system'].map((column) => `security_events.${column}`),
  ...['fields', 'key', 'changes', 'refusal'].map((column) => `import_rows.${column}`),
  ...['request', 'answer', 'error', 'method', 'ignored_fields'].map((column) => `request_log.${column}`),
]

/** By column: what the software writes, numbers, and names of things. docs/guides/privacy.md says that names of things are not searched. */
const impersonal: Readonly<Record<string, string>> = {
  api_connections: 'last_used_from name networks number_prefix sections',
  api_keys: 'hint',
  audit_lines: 'cost_source',
  categories: 'name type',
  customers: 'tax_treatment',
  // Also what the company prints about itself.
  companies:
    'currency default_fulfillment first_sale_number first_sale_number_key name timezone legal_name address country vat_number registration bank_name bank_account bank_code email phone logo_type logo_tag paper_size document_language',
  events: 'action method record request_id source',
  external_ids: 'record',
  files: 'name tag type',
  import_rows: 'record state',
  identity_providers: 'link_key name issuer client_id',
  imports: 'counted_on headings kind lease name status',
  invitations: 'role',
  item_codes: 'code code_key role space',
  item_suppliers: 'sku',
  items: 'codes kind name name_key search_key sku',
  list_runs: 'from_key list',
  mail_links: 'mail_id',
  mails: 'id kind language lease paper status',
  pending_single_sign_ons: 'nonce verifier',
  // Of companies that do not exist yet; kept for a day.
  pending_sign_ups: 'company email language name password_hash timezone',
  quotas: 'used_by',
  quote_links: 'decision mail_id',
  quotes: 'num num_key tax',
  request_log: 'request_id',
  request_log_gaps: 'first_request_id reason',
  passkeys: 'name rp_id',
  purchase_skipped_lines: 'code code_key kind named_by',
  sale_shipments: 'carrier tracking_number',
  sale_skipped_lines: 'code code_key kind named_by',
  security_events: 'id kind',
  stock_movements: 'kind section',
  storages: 'address name',
  tax_rates: 'name',
  units: 'full_name name',
  users: 'language role',
  webhook_deliveries: 'error type',
  webhook_endpoints: 'description disabled_reason former_secret last_error lease secret types url',
  ...Object.fromEntries(
    ['audits', 'productions', 'purchases', 'sales', 'transfers', 'writeoffs'].map((table) => [
      table,
      'num num_key source',
    ]),
  ),
  // Also names of tax rates, and the legal basis on which none is charged, which the document must keep.
  sales: 'num num_key source tax',
}

test('an erasure searches every column that may hold personal data', async () => {
  const known = [
    ...searched,
    ...Object.entries(impersonal).flatMap(([table, columns]) =>
      columns.split(' ').map((column) => `${table}.${column}`),
    ),
  ]
  const texts = (await asOwner(databaseUrl(), readCompanyTables)).flatMap(({ name, columns }) =>
    columns
      .filter((column) => /^(?:text|jsonb?|character.*)(?:\[\])?$/.test(column.type) && !column.isGenerated)
      .map((column) => `${name}.${column.name}`),
  )
  assert.deepEqual(
    texts.filter((column) => !known.includes(column) && !column.endsWith('.notes')),
    [],
    'decide whether an erasure must search these columns',
  )
  assert.deepEqual(
    known.filter((column) => !texts.includes(column)),
    [],
    'these columns do not exist',
  )
})
